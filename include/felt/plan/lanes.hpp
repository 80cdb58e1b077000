// SPDX-License-Identifier: BSD-3-Clause
//
// Which loop runs along the lanes of a vector: the one along which most bytes are contiguous.
// A contraction follows its reader: the side that the reader's lanes belong to becomes columns.
#pragma once
#include <felt/plan/loops.hpp>
#include <algorithm>

namespace felt::planning {

// How the labels of a contraction divide. Rows come from operand `left`, columns from `right`;
// `lane` is the column label that is contiguous in the product's scratch.
struct contract_roles {
    int batch[max_axes], row[max_axes], column[max_axes], shared[max_axes];
    int batches = 0, rows = 0, columns = 0, shareds = 0;
    int lane = -1;
};

namespace detail {

// `last` moves to the end, if it is one of the labels.
inline void put_last(int* label, int count, int last) {
    int* const end = label + count;
    int* const at = std::find(label, end, last);
    if (at != end) std::rotate(at, at + 1, end);
}

}  // namespace detail

FELT_PLANNING inline contract_roles roles_of(loops const& p, int id) {
    node_facts const& f = p.at(id);
    contract_roles r;
    bool has[2][max_axes] = {};
    int operand = id + 1;
    for (int side = 0; side < 2; ++side) {
        node_facts const& x = p.at(operand);
        for (int a = 0; a < x.rank; ++a) has[side][f.label[side][a]] = true;
        operand = x.end;
    }
    int const left = f.swapped ? 1 : 0;
    int const labels = p.loop(f.inner).rank;
    for (int l = 0; l < labels; ++l) {
        if (l >= f.rank) r.shared[r.shareds++] = l;
        else if (has[left][l] && has[1 - left][l]) r.batch[r.batches++] = l;
        else if (has[left][l]) r.row[r.rows++] = l;
        else r.column[r.columns++] = l;
    }
    detail::put_last(r.shared, r.shareds, f.last_shared);
    detail::put_last(r.row, r.rows, f.last_row);
    // The reader's lanes last among the columns.
    int const lane = p.loop(f.space).lane;
    for (int c = 0; c + 1 < r.columns && lane >= 0; ++c) {
        if (f.at.coef[r.column[c]][lane] != 0) {
            detail::put_last(r.column, r.columns, r.column[c]);
            break;
        }
    }
    if (r.columns > 0) r.lane = r.column[r.columns - 1];
    return r;
}

// The axis of a node that its reader's lanes follow; the last if none does.
inline int axis_of_lanes(loops const& p, int id) {
    node_facts const& f = p.at(id);
    int const lane = p.loop(f.space).lane;
    for (int a = 0; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) return a;
    }
    return f.rank - 1;
}

namespace detail {

// What an operand of a product reads as memory: a leaf, or a box of scratch, through views that
// are only strides; -1 if neither.
inline int memory_below(loops const& p, int x) {
    while (p.at(x).what == kind::affine ||
           (p.at(x).what == kind::general && p.at(x).by == way::streamed)) {
        ++x;
    }
    node_facts const& f = p.at(x);
    return f.what == kind::leaf || f.what == kind::general ? x : -1;
}

// The step along loop l of what lies in memory, of a box of scratch in elements of its lanes.
inline index_t step_along(loops const& p, int x, int l) {
    node_facts const& f = p.at(x);
    if (f.what == kind::leaf) return f.by_loop[l];
    return f.at.coef[axis_of_lanes(p, x)][l];
}

// Whether an operand of product id lies in memory so that the loops walk through it: terms of the
// left operand are contiguous, or its rows; columns of the right one. Rows 4 KiB apart fall into
// the same few lines of a first-level cache: then a left operand is packed that more than one strip
// of columns reads, and a right one that many strips of rows read.
inline bool lies_in_place(loops const& p, int id, contract_roles const& r, int side) {
    constexpr index_t many_rows = 256, many_columns = 32, page = 4096;
    node_facts const& f = p.at(id);
    bool const left = side == (f.swapped ? 1 : 0);
    if (r.shareds < 1 || (left ? r.rows : r.columns) < 1 || (!left && r.columns > 1)) return false;
    int const x = memory_below(p, side == 0 ? id + 1 : p.at(id + 1).end);
    if (x < 0) return false;
    int const term = r.shared[r.shareds - 1];
    int const own = left ? r.row[r.rows - 1] : r.column[0];
    int const lane = p.loop(f.inner + side).lane;
    node_facts const& memory = p.at(x);
    bool const boxed = memory.what != kind::leaf, windows = boxed || r.shareds > 1;
    bool const along = left ? lane == term || (windows && lane == own) : lane == own;
    if (!along || step_along(p, x, lane) != 1) return false;
    if (boxed) return left;
    index_t readers = 1;
    for (int i = 0; left && i < r.columns; ++i) readers *= f.extent[r.column[i]];
    for (int i = 0; !left && i < r.rows; ++i) readers *= f.extent[r.row[i]];
    index_t const apart = memory.by_loop[lane == own ? term : own] * memory.value_bytes;
    return apart % page != 0 || readers <= (left ? many_columns : many_rows);
}

inline bool lies_in_box(loops const& p, int x) {
    int const memory = memory_below(p, x);
    return memory >= 0 && p.at(memory).what == kind::general;
}

inline double elements(node_facts const& f) {
    double n = 1;
    for (int a = 0; a < f.rank; ++a) n *= static_cast<double>(f.extent[a]);
    return n;
}

// Leaves vote for the loops along which they are contiguous; a loop that does not fill the lanes
// counts for less, and so does memory at every second element up to every `near`th.
inline void vote(loops const& p, int s, double* votes, index_t near = 1) {
    constexpr index_t full = 16;
    for (node_facts const& f : p.node) {
        if (f.space != s || f.what != kind::leaf) continue;
        for (int l = 0; l < p.loop(s).rank; ++l) {
            index_t const n = p.loop(s).extent[l], step = f.by_loop[l];
            if (step < 1 || step > near || n <= 1) continue;
            double const filled = static_cast<double>(std::min(n, full)) / full;
            votes[l] += elements(f) * f.value_bytes * (step == 1 ? filled : filled / 2);
        }
    }
}

// Among equals the last loop, but for one too short to fill the lanes.
inline int winner(double const* votes, loop_space const& in) {
    int best = in.rank - 1;
    for (int l = in.rank - 1; l >= 0; --l) {
        bool const longer = votes[l] == votes[best] && in.extent[best] < 16 &&
                            in.extent[l] > in.extent[best];
        if (votes[l] > votes[best] || longer) best = l;
    }
    return best;
}

// What is packed lies along loop l, if an axis of its own follows it: whether it does.
inline bool lay_along(node_facts& f, int l) {
    for (int a = 0; a < f.rank; ++a) {
        if (f.lie_along == nullptr || f.at.coef[a][l] != 1) continue;
        f.along = a;
        felt::detail::packed_strides(f.extent, f.rank, a, f.value_bytes, f.stride);
        locate(f);
        return true;
    }
    return false;
}

// The leaf that is operand x of a product, or a view of it; null if there is none.
inline node_facts* leaf_of(loops& p, int x) {
    while (p.at(x).what == kind::affine) ++x;
    return p.at(x).what == kind::leaf ? &p.at(x) : nullptr;
}

// The axis of a view along which its source's memory is contiguous; -1 if there is none.
inline int contiguous_axis(loops const& p, int id) {
    node_facts const &f = p.at(id), &x = p.at(id + 1);
    if (f.what != kind::general || x.what != kind::leaf) return -1;
    for (int a = 0; a < x.rank; ++a) {
        axis_rule const& r = f.rule[a];
        if (x.stride[a] != 1 || x.extent[a] <= 1 || r.divide != 1) continue;
        if (r.out2 >= 0 && r.dilation == 1) return r.out2;
        if (r.out1 >= 0 && r.stride == 1) return r.out1;
    }
    return -1;
}

// The loop along which a box of scratch is filled as its source lies in memory: l if that is one;
// -1 if there is none.
inline int filled_along(loops const& p, int id, int l) {
    node_facts const& f = p.at(id);
    int const axis = contiguous_axis(p, id);
    if (axis < 0) return -1;
    if (l >= 0 && f.at.coef[axis][l] == 1) return l;
    for (int other = 0; other < f.at.loops; ++other) {
        if (f.at.coef[axis][other] == 1) return other;
    }
    return -1;
}

// The loop along which a product can take an operand as it lies in memory; -1 if there is none.
inline int natural_lane(loops const& p, int id) {
    node_facts const& f = p.at(id);
    for (int side = 0, x = id + 1; f.what == kind::contract && side < 2; ++side, x = p.at(x).end) {
        node_facts const& operand = p.at(x);
        for (int a = 0; a < operand.rank && operand.what == kind::leaf; ++a) {
            int const label = f.label[side][a];
            bool const settled = operand.lie_along == nullptr && operand.stride[a] == 1;
            if (!settled || operand.extent[a] <= 1 || label >= f.rank) continue;
            for (int l = 0; l < f.at.loops; ++l) {
                if (f.at.coef[label][l] == 1) return l;
            }
        }
    }
    return -1;
}

// What is computed into scratch votes for the loop that suits itself, else for l, the one that
// suits its reader.
inline void vote_for(loops const& p, int s, int l, double* votes) {
    if (l < 0) return;
    votes[l] += 0.5;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        node_facts const& f = p.at(id);
        if (f.space != s || f.by == way::streamed) continue;
        int natural = natural_lane(p, id);
        if (natural < 0) natural = filled_along(p, id, l);
        votes[natural < 0 ? l : natural] += elements(f) * f.value_bytes;
    }
}

// Loops too short for this leave lanes empty.
inline constexpr index_t full_lanes = 16;

// The loop over operand x of node id that the lanes of id's reader follow; -1 if none does.
inline int followed_loop(loops const& p, int id, int x) {
    node_facts const& f = p.at(id);
    int const lane = p.loop(f.space).lane;
    int axis = -1;
    for (int a = 0; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) axis = a;
    }
    if (axis < 0) return -1;
    for (int l = 0; l < p.at(x).rank; ++l) {
        bool const follows = f.what == kind::general ? followed_axis(f, l) == axis
                                                     : axis_of_loop(f, l) == axis;
        if (follows) return l;
    }
    return -1;
}

// Nodes begin .. end-1, the first of which is read in `space`: lanes along a loop that is none of
// `along` have `across` elements transposed.
struct orientation {
    int begin, end, space;
    double across;
    unsigned along;
};
inline void reorient(loops& p, orientation const& of);

// The label with most votes, the last among equals; -1 if there is none.
inline int most_voted(double const* votes, int const* label, int count) {
    int best = count - 1;
    for (int i = count - 2; i >= 0; --i) {
        if (votes[label[i]] > votes[label[best]]) best = i;
    }
    return best < 0 ? -1 : label[best];
}

// An operand of a product is read along an axis of its own, or along a shared one and transposed.
inline void choose_operand_lanes(loops& p, int id, int side) {
    node_facts& f = p.at(id);
    int const s = f.inner + side;
    bool const left = side == (f.swapped ? 1 : 0);
    node_facts* const leaf = leaf_of(p, side == 0 ? id + 1 : p.at(id + 1).end);
    contract_roles const r = roles_of(p, id);
    int own = left ? (r.rows > 0 ? r.row[r.rows - 1] : -1) : r.lane;
    int shared = r.shareds > 0 ? r.shared[r.shareds - 1] : -1;
    int const wanted = left ? shared : own;
    if (leaf != nullptr && wanted >= 0 && lay_along(*leaf, wanted)) {
        p.loop(s).lane = wanted;
        return;
    }
    double votes[max_axes] = {};
    vote(p, s, votes);
    vote_for(p, s, own, votes);
    if (left) own = f.last_row = most_voted(votes, r.row, r.rows);
    int const most = most_voted(votes, r.shared, r.shareds);
    if (f.last_shared < 0 && most >= 0 && votes[most] > 0) f.last_shared = most;
    if (most >= 0) shared = most;
    p.loop(s).lane = own < 0                                     ? shared
                     : shared >= 0 && votes[shared] > votes[own] ? shared
                                                                 : own;
}

inline void choose_lane(loops& p, int id) {
    node_facts& f = p.at(id);
    if (f.inner < 0) return;
    if (f.what == kind::contract) {
        // Columns are the side that the reader's lanes run along.
        int const lane = p.loop(f.space).lane;
        if (lane >= 0) {
            for (int l = 0; l < f.rank; ++l) {
                if (f.at.coef[l][lane] == 0) continue;
                contract_roles const r = roles_of(p, id);
                for (int i = 0; i < r.rows; ++i) f.swapped = f.swapped || r.row[i] == l;
            }
        }
        contract_roles const r = roles_of(p, id);
        if (r.columns == 0 && r.rows > 0) f.swapped = !f.swapped;  // a column alone: lanes on it
        choose_operand_lanes(p, id, f.swapped ? 1 : 0);
        choose_operand_lanes(p, id, f.swapped ? 0 : 1);
        return;
    }
    for (int x = id + 1, s = f.inner; x < f.end; x = p.at(x).end, ++s) {
        double votes[max_axes] = {};
        vote(p, s, votes, f.what == kind::reduce ? 4 : 1);
        loop_space& in = p.loop(s);
        int const followed = followed_loop(p, id, x);
        bool const free = std::all_of(votes, votes + in.rank, [](double n) { return n == 0; });
        bool const follow = free && followed >= 0 && in.extent[followed] >= full_lanes;
        in.lane = follow ? followed : winner(votes, in);
        unsigned const along = followed < 0 ? ~0U : 1U << followed;
        reorient(p, {x, p.at(x).end, s, elements(p.at(x)), along});
    }
}

}  // namespace detail

namespace detail {

// Lanes for nodes begin .. end-1, outside in; those of the loops they are read in are chosen.
inline void choose_lanes_below(loops& p, int begin, int end) {
    for (int id = begin; id < end; ++id) {
        p.at(id).swapped = false;
        p.at(id).last_shared = p.at(id).last_row = -1;
        choose_lane(p, id);
    }
}

// With few columns a tile's are partly empty. The terms that are computed there in vain, as
// elements that could be transposed meanwhile; what is packed need not be. Measured:
// 1024x8x512 takes 165 us with lanes along the rows and 300 us without; small products do not pay
// for thinking about it.
inline double idle(loops const& p, int id, contract_roles const& r) {
    constexpr double tile = 32, terms_per_element = 10, large = 1 << 16;
    node_facts const& f = p.at(id);
    bool some = false;
    for (int x = id + 1; x < f.end; ++x) some = some || p.at(x).lie_along != nullptr;
    loop_space const& in = p.loop(f.inner);
    double columns = 1, others = 1;
    for (int l = 0; l < in.rank; ++l) {
        bool const along = std::find(r.column, r.column + r.columns, l) != r.column + r.columns;
        (along ? columns : others) *= static_cast<double>(in.extent[l]);
    }
    if (columns <= 2 || columns >= (some ? tile : tile / 2) || others < large) return 0;
    return (tile - columns) * others / terms_per_element;
}

// Elements that are transposed or packed because the lanes run along loop `lane`: of products'
// operands, of leaves, of the destination.
FELT_PLANNING inline double moved(loops& p, orientation const& of, int lane) {
    p.loop(of.space).lane = lane;
    choose_lanes_below(p, of.begin, of.end);
    double n = (of.along >> lane & 1U) != 0 ? 0 : of.across;
    for (int id = of.begin; id < of.end; ++id) {
        node_facts const& f = p.at(id);
        if (f.what == kind::leaf && f.space == of.space && f.by_loop[lane] > 1) n += elements(f);
        if (f.what != kind::contract) continue;
        contract_roles const r = roles_of(p, id);
        n += idle(p, id, r);
        for (int side = 0, x = id + 1; side < 2; ++side, x = p.at(x).end) {
            bool const leaf = p.at(x).what == kind::leaf || p.at(x).what == kind::affine;
            if (leaf && !lies_in_place(p, id, r, side)) n += elements(p.at(x));
            // Across its memory it has to be staged before it is packed.
            int const memory = memory_below(p, x), along = p.loop(f.inner + side).lane;
            bool const in_memory = leaf && memory >= 0 && along >= 0;
            if (in_memory && step_along(p, memory, along) > 1) n += elements(p.at(x));
        }
    }
    return n;
}

// Where there are products of what lies in memory, other lanes may save more than they cost.
inline void reorient(loops& p, orientation const& of) {
    loop_space const& in = p.loop(of.space);
    bool products = false;
    for (int id = of.begin; id < of.end; ++id) {
        products = products || (p.at(id).what == kind::contract && p.at(id).space == of.space);
    }
    int const voted = in.lane;
    if (!products || voted < 0) return;
    int best = voted;
    double least = moved(p, of, voted) * 0.7;
    for (int l = 0; l < in.rank; ++l) {
        if (l == voted || in.extent[l] < full_lanes) continue;
        double const n = moved(p, of, l);
        if (n < least) {
            least = n;
            best = l;
        }
    }
    p.loop(of.space).lane = best;
    choose_lanes_below(p, of.begin, of.end);
}

}  // namespace detail

// Lanes for the loops of one statement and of every node below it, outside in.
FELT_PLANNING inline void choose_lanes(loops& p, statement_facts const& to) {
    double votes[max_axes] = {};
    detail::vote(p, to.space, votes);
    loop_space const& in = p.loop(to.space);
    double n = 1;
    for (int l = 0; l < in.rank; ++l) n *= static_cast<double>(in.extent[l]);
    for (int l = 0; l < in.rank; ++l) {
        if (to.by_loop[l] == 1 && in.extent[l] > 1) votes[l] += 1.5 * n * to.value_bytes;
    }
    p.loop(to.space).lane = detail::winner(votes, p.loop(to.space));
    int const end = p.at(to.root).end;
    unsigned along = 0;
    for (int l = 0; l < in.rank; ++l) along |= to.by_loop[l] == 1 ? 1U << l : 0U;
    detail::choose_lanes_below(p, to.root, end);
    detail::reorient(p, {to.root, end, to.space, detail::elements(p.at(to.root)), along});
}

}  // namespace felt::planning

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
    // The reader's lanes last among the columns.
    int const lane = p.loop(f.space).lane;
    for (int c = 0; c + 1 < r.columns && lane >= 0; ++c) {
        if (f.at.coef[r.column[c]][lane] != 0) {
            int const label = r.column[c];
            for (int i = c; i + 1 < r.columns; ++i) r.column[i] = r.column[i + 1];
            r.column[r.columns - 1] = label;
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

// Whether an operand of product id is one matrix in memory that the loops walk through where it
// lies: terms of the left operand are contiguous, or columns of the right one. Rows 4 KiB apart
// fall into the same few lines of a first-level cache: then a left operand is packed that more
// than one strip of columns reads, and a right one that many strips of rows read.
inline bool lies_in_place(loops const& p, int id, contract_roles const& r, int side) {
    constexpr index_t many_rows = 256, many_columns = 32, page = 4096;
    node_facts const& f = p.at(id);
    bool const left = side == (f.swapped ? 1 : 0);
    if (r.shareds != 1 || (left ? r.rows : r.columns) != 1) return false;
    int x = side == 0 ? id + 1 : p.at(id + 1).end;
    while (p.at(x).what == kind::affine) ++x;
    int const lane = p.loop(f.inner + side).lane, along = left ? r.shared[0] : r.column[0];
    node_facts const& leaf = p.at(x);
    if (leaf.what != kind::leaf || lane != along || leaf.by_loop[along] != 1) return false;
    index_t readers = 1;
    for (int i = 0; left && i < r.columns; ++i) readers *= f.extent[r.column[i]];
    for (int i = 0; !left && i < r.rows; ++i) readers *= f.extent[r.row[i]];
    index_t const apart = leaf.by_loop[left ? r.row[0] : r.shared[0]] * leaf.value_bytes;
    return apart % page != 0 || readers <= (left ? many_columns : many_rows);
}

inline double elements(node_facts const& f) {
    double n = 1;
    for (int a = 0; a < f.rank; ++a) n *= static_cast<double>(f.extent[a]);
    return n;
}

inline void vote(loops const& p, int s, double* votes) {
    for (node_facts const& f : p.node) {
        if (f.space != s || f.what != kind::leaf) continue;
        for (int l = 0; l < p.loop(s).rank; ++l) {
            if (f.by_loop[l] == 1 && p.loop(s).extent[l] > 1) {
                votes[l] += elements(f) * f.value_bytes;
            }
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
        int const natural = natural_lane(p, id);
        votes[natural < 0 ? l : natural] += elements(f) * f.value_bytes;
    }
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
        // Each operand is read along its own axis, or along the last shared one and transposed.
        contract_roles const now = roles_of(p, id);
        for (int side = 0; side < 2; ++side) {
            int const s = f.inner + side;
            bool const is_left = side == (f.swapped ? 1 : 0);
            int const own = is_left ? (now.rows > 0 ? now.row[now.rows - 1] : -1) : now.lane;
            int const shared = now.shareds > 0 ? now.shared[now.shareds - 1] : -1;
            int const wanted = is_left ? shared : own;
            node_facts* const leaf = leaf_of(p, side == 0 ? id + 1 : p.at(id + 1).end);
            if (leaf != nullptr && wanted >= 0 && lay_along(*leaf, wanted)) {
                p.loop(s).lane = wanted;
                continue;
            }
            double votes[max_axes] = {};
            vote(p, s, votes);
            vote_for(p, s, own, votes);
            p.loop(s).lane = own < 0                            ? shared
                             : shared >= 0 && votes[shared] > votes[own] ? shared
                                                                : own;
        }
        return;
    }
    for (int x = id + 1, s = f.inner; x < f.end; x = p.at(x).end, ++s) {
        double votes[max_axes] = {};
        vote(p, s, votes);
        p.loop(s).lane = winner(votes, p.loop(s));
    }
}

}  // namespace detail

namespace detail {

// Lanes for every node of a statement whose own lanes are chosen.
inline void choose_lanes_below(loops& p, statement_facts const& to) {
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        p.at(id).swapped = false;
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
FELT_PLANNING inline double moved(loops& p, statement_facts const& to, int lane) {
    p.loop(to.space).lane = lane;
    choose_lanes_below(p, to);
    double n = to.by_loop[lane] == 1 ? 0 : elements(p.at(to.root));
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (f.what == kind::leaf && f.space == to.space && f.by_loop[lane] > 1) n += elements(f);
        if (f.what != kind::contract) continue;
        contract_roles const r = roles_of(p, id);
        n += idle(p, id, r);
        for (int side = 0, x = id + 1; side < 2; ++side, x = p.at(x).end) {
            bool const leaf = p.at(x).what == kind::leaf || p.at(x).what == kind::affine;
            if (leaf && !lies_in_place(p, id, r, side)) n += elements(p.at(x));
        }
    }
    return n;
}

// Where there are products of what lies in memory, other lanes may save more than they cost.
FELT_PLANNING inline void reorient(loops& p, statement_facts const& to) {
    constexpr index_t full_lanes = 16;
    loop_space const& in = p.loop(to.space);
    bool products = false;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        products = products || (p.at(id).what == kind::contract && p.at(id).space == to.space);
    }
    int const voted = in.lane;
    if (!products || voted < 0) return;
    int best = voted;
    double least = moved(p, to, voted) * 0.7;
    for (int l = 0; l < in.rank; ++l) {
        if (l == voted || in.extent[l] < full_lanes) continue;
        double const n = moved(p, to, l);
        if (n < least) {
            least = n;
            best = l;
        }
    }
    p.loop(to.space).lane = best;
    choose_lanes_below(p, to);
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
    detail::choose_lanes_below(p, to);
    detail::reorient(p, to);
}

}  // namespace felt::planning

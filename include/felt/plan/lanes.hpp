// SPDX-License-Identifier: BSD-3-Clause
//
// Which loop runs along the lanes of a vector: the one along which most bytes are contiguous.
// A contraction follows its reader: the side that the reader's lanes belong to becomes columns.
#pragma once
#include <felt/plan/roles.hpp>
#include <algorithm>

namespace felt::planning {

namespace detail {

// Loops too short for this leave lanes empty.
inline constexpr index_t full_lanes = 16;

inline int winner(double const* votes, loop_space const& in);
inline bool vote_or_follow(loops const& p, int s, double* votes, index_t near = 1);

// How many elements of a leaf lie one behind the other along loop l and those that go on where it
// ends: all of them are summed, or none is.
inline index_t run_length(loops const& p, node_facts const& f, int l) {
    loop_space const& in = p.loop(f.space);
    unsigned const summed = in.owner < 0 ? 0U : p.at(in.owner).mask;
    index_t n = in.extent[l];
    for (int k = 0; k < in.rank; ++k) {
        bool const goes_on = f.by_loop[k] == n && (summed >> k & 1U) == (summed >> l & 1U);
        if (k == l || in.extent[k] <= 1 || !goes_on) continue;
        n *= in.extent[k];
        k = -1;
    }
    return n;
}

// A box that is computed once lies as its own leaves want it.
inline void vote_of_once(loops const& p, node_facts const& f, double* votes) {
    double own[max_axes] = {};
    vote_or_follow(p, f.inner, own);
    int const axis = winner(own, p.loop(f.inner));
    for (int l = 0; l < f.at.loops && axis >= 0; ++l) {
        if (f.at.coef[axis][l] == 1) votes[l] += elements(f) * f.value_bytes;
    }
}

// Leaves vote for the loops along which they are contiguous; a loop that does not fill the lanes
// counts for less, and so does memory at every second element up to every `near`th.
inline void vote(loops const& p, int s, double* votes, index_t near = 1) {
    for (int id : p.read_in(s)) {
        node_facts const& f = p.at(id);
        if (f.what == kind::once && f.optional) vote_of_once(p, f, votes);
        if (f.what != kind::leaf) continue;
        for (int l = 0; l < p.loop(s).rank; ++l) {
            index_t const n = p.loop(s).extent[l], step = f.by_loop[l];
            if (step < 1 || step > near || n <= 1) continue;
            index_t const run = step == 1 ? run_length(p, f, l) : n;
            double const filled = static_cast<double>(std::min(run, full_lanes)) / full_lanes;
            votes[l] += elements(f) * f.value_bytes * (step == 1 ? filled : filled / 2);
        }
    }
}

// What is computed votes where nothing else does. Products do for rows or columns, which follow the
// lanes, but not for batches, each of which lies apart; columns go on in the next row.
inline void vote_of_computed(loops const& p, int s, double* votes) {
    for (int id : p.read_in(s)) {
        node_facts const& f = p.at(id);
        if (lies_as_operand(f) && !f.optional) vote_of_once(p, f, votes);
        if (f.what != kind::contract) continue;
        contract_roles const r = roles_of(p, id);
        for (int a = 0; a < f.rank; ++a) {
            bool const batch = std::count(r.batch, r.batch + r.batches, a) > 0;
            double const run = a + 1 < f.rank ? static_cast<double>(f.extent[a]) : elements(f);
            double const filled = std::min(run / full_lanes, 1.0);
            for (int l = 0; l < f.at.loops && !batch; ++l) {
                if (f.at.coef[a][l] == 1) votes[l] += elements(f) * f.value_bytes * filled;
            }
        }
    }
}

// False if nothing is to be read as it lies in memory.
inline bool vote_or_follow(loops const& p, int s, double* votes, index_t near) {
    vote(p, s, votes, near);
    if (std::any_of(votes, votes + max_axes, [](double n) { return n > 0; })) return true;
    vote_of_computed(p, s, votes);
    return false;
}

// Among equals the last loop, but for one too short to fill the lanes.
inline int winner(double const* votes, loop_space const& in) {
    int best = in.rank - 1;
    for (int l = in.rank - 1; l >= 0; --l) {
        bool const longer =
            votes[l] == votes[best] && in.extent[best] < 16 && in.extent[l] > in.extent[best];
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
    int const memory = memory_below(p, x);
    return memory >= 0 && p.at(memory).what == kind::leaf ? &p.at(memory) : nullptr;
}

// The axis of a view along which most of what its source is made of is contiguous; -1 if there is
// none.
inline int contiguous_axis(loops const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.what != kind::general) return -1;
    double votes[max_axes] = {};
    vote(p, f.inner, votes);
    int const a = winner(votes, p.loop(f.inner));
    if (a < 0 || votes[a] <= 0 || f.rule[a].divide != 1) return -1;
    axis_rule const& r = f.rule[a];
    if (r.out2 >= 0 && r.dilation == 1) return r.out2;
    return r.out1 >= 0 && r.stride == 1 ? r.out1 : -1;
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
    for (int id : p.read_in(s)) {
        node_facts const& f = p.at(id);
        bool const voted = f.what == kind::once && f.optional;
        if (f.by == way::streamed || voted) continue;
        int natural = natural_lane(p, id);
        if (natural < 0) natural = filled_along(p, id, l);
        votes[natural < 0 ? l : natural] += elements(f) * f.value_bytes;
    }
}

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
        int const a = f.what == kind::general ? followed_axis(f, l)
                      : lies_as_operand(f)    ? l
                                              : axis_of_loop(f, l);
        bool const follows = a == axis;
        if (follows) return l;
    }
    return -1;
}

// Whether boxes of views are read in the loops s: they lie as their reader wants them.
inline bool reads_boxes(loops const& p, int s) {
    return std::any_of(p.node.begin(), p.node.end(), [&](node_facts const& f) {
        return f.space == s && f.what == kind::general && f.by != way::streamed;
    });
}

// How long rows along loop l of node f are. Those of a reduction's results are joined.
inline index_t row_length(node_facts const& f, loop_space const& in, int l) {
    if (f.what != kind::reduce || axis_of_loop(f, l) < 0) return in.extent[l];
    index_t n = 1;
    for (int k = 0; k < in.rank; ++k) n *= axis_of_loop(f, k) < 0 ? 1 : in.extent[k];
    return n;
}

// The label with most votes, the last among equals; -1 if there is none.
inline int most_voted(double const* votes, int const* label, int count) {
    int best = count - 1;
    for (int i = count - 2; i >= 0; --i) {
        if (votes[label[i]] > votes[label[best]]) best = i;
    }
    return best < 0 ? -1 : label[best];
}

// An operand of a product is read along an axis of its own, or along a shared one and transposed.
// The roles are kept as they become.
inline void choose_operand_lanes(loops& p, int id, int side, contract_roles& r) {
    node_facts& f = p.at(id);
    int const s = f.inner + side;
    bool const left = side == (f.swapped ? 1 : 0);
    node_facts* const leaf = leaf_of(p, side == 0 ? id + 1 : p.at(id + 1).end);
    int own = left ? (r.rows > 0 ? r.row[r.rows - 1] : -1) : r.lane;
    int shared = r.shareds > 0 ? r.shared[r.shareds - 1] : -1;
    int const wanted = left ? shared : own;
    if (leaf != nullptr && wanted >= 0 && lay_along(*leaf, wanted)) {
        p.loop(s).run_along(wanted);
        return;
    }
    double votes[max_axes] = {};
    vote(p, s, votes);
    vote_for(p, s, own, votes);
    if (left) {
        own = f.last_row = most_voted(votes, r.row, r.rows);
        put_last(r.row, r.rows, own);
    }
    int const most = most_voted(votes, r.shared, r.shareds);
    if (f.last_shared < 0 && most >= 0 && votes[most] > 0) {
        f.last_shared = most;
        put_last(r.shared, r.shareds, most);
    }
    if (most >= 0) shared = most;
    bool const across = own < 0 || (shared >= 0 && votes[shared] > votes[own]);
    p.loop(s).run_along(across ? shared : own);
}

}  // namespace detail
}  // namespace felt::planning

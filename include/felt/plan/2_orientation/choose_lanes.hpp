// SPDX-License-Identifier: BSD-3-Clause
//
// Which loop runs along the lanes of a vector: the one along which most bytes are contiguous.
// A contraction follows its reader: the side that the reader's lanes belong to becomes columns.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/2_orientation/contraction_axes.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

namespace detail {

inline loop_id winner(double const* votes, loop_space const& in);
inline bool vote_or_follow(graph const& g, schedule const& s, space_id sp, double* votes,
                           index_t near = 1);

// How many elements of leaf id lie one behind the other along loop l and those that go on where it
// ends: all of them are summed, or none is.
inline index_t run_length(graph const& g, schedule const& s, node_id id, loop_id l) {
    loop_space const& in = g[g[id].space];
    index_t const* const by_loop = by_loop_of(g, s, id);
    unsigned const summed = in.owner ? g[in.owner].mask : 0U;
    index_t n = in.extent[l];
    for (loop_id k{0}; k < in.rank; ++k) {
        bool const continues_row = by_loop[k] == n && (summed >> k & 1U) == (summed >> l & 1U);
        if (k == l || in.extent[k] <= 1 || !continues_row) continue;
        n *= in.extent[k];
        k = {};  // from the first loop on
    }
    return n;
}

// A box that is computed once lies as its own leaves want it.
inline void vote_of_once(graph const& g, schedule const& s, node_id id, double* votes) {
    node const& f = g[id];
    double own[max_axes] = {};
    vote_or_follow(g, s, f.inner, own);
    axis_id const axis(winner(own, g[f.inner]));
    for (loop_id l{0}; l < f.at.loops && axis >= 0; ++l) {
        if (f.at.coef[axis][l] == 1) votes[l] += elements(f) * f.value_bytes;
    }
}

// Leaves vote for the loops along which they are contiguous; a loop that does not fill the lanes
// counts for less, and so does memory at every second element up to every `near`th.
inline void vote(graph const& g, schedule const& s, space_id sp, double* votes, index_t near = 1) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (f.what == kind::once && f.optional) vote_of_once(g, s, id, votes);
        if (f.what != kind::leaf) continue;
        for (loop_id l : g[sp].loops()) {
            index_t const n = g[sp].extent[l], step = by_loop_of(g, s, id)[l];
            if (step < 1 || step > near || n <= 1) continue;
            index_t const run = step == 1 ? run_length(g, s, id, l) : n;
            double const filled = static_cast<double>(std::min(run, full_lanes)) / full_lanes;
            votes[l] += elements(f) * f.value_bytes * (step == 1 ? filled : filled / 2);
        }
    }
}

// What is computed votes where nothing else does. Products do for rows or columns, which follow the
// lanes, but not for batches, each of which lies apart; columns go on in the next row.
inline void vote_of_computed(graph const& g, schedule const& s, space_id sp, double* votes) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (lies_as_operand(f) && !f.optional) vote_of_once(g, s, id, votes);
        if (f.what != kind::contract) continue;
        unsigned const batches = g[f.product].labels[0] & g[f.product].labels[1];
        for (axis_id a : f.axes()) {
            bool const batch = (batches >> a & 1U) != 0;
            double const run = a + 1 < f.rank ? static_cast<double>(f.extent[a]) : elements(f);
            double const filled = std::min(run / full_lanes, 1.0);
            for (loop_id l{0}; l < f.at.loops && !batch; ++l) {
                if (f.at.coef[a][l] == 1) votes[l] += elements(f) * f.value_bytes * filled;
            }
        }
    }
}

// False if nothing is to be read as it lies in memory.
inline bool vote_or_follow(graph const& g, schedule const& s, space_id sp, double* votes,
                           index_t near) {
    vote(g, s, sp, votes, near);
    if (std::any_of(votes, votes + max_axes, [](double n) { return n > 0; })) return true;
    vote_of_computed(g, s, sp, votes);
    return false;
}

// Among equals the last loop, but for one too short to fill the lanes.
inline loop_id winner(double const* votes, loop_space const& in) {
    loop_id best{in.rank - 1};
    for (loop_id l{in.rank - 1}; l >= 0; --l) {
        bool const longer = votes[l] == votes[best] && in.extent[best] < full_lanes &&
                            in.extent[l] > in.extent[best];
        if (votes[l] > votes[best] || longer) best = l;
    }
    return best;
}

// What is packed lies along loop l, if an axis of its own follows it: whether it does.
inline bool lay_along(graph const& g, schedule& s, node_id id, loop_id l) {
    node const& f = g[id];
    for (axis_id a : f.axes()) {
        if (f.lie_along == nullptr || f.at.coef[a][l] != 1) continue;
        schedule::lie_along(f, s[id], a);
        return true;
    }
    return false;
}

// The leaf that is operand x of a product, or a view of it; none if there is none.
inline node_id leaf_of(graph const& g, node_id x) {
    node_id const memory = memory_below(g, x);
    return memory && g[memory].what == kind::leaf ? memory : node_id{};
}

// The axis of a view along which most of what its source is made of is contiguous; -1 if there is
// none. What is gathered comes row by row along any axis but the one that is indexed.
inline axis_id contiguous_axis(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    if (f.what != kind::general && f.what != kind::gather) return {};
    double votes[max_axes] = {};
    vote(g, s, f.inner, votes);
    axis_id const a(winner(votes, g[f.inner]));  // of the source, whose loops these are
    if (f.what == kind::gather) return a >= 0 && votes[a] > 0 && a != f.axis ? a : axis_id{};
    if (a < 0 || votes[a] <= 0 || f.rule[a].divide != 1) return {};
    return axis_in_step(f.rule[a]);
}

// The loop along which a box of scratch is filled as its source lies in memory: l if that is one;
// -1 if there is none.
inline loop_id filled_along(graph const& g, schedule const& s, node_id id, loop_id l) {
    node const& f = g[id];
    axis_id const axis = contiguous_axis(g, s, id);
    if (axis < 0) return {};
    if (l >= 0 && f.at.coef[axis][l] == 1) return l;
    for (loop_id other : f.at.all_loops()) {
        if (f.at.coef[axis][other] == 1) return other;
    }
    return {};
}

// The loop along which a product can take an operand as it lies in memory; -1 if there is none.
inline loop_id natural_lane(graph const& g, node_id id) {
    node const& f = g[id];
    for (int side = 0; f.what == kind::contract && side < 2; ++side) {
        node const& operand = g[g.operand(id, side)];
        for (axis_id a{0}; a < operand.rank && operand.what == kind::leaf; ++a) {
            label_id const label(f.label[side][a]);
            bool const settled = operand.lie_along == nullptr && operand.stride[a] == 1;
            if (!settled || operand.extent[a] <= 1 || label >= f.rank) continue;
            for (loop_id l : f.at.all_loops()) {
                if (f.at.coef[label][l] == 1) return l;
            }
        }
    }
    return {};
}

// What is computed into scratch votes for the loop that suits itself, else for l, the one that
// suits its reader.
inline void vote_for(graph const& g, schedule const& s, space_id sp, loop_id l, double* votes) {
    if (l < 0) return;
    votes[l] += reader_votes;
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (s[id].by == way::streamed || f.what == kind::once) continue;
        loop_id natural = natural_lane(g, id);
        if (natural < 0) natural = filled_along(g, s, id, l);
        votes[natural < 0 ? l : natural] += elements(f) * f.value_bytes;
    }
}

// The loop over operand x of node id that the lanes of id's reader follow; -1 if none does.
inline loop_id followed_loop(graph const& g, schedule const& s, node_id id, node_id x) {
    node const& f = g[id];
    loop_id const lane = s[f.space].lane;
    axis_id axis;
    for (axis_id a{0}; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) axis = a;
    }
    if (axis < 0) return {};
    for (loop_id l{0}; l < g[x].rank; ++l) {
        int const a = f.what == kind::general ? followed_axis(f, l)
                      : lies_as_operand(f)    ? l
                                              : axis_of_loop(f, l);
        if (a == axis) return l;
    }
    return {};
}

// Whether boxes of views are read in the loops sp: they lie as their reader wants them.
inline bool reads_boxes(graph const& g, schedule const& s, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (g[id].what == kind::general && s[id].by != way::streamed) return true;
    }
    return false;
}

// How long rows along loop l of node f are. Those of a reduction's results are joined.
inline index_t row_length(node const& f, loop_space const& in, loop_id l) {
    if (f.what != kind::reduce || axis_of_loop(f, l) < 0) return in.extent[l];
    index_t n = 1;
    for (loop_id k : in.loops()) n *= axis_of_loop(f, k) < 0 ? 1 : in.extent[k];
    return n;
}

// The label with most votes, the last among equals; -1 if there is none.
inline label_id most_voted(double const* votes, label_list const& of) {
    label_id best = of.last();
    for (int i = of.count - 2; i >= 0; --i) {
        if (votes[of[i]] > votes[best]) best = of[i];
    }
    return best;
}

// An operand of a product is read along an axis of its own, or along a shared one: that axis comes
// last of its labels. What has no memory to follow lies as the tiles want it: columns along
// themselves and rows along the terms, which then need no packing; but windows, of which rows and
// terms move alike, along the rows. `terms_settled`: the other operand has chosen the last term.
inline void choose_operand_lanes(graph const& g, schedule& s, node_id id, int side,
                                 bool& terms_settled) {
    product_schedule& p = s[g[id].product];
    space_id const sp = g[id].inner + side;
    bool const left = p.is_left(side);
    label_list &rows = p.axes.m, &terms = p.axes.k;
    node_id const leaf = leaf_of(g, g.operand(id, side));
    label_id own = left ? rows.last() : p.axes.n.last();
    label_id shared = terms.last();
    loop_id const wanted(left ? shared : own);
    if (leaf && wanted >= 0 && lay_along(g, s, leaf, wanted)) {
        s[sp].run_along(wanted);
        return;
    }
    double votes[max_axes] = {};
    vote(g, s, sp, votes);
    for (node_id x : g.read_in(sp)) {
        if (g[x].what == kind::once && !g[x].optional) vote_of_once(g, s, x, votes);
    }
    vote_for(g, s, sp, left && reads_boxes(g, s, sp) ? loop_id(own) : wanted, votes);
    if (left) rows.put_last(own = most_voted(votes, rows));
    label_id const most = most_voted(votes, terms);
    if (!terms_settled && most >= 0 && votes[most] > 0) {
        terms_settled = true;
        terms.put_last(most);
    }
    if (most >= 0) shared = most;
    bool const rows_of_scores = left && g[id].carries_softmax;
    bool const across = own < 0 || rows_of_scores || (shared >= 0 && votes[shared] > votes[own]);
    s[sp].run_along(loop_id(across ? shared : own));
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning

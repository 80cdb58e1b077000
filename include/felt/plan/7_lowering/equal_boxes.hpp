// SPDX-License-Identifier: BSD-3-Clause
//
// Common sub-expressions whose boxes are known: all of them sum in the order of the first, and the
// first holds what the others look for in its box.
#pragma once
#include <felt/plan/2_orientation/contraction_axes.hpp>
#include <felt/plan/5_hoisting/loop_counts.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Loops of a space, as of the space `like`, which has as many.
inline void loop_like(graph const& g, schedule& s, space_id sp, space_id like) {
    loop_schedule& to = s[sp];
    loop_schedule const& of = s[like];
    int const rank = g[like].rank;
    to.lane = of.lane, to.columns = of.columns;
    std::copy(of.block, of.block + rank, to.block);
    std::copy(of.order, of.order + rank, to.order);
}

// Product id is oriented and blocked as its equal, `like`, is.
inline void multiply_like(graph const& g, schedule& s, node_id id, node_id like) {
    product_schedule& to = s[g[id].product];
    index_t const most_terms = to.most_terms;
    bool const direct = to.direct;
    to = s[g[like].product];
    to.most_terms = most_terms, to.direct = direct;
    put_lanes_last(g, s, id, to.axes.n);
}

// What node id has below it is summed in the loops and the order that its equal, `like`, has.
FELT_PLANNING inline void sum_like(graph const& g, schedule& s, node_id id, node_id like) {
    for (node_id x : g.subtree(id)) {
        node const& f = g[x];
        placement& to = s[x];
        placement const& of = s[like + (x - id)];
        if (f.what == kind::contract) multiply_like(g, s, x, like + (x - id));
        if (f.lie_along != nullptr && x != id) {
            to.along = of.along, to.offset = of.offset;
            std::copy(of.stride, of.stride + max_axes, to.stride);
            std::copy(of.by_loop, of.by_loop + max_axes, to.by_loop);
        }
        if (!f.inner) continue;
        for (node_id c : g.operands(x)) loop_like(g, s, g[c].space, g[like + (c - id)].space);
    }
}

// Equal nodes compute equal bits: which of them has a value depends on the boxes that were asked
// for before, and so on how the loops are shared out among threads. Nodes of a pass, once their
// loops are cut.
FELT_PLANNING inline void sum_alike(graph const& g, schedule& s, node_id begin, node_id end) {
    for (node_id id = begin, next; id < end; id = next) {
        node_id const slot = s[id].slot;
        bool const equal = slot && slot != id;
        next = equal ? g[id].end : id + 1;
        // What lies in a destination has the orientation of that.
        if (equal && s[id].reused == nullptr) sum_like(g, s, id, slot);
    }
}

// Whether a view reads node id, or what reads it: at a border it may ask for less than a block.
// Strips and parts of what sums it ask for less on purpose, and each for other elements.
inline bool is_below_view(graph const& g, schedule const& s, node_id id) {
    bool view = false;
    for (node_id x = g[g[id].space].owner; x; x = g[g[x].space].owner) {
        node const& f = g[x];
        if (s[x].strip >= 0) return false;
        view = view || trait_of(f).takes_boxes;
    }
    return view;
}

// The axes along which node id goes with a loop that tasks cut, a bit each.
inline unsigned axes_of_tasks(graph const& g, schedule const& s, statement_id k, tasks const& t,
                              node_id id) {
    if (t.count == 1) return 0;
    loop_nests const around(g, s, g[k].root, g[k].space, 0, t);
    unsigned axes = 0;
    for (axis_id a : g[id].axes()) {
        bool const moves = (around.of(id).axis_moves[a] & around.over(g[k].space).around.anew) != 0;
        axes |= unsigned{moves} << a;
    }
    return axes;
}

// What equal nodes of statement k, shared out by t, look for in the box of the first of them, which
// a border may have cut: all along the axes of which it has room for all.
FELT_PLANNING inline void find_wanted_by_equal(graph const& g, schedule& s, statement_id k,
                                               tasks const& t) {
    node_id const root = g[k].root;
    for (node_id id : g.subtree(root)) {
        placement& f = s[id];
        f.wanted_by_equal = 0;
        if (f.by != way::scratch || !f.slot || f.slot == id) continue;
        placement& first = s[f.slot];
        if (f.recomputed || first.by != way::scratch || first.strip >= 0) continue;
        if (first.strip_axis >= 0 || first.carried || !is_below_view(g, s, f.slot)) continue;
        if (first.reused != nullptr) continue;
        node const& of = g[f.slot];
        unsigned const cut = axes_of_tasks(g, s, k, t, f.slot);
        for (axis_id a : of.axes()) {
            bool const whole = first.held[a] == of.extent[a] && (cut >> a & 1U) == 0;
            first.wanted_by_equal |= unsigned{whole} << a;
        }
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

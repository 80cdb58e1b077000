// SPDX-License-Identifier: BSD-3-Clause
//
// Common sub-expressions: equal nodes, of which one is computed. On the host they share what the
// first of them holds, as long as both are asked for the same elements: where their axes follow the
// loops that both are read in by the same map.
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning::detail {

// The first node that is equal to node id, of those from `begin` on that `accept` takes; none if
// there is none before id.
template <class Accept>
node_id first_equal(graph const& g, node_id begin, node_id id, Accept const& accept) {
    for (node_id a = begin; a < id; ++a) {
        if (accept(a) && same_value(g, a, id)) return a;
    }
    return {};
}
// The same, of those whose value node id still has.
template <class Accept>
node_id first_unchanged(graph const& g, node_id begin, node_id id, Accept const& accept) {
    node_id a = first_equal(g, begin, id, accept);
    while (a && is_overwritten(g, a, id)) a = first_equal(g, a + 1, id, accept);
    return a;
}

// An axis: offset + sum over the loops l of a space of coef[l] * loop[l].
struct axis_by_loops {
    space_id space;
    index_t offset;
    index_t coef[max_axes];

    bool operator==(axis_by_loops const&) const = default;
};

inline axis_by_loops axis_of(node const& f, axis_id a) {
    axis_by_loops x{f.space, f.at.offset[a], {}};
    std::copy(f.at.coef[a], f.at.coef[a] + f.at.loops, x.coef);
    return x;
}

// The same axis by the loops further out, in which the owner of its own is read; false if there are
// none, or if it runs while the box of the owner stays.
FELT_PLANNING inline bool lift(graph const& g, axis_by_loops& x) {
    loop_space const& in = g[x.space];
    if (!in.owner) return false;
    node const& around = g[in.owner];
    axis_by_loops up{around.space, x.offset, {}};
    for (loop_id l : in.loops()) {
        if (x.coef[l] == 0) continue;
        axis_id const axis = axis_of_loop(around, l);
        if (axis < 0) return false;
        up.offset += x.coef[l] * around.at.offset[axis];
        for (loop_id o : around.at.all_loops()) up.coef[o] += x.coef[l] * around.at.coef[axis][o];
    }
    x = up;
    return true;
}

// The loops of every space around the first of two equal nodes that its axes follow.
FELT_PLANNING inline void find_equal_axes(graph const& g, schedule& s, node_id id) {
    node const& first = g[s[id].slot];
    for (axis_id a : first.axes()) {
        axis_by_loops x = axis_of(first, a);
        do {
            unsigned follows = 0;
            for (loop_id l : g[x.space].loops()) follows |= x.coef[l] != 0 ? 1U << l : 0U;
            if (follows != 0) s.equal_axes.push_back({id, a, x.space, follows});
        } while (lift(g, x));
    }
}

// Equal nodes of the statements of one pass share what is computed.
inline void find_common_subexpressions(graph const& g, schedule& s, pass_facts const& pass) {
    node_id const begin = g[pass.first].root, end = g[g[pass.last - 1].root].end;
    s.equal_axes.clear();
    for (node_id b = begin; b < end; ++b) {
        if (s[b].by == way::streamed) continue;
        auto const is_held = [&](node_id a) { return s[a].by != way::streamed; };
        node_id const first = first_unchanged(g, begin, b, is_held);
        s[b].slot = first ? first : b;
        if (first) find_equal_axes(g, s, b);
    }
}

// Whether an axis that can't be lifted runs with the strips of a pass: in the loops of a statement,
// or along what a node sums over strip by strip.
inline bool follows_strip(graph const& g, schedule const& s, axis_by_loops const& x) {
    loop_space const& in = g[x.space];
    if (!in.owner) return true;
    loop_id const strip = s[in.owner].strip;
    for (loop_id l : in.loops()) {
        if (x.coef[l] != 0 && l != strip) return false;
    }
    return strip >= 0;
}

// Whether the owner of the loops that x follows asks for all of its box at once. If not, what is
// read there holds the last piece of it, when the owner is done.
inline bool is_in_one_piece(graph const& g, schedule const& s, axis_by_loops const& x) {
    loop_space const& in = g[x.space];
    for (loop_id l{0}; l < in.rank && in.owner; ++l) {
        axis_id const axis = x.coef[l] == 0 ? axis_id() : axis_of_loop(g[in.owner], l);
        if (axis >= 0 && s[x.space].block[l] < s[in.owner].held[axis]) return false;
    }
    return true;
}

// Whether axis a of two equal nodes is asked for by the same indices: by the same map in loops that
// both are read in, or in the strips of two statements of a pass. `cut`: the blocks of the loops
// below are known.
FELT_PLANNING inline bool move_together(graph const& g, schedule const& s, node_id id,
                                        node_id equal, axis_id a, bool cut) {
    axis_by_loops x, y = axis_of(g[equal], a);
    do {
        x = axis_of(g[id], a);
        do {
            if (x.space == y.space) return x == y;
        } while (lift(g, x));
        if (cut && !is_in_one_piece(g, s, y)) return false;
    } while (lift(g, y));
    return follows_strip(g, s, x) && follows_strip(g, s, y);
}

// Whether two nodes are on both sides of a product. Which is asked first is the product's affair.
inline bool on_both_sides(graph const& g, node_id a, node_id b) {
    for (node_id id = 0; id < a; ++id) {
        if (g[id].what != kind::contract) continue;
        node_id const right = g.operand(id, 1);
        if (a < right && right <= b && b < g[id].end) return true;
    }
    return false;
}

// Whether the box x that node id is asked for always lies in the box that an equal node holds then.
inline bool held_by_equal(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    node_id const equal = s[id].slot;
    if (s[equal].by == way::hoisted || s[id].strip_axis >= 0) return true;
    if (on_both_sides(g, equal, id)) return false;
    for (axis_id a : f.axes()) {
        index_t const held = s[equal].held[a];
        if (x[a] > held) return false;
        if (held != f.extent[a] && !move_together(g, s, id, equal, a, true)) return false;
    }
    return true;
}

}  // namespace felt::inline FELT_ABI::planning::detail

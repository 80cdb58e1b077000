// SPDX-License-Identifier: BSD-3-Clause
//
// A statement that stands alone is cut into blocks; what would be computed too often is computed
// first, as a whole.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/4_destination_reuse/destination_reuse.hpp>
#include <felt/plan/5_hoisting/hoist.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Whether labels that count as one in a product are one axis of the destination too.
inline bool one_axis(destination const& to, label_list const& of) {
    for (int i = 0; i + 1 < of.count; ++i) {
        if (to.stride[of[i]] != to.stride[of[i + 1]] * to.extent[of[i + 1]]) return false;
    }
    return true;
}

// Whether the product at the root can be written where it belongs: columns are contiguous there.
FELT_PLANNING inline bool stores_itself(graph const& g, schedule const& s, statement_id k) {
    destination const& to = g[k];
    node const& f = g[to.root];
    if (f.what != kind::contract || f.rank != to.rank) return false;
    contraction_axes const& axes = s[f.product].axes;
    return axes.n.count > 0 && to.by_loop[axes.n.last()] == 1 && one_axis(to, axes.n) &&
           one_axis(to, axes.m);
}

// A product whose operands are computed takes them for fewer terms at a time; whether it could.
inline bool take_fewer_terms(graph const& g, schedule& s, statement_id k) {
    for (node_id id : g.nodes_of(k)) {
        node const& f = g[id];
        if (f.what != kind::contract || f.space != g[k].space || s[id].by != way::scratch) continue;
        product_schedule& p = s[f.product];
        bool const computed = is_computed(g, s, f.inner) || is_computed(g, s, f.inner + 1);
        if (!computed || p.kc <= least_terms) continue;
        if (footprint_of(g, s, id).bytes <= scratch_limit / 2) continue;
        p.most_terms = std::max(least_terms, p.kc / 2);
        return true;
    }
    return false;
}

// The node read in a statement's loops whose box takes most scratch, or in those of a product that
// is written where it belongs; none if there is none.
inline node_id largest_box(graph const& g, schedule const& s, statement_id k) {
    index_t largest = 0;
    node_id found;
    space_id const own = g[k].space, inner = g[g[k].root].inner;
    bool const inside = stores_itself(g, s, k);
    id_range<space_id> const here{inside ? inner : own, (inside ? inner + 1 : own) + 1};
    for (node_id id : g.nodes_of(k)) {
        if (!here.contains(g[id].space) || s[id].by != way::scratch) continue;
        index_t const bytes = footprint_of(g, s, id).bytes;
        if (bytes <= largest) continue;
        largest = bytes;
        found = id;
    }
    return found;
}

// Whether boxes of scan `id` can go on from each other: a loop of the statement runs along its
// axis.
inline bool may_carry(graph const& g, schedule const& s, statement_id k, node_id id) {
    node const& f = g[id];
    if (f.what != kind::scan || s[id].carried || f.space != g[k].space ||
        has_equal_node(g, s, k, id))
        return false;
    if (s[id].slot != id) return false;
    int along = 0;
    bool forward = true;
    for (loop_id l : f.at.all_loops()) {
        along += f.at.coef[f.whole][l] != 0;
        forward = forward && f.at.coef[f.whole][l] >= 0;
    }
    return along == 1 && forward;
}

// A scan of which boxes would not go on from each other, for the order of the loops; none if there
// is none.
inline node_id interrupted(graph const& g, schedule const& s, statement_id k) {
    space_id const sp = g[k].space;
    for (node_id id : g.read_in(sp)) {
        bool const carried = s[id].carried && s[id].by == way::scratch;
        if (carried && recompute(g, s, sp, id, s[sp].order, s[sp].block) > 1) return id;
    }
    return {};
}

// Cut the loops; while that computes something more than 1.5 times, hoist the value that wastes
// most.
FELT_PLANNING inline void cut(graph const& g, schedule& s, statement_id k) {
    node_id const root = g[k].root;
    space_id const sp = g[k].space, inner = g[root].inner;
    for (;;) {
        // A product of what lies in memory blocks itself and needs no loops around it.
        bool const alone =
            stores_itself(g, s, k) && !is_computed(g, s, inner) && !is_computed(g, s, inner + 1);
        if (alone) {
            tile_space(g, s, sp, g[sp].extent);
            s[g[root].product].direct = !s[k].temporary;
            return;
        }
        choose_tile(g, s, sp, g[sp].extent, scratch_limit);
        bool const too_large = !footprint_of(g, s, sp).fits(scratch_limit);
        if (reuse_destination_for_product(g, s, k)) continue;
        node_id const waste = find_waste(g, s, root, sp);
        if ((waste || too_large) && take_fewer_terms(g, s, k)) continue;
        if (waste) {
            hoist(g, s, k, waste, "inside of its loops it would be computed more than 1.5 times");
            continue;  // blocks anew
        }
        if (node_id const broken = interrupted(g, s, k)) {
            hoist(g, s, k, broken, "its boxes do not follow each other in the loops");
            continue;
        }
        node_id const largest = too_large ? largest_box(g, s, k) : node_id{};
        if (!largest) return;
        if (may_carry(g, s, k, largest)) {
            s[largest].carried = true;
            continue;
        }
        hoist(g, s, k, largest, "its block does not fit in scratch");
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

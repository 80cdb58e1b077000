// SPDX-License-Identifier: BSD-3-Clause
//
// Whether what statements share (expr/share.hpp) is computed once: only if there are equal nodes,
// if each of them finds in the first one's box what it reads, and if that pays. Vectors compute an
// exp in about the time of a store and a load: boxes of short rows cost more, and so do those that
// are no part of the destination where memory is what the loops wait for.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/pipeline.hpp>
#include <felt/plan/make_plan.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Whether a sum reads node id.
inline bool is_summed(graph const& g, node_id id) {
    for (node_id x = 0; x < id; ++x) {
        if (g[x].end > id && trait_of(g[x]).sums) return true;
    }
    return false;
}

// Whether every node that was marked has an equal one; in a group: and whether the first of them
// is all of a statement, or sums read it. Plans are not made in vain.
FELT_PLANNING_SELDOM inline bool may_pay(graph const& g, bool group) {
    auto const is_marked = [&](node_id id) { return g[id].optional; };
    for (node_id a : g.nodes.ids()) {
        if (!g[a].optional || first_equal(g, 0, a, is_marked)) continue;
        bool alone = true, root = false;
        for (node_id b = a + 1; b < g.nodes.end_id() && alone; ++b) {
            alone = !g[b].optional || !same_value(g, a, b);
        }
        for (destination const& to : g.statements) root = root || to.root == a;
        if (alone || (group && !root && !is_summed(g, a))) return false;
    }
    return true;
}

inline bool has_long_rows(loop_space const& in, loop_schedule const& how) {
    if (how.lane < 0 || in.extent[how.lane] < short_row) return false;
    return how.block[how.lane] >= std::min(in.extent[how.lane], long_row);
}

// Whether all that equal node `first` read its box, and whether that is cheaper.
FELT_PLANNING_SELDOM inline bool pays(graph const& g, schedule const& s, node_id first) {
    node const& owner = g[first];
    placement const& how = s[first];
    if (how.by != way::scratch) return false;
    if (how.strip_axis >= 0) return true;
    if (!has_long_rows(g[owner.inner], s[owner.inner])) return false;
    bool const cheap = owner.work < shared_cost * elements(owner);
    bool const small = elements_of(owner) * owner.value_bytes <= shared_in_cache;
    bool const at_hand =
        how.reused != nullptr && product(how.held, owner.rank) * owner.value_bytes <= scratch_limit;
    if (cheap && !small && !at_hand) return false;
    int readers = 0;
    for (node_id id : g.nodes.ids()) {
        if (id == first || !g[id].optional || s[id].slot != first) continue;
        if (s[id].by != way::scratch || s[id].recomputed) return false;
        ++readers;
    }
    return readers > 0;
}

FELT_PLANNING_SELDOM inline bool all_pay(graph const& g, schedule const& s) {
    for (node_id id : g.nodes.ids()) {
        if (g[id].optional && !pays(g, s, s[id].slot)) return false;
    }
    return true;
}

FELT_PLANNING_SELDOM inline std::optional<plan> make_shared_plan(any_statement const* s,
                                                                 std::size_t count) {
    plan p;
    p.g.choice = choice_of_this_thread();
    for (std::size_t k = 0; k < count; ++k) s[k].add(p.g, s[k].self);
    if (!may_pay(p.g, count > 1)) return {};
    recent_plans::of_this_thread().arrange(p, arrange);
    if (!all_pay(p.g, p.s)) return {};
    return p;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning

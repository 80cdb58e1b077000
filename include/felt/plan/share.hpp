// SPDX-License-Identifier: BSD-3-Clause
//
// Whether what statements share (expr/share.hpp) is computed once: only if there are equal nodes,
// if each of them finds in the first one's box what it reads, and if that pays. Vectors compute an
// exp in about the time of a store and a load: boxes of short rows cost more, and so do those that
// are no part of the destination where memory is what the loops wait for.
#pragma once
#include <felt/plan/arrange.hpp>
#include <felt/plan/make_plan.hpp>

namespace felt::planning {

namespace detail {

inline int first_equal(graph const& g, int id) {
    for (int a = 0; a < id; ++a) {
        if (g[static_cast<std::size_t>(a)].optional && same_value(g, a, id)) return a;
    }
    return id;
}

// Whether a sum reads node id.
inline bool is_summed(plan const& p, int id) {
    for (int x = 0; x < id; ++x) {
        kind const what = p.at(x).what;
        if (p.at(x).end > id && (what == kind::reduce || what == kind::contract)) return true;
    }
    return false;
}

// Whether every node that was marked has an equal one; in a group: and whether the first of them
// is all of a statement, or sums read it. Plans are not made in vain.
FELT_PLANNING_SELDOM inline bool may_pay(plan const& p, bool group) {
    int const count = static_cast<int>(p.node.size());
    for (int a = 0; a < count; ++a) {
        if (!p.at(a).optional || first_equal(p.node, a) != a) continue;
        bool alone = true, root = false;
        for (int b = a + 1; b < count && alone; ++b) {
            alone = !p.at(b).optional || !same_value(p.node, a, b);
        }
        for (statement_facts const& to : p.statement) root = root || to.root == a;
        if (alone || (group && !root && !is_summed(p, a))) return false;
    }
    return true;
}

inline bool has_long_rows(loop_space const& in) {
    constexpr index_t short_row = 64, long_row = 512;
    if (in.lane < 0 || in.extent[in.lane] < short_row) return false;
    return in.block[in.lane] >= std::min(in.extent[in.lane], long_row);
}

// Whether all that equal node `first` read its box, and whether that is cheaper.
FELT_PLANNING_SELDOM inline bool pays(plan const& p, int first) {
    constexpr index_t in_cache = index_t{1} << 20, dear = 24;
    node_facts const& owner = p.at(first);
    if (owner.by != way::scratch) return false;
    if (owner.strip_axis >= 0) return true;
    if (!has_long_rows(p.loop(owner.inner))) return false;
    bool const cheap = owner.work < dear * elements(owner);
    bool const small = elements_of(owner) * owner.value_bytes <= in_cache;
    bool const at_hand = owner.home != nullptr &&
                         product(owner.held, owner.rank) * owner.value_bytes <= scratch_limit;
    if (cheap && !small && !at_hand) return false;
    int readers = 0;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        node_facts const& f = p.at(id);
        if (id == first || !f.optional || f.slot != first) continue;
        if (f.by != way::scratch || f.scratch_bytes > 0) return false;
        ++readers;
    }
    return readers > 0;
}

FELT_PLANNING_SELDOM inline bool all_pay(plan const& p) {
    for (node_facts const& f : p.node) {
        if (f.optional && !pays(p, f.slot)) return false;
    }
    return true;
}

FELT_PLANNING_SELDOM inline std::optional<plan> make_shared_plan(any_statement const* s,
                                                                 std::size_t count) {
    plan p;
    for (std::size_t k = 0; k < count; ++k) s[k].add(p, s[k].self);
    if (!may_pay(p, count > 1)) return {};
    recent_plans::of_this_thread().arrange(p, arrange);
    if (!all_pay(p)) return {};
    return p;
}

}  // namespace detail

}  // namespace felt::planning

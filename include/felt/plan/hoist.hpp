// SPDX-License-Identifier: BSD-3-Clause
//
// Hoisting: a value is computed before the loops, as a whole, into a buffer. Equal nodes read it.
#pragma once
#include <felt/plan/plan.hpp>
#include <felt/plan/times.hpp>

namespace felt::planning::detail {

inline void hoist_node(plan& p, int id, char const* why) {
    node_facts& f = p.at(id);
    f.why = why;
    f.by = way::hoisted;
    for (int x = id; x < f.end; ++x) p.at(x).home = nullptr;
    if (f.inner < 0) return choose_block(p, f.space, f.extent, scratch_limit);
    own_need(p, id, f.extent);
    f.chunk[0] = std::min(f.chunk[0], pack_rows);
}

// Node id, and all that are equal.
FELT_PLANNING inline void hoist(plan& p, int id, char const* why) {
    hoist_node(p, id, why);
    for (int x = 0; x < static_cast<int>(p.node.size()); ++x) {
        if (x != id && p.at(x).slot == id) hoist_node(p, x, why);
    }
}

// Whether node id could be computed first.
inline bool may_hoist(plan const& p, statement_facts const& to, int id, int parent) {
    node_facts const& f = p.at(id);
    bool const first = f.slot < 0 || f.slot == id;
    return id != to.root && first && f.by != way::hoisted && makes_values(p, id, parent);
}

// Everything that has loops of its own is computed first, the innermost before what reads it.
FELT_PLANNING inline void hoist_all(plan& p, statement_facts const& to, char const* why) {
    std::vector<int> all;
    for_each_node(p, to.root, -1, [&](int id, int parent) {
        if (may_hoist(p, to, id, parent)) all.push_back(id);
    });
    for (auto id = all.rbegin(); id != all.rend(); ++id) hoist(p, *id, why);
}

}  // namespace felt::planning::detail

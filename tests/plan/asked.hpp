// SPDX-License-Identifier: BSD-3-Clause
//
// What tests ask of a plan, while the statements that it was made for live: labels and the maps of
// views are read where they lie.
#pragma once
#include <algorithm>
#include <felt/felt.hpp>
#include <felt/plan/5_hoisting/loop_counts.hpp>
#include <felt/plan/plan.hpp>

namespace test {

// How product id is computed.
inline felt::planning::product_schedule const& product_of(felt::planning::plan const& p,
                                                          felt::planning::node_id id) {
    return p.s[p.g[id].product];
}

// How the first product of a statement is computed.
template <class S>
felt::planning::product_schedule first_product_of(S const& s) {
    auto const p = felt::explain(s);
    felt::planning::node_id id = 0;
    while (p.g[id].what != felt::planning::kind::contract) ++id;
    return product_of(p, id);
}

// How much scratch node id takes.
inline felt::index_t scratch_of(felt::planning::plan const& p, felt::planning::node_id id) {
    return felt::planning::footprint_of(p.g, p.s, id).bytes;
}

// How often a value of node id is computed, on average. A value that is hoisted, or reused, is not
// counted.
inline double times_of(felt::planning::plan const& p, felt::planning::node_id id) {
    if (p.s[id].by != felt::planning::way::scratch) return 0;
    for (auto const& pass : p.passes()) {
        for (felt::planning::statement_id k : pass.statements()) {
            if (!p.g.nodes_of(k).contains(id)) continue;
            felt::planning::detail::loop_nests const around(p.g, p.s, p.g[k].root, p.g[k].space,
                                                            pass.alone() ? 0 : pass.strip);
            return around.of(id).times;
        }
    }
    throw felt::error("the node is in no statement");
}

// The most of all nodes.
inline double worst_times(felt::planning::plan const& p) {
    double most = 1;
    for (felt::planning::node_id id : p.g.nodes.ids()) most = std::max(most, times_of(p, id));
    return most;
}

}  // namespace test

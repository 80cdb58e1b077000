// SPDX-License-Identifier: BSD-3-Clause
//
// How often the values of every node are computed on average, all loops that enclose it counted,
// and what is computed more than 1.5 times.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/5_hoisting/loop_counts.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Whether an operand of view id is evaluated into a box, from which elements are picked.
inline bool takes_boxes(graph const& g, node_id id) {
    node const& f = g[id];
    if (!f.inner || !trait_of(f).takes_boxes) return false;
    return f.what != kind::general || !computes_source(g, id);
}

// Whether node id is where values are made that could be computed first: it has loops of its own
// and does not only copy, or a view takes boxes of it.
inline bool makes_values(graph const& g, node_id id, node_id parent) {
    node const& f = g[id];
    if (trait_of(f).waits != nullptr || f.what == kind::once) return true;
    if (f.what == kind::general) return f.inner && computes_source(g, id);
    bool const computed = f.what == kind::map || f.what == kind::generator;
    return computed && parent && takes_boxes(g, parent);
}

// Calls f(id, parent) for the nodes of a statement; the root has no parent.
template <class F>
void for_each_node(graph const& g, node_id id, node_id parent, F&& f) {
    f(id, parent);
    for (node_id c : g.operands(id)) for_each_node(g, c, id, f);
}

// The value that exceeds its bound and wastes most, with all loops around it counted; none if
// none does. Equal nodes count as one, of which each may read a part. Tasks t, if any, each begin
// with nothing.
FELT_PLANNING inline node_id find_waste(graph const& g, schedule const& s, node_id root,
                                        space_id sp, tasks const& t = {}) {
    loop_nests const around(g, s, root, sp, 0, t);
    table<node_id, double> shares(g.nodes.size(), 0.0);
    double most = 0;
    node_id worst;
    for_each_node(g, root, {}, [&](node_id id, node_id parent) {
        placement const& f = s[id];
        double const times = around.of(id).times;
        bool const before = f.by == way::hoisted || computed_first(s, id);
        if (before || id == root || !makes_values(g, id, parent)) return;
        node_id const first = f.slot ? f.slot : id;
        double& all = shares[first];
        all += around.of(id).share;
        double const often = std::max(all, times);
        double const waste = g[id].work * (often - 1);
        if (often <= most_times || waste <= most) return;
        most = waste;
        worst = first;
    });
    return worst;
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// How often the values of every node are computed on average, all loops that enclose it counted,
// and what is computed more than 1.5 times.
#pragma once
#include <felt/plan/nests.hpp>

namespace felt::planning::detail {

// What is computed more often is computed first, as a whole (rule 4 of the execution page).
inline constexpr double most_times = 1.5;

// Whether an operand of view id is evaluated into a box, from which elements are picked.
inline bool takes_boxes(loops const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.inner < 0) return false;
    if (f.what == kind::general) return !computes_source(p, id);
    return f.what == kind::reshape || f.what == kind::concat || f.what == kind::gather ||
           f.what == kind::scatter;
}

// Whether node id is where values are made that could be computed first: it has loops of its own
// and does not only copy, or a view takes boxes of it.
inline bool makes_values(loops const& p, int id, int parent) {
    node_facts const& f = p.at(id);
    switch (f.what) {
        case kind::reduce:
        case kind::contract:
        case kind::once:
        case kind::scan:
        case kind::scatter:
            return true;
        case kind::general:
            return f.inner >= 0 && computes_source(p, id);
        case kind::map:
        case kind::generator:
            return parent >= 0 && takes_boxes(p, parent);
        default:
            return false;
    }
}

// Calls f(id, parent) for the nodes of a statement; the root has parent -1.
template <class F>
void for_each_node(loops const& p, int id, int parent, F&& f) {
    f(id, parent);
    for (int c = id + 1; c < p.at(id).end; c = p.at(c).end) for_each_node(p, c, id, f);
}

// The value that exceeds its bound and wastes most, with all loops around it counted; -1 if none
// does. Equal nodes count as one, of which each may read a part. Sets `recompute` of all.
FELT_PLANNING inline int find_waste(loops& p, int root, int space) {
    loop_nests const around(p, root, space);
    std::vector<double> shares(p.node.size(), 0.0);
    double most = 0;
    int worst = -1;
    for_each_node(p, root, -1, [&](int id, int parent) {
        node_facts& f = p.at(id);
        double const times = around.of(id).times;
        if (f.by == way::scratch) f.recompute = times;
        if (f.by == way::hoisted || id == root || !makes_values(p, id, parent)) return;
        int const first = f.slot >= 0 ? f.slot : id;
        double& all = shares[static_cast<std::size_t>(first)];
        all += around.of(id).share;
        double const often = std::max(all, times);
        if (often <= most_times || f.work * (often - 1) <= most) return;
        most = f.work * (often - 1);
        worst = first;
    });
    return worst;
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Loop-invariant code motion: a function whose values stay the same along some of the loops that it
// is read in, like exp(row) in x * exp(row), or the square root of a variance for each element that
// it divides, is computed once for a block. Cheap ones are not worth the memory.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/footprint.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Vector instructions to compute an element of a function with the functions that it is read by.
inline int streamed_cost(graph const& g, schedule const& s, node_id id) {
    if (s[id].by != way::streamed) return 0;
    int cost = std::max(g[id].cost, 0);
    for (node_id c : g.operands(id)) cost += streamed_cost(g, s, c);
    return cost;
}

// Whether values of node id are kept for a block: by what it takes to compute each, once for an
// element or for each point, in instructions of an element of a vector.
inline bool pays_to_keep(graph const& g, schedule const& s, node_id id, unsigned moves) {
    node const& f = g[id];
    loop_space const& in = g[f.space];
    loop_schedule const& how = s[f.space];
    double points = 1, values = 1, rows = 1;
    for (loop_id l : in.loops()) {
        double const n = static_cast<double>(std::min(how.block[l], in.extent[l]));
        points *= n;
        if ((moves >> l & 1U) == 0) continue;
        values *= n;
        if (l != how.lane) rows *= n;
    }
    double const each = (f.scalar_only ? by_element : 1) * streamed_cost(g, s, id);
    return values * f.value_bytes <= static_cast<double>(most_kept_bytes) &&
           values * (each + load_cost) + rows * row_start + points * load_cost < points * each;
}

// The functions of a statement that are kept: the outermost of those that stay the same.
FELT_PLANNING inline void keep_invariants(graph const& g, schedule& s, node_id root) {
    node_id done = root;
    for (node_id id : g.subtree(root)) {
        node const& f = g[id];
        s[id].kept_along = -1;
        if (id < done || !f.may_be_kept || s[id].by != way::streamed) continue;
        if (f.at.loops != g[f.space].rank) continue;  // of loops that count as one
        unsigned const moves = moving_loops(f);
        if (!pays_to_keep(g, s, id, moves)) continue;
        s[id].kept_along = static_cast<int>(moves);
        done = f.end;
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

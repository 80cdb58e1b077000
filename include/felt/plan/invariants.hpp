// SPDX-License-Identifier: BSD-3-Clause
//
// Loop-invariant code motion: a function whose values stay the same along some of the loops that it
// is read in, like exp(row) in x * exp(row), or the square root of a variance for each element that
// it divides, is computed once for a block. Cheap ones are not worth the memory.
#pragma once
#include <felt/plan/need.hpp>

namespace felt::planning::detail {

// Vector instructions to compute an element of a function with the functions that it is read by.
inline int streamed_cost(loops const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.by != way::streamed) return 0;
    int cost = std::max(f.cost, 0);
    for (int c = id + 1; c < f.end; c = p.at(c).end) cost += streamed_cost(p, c);
    return cost;
}

// Whether values of node id are kept for a block: by what it takes to compute each, once for an
// element or for each point, in instructions of an element of a vector.
inline bool pays_to_keep(loops const& p, int id, unsigned moves) {
    constexpr double load = 2, row = 400;
    node_facts const& f = p.at(id);
    loop_space const& in = p.loop(f.space);
    double points = 1, values = 1, rows = 1;
    for (int l = 0; l < in.rank; ++l) {
        double const n = static_cast<double>(std::min(in.block[l], in.extent[l]));
        points *= n;
        if ((moves >> l & 1U) == 0) continue;
        values *= n;
        if (l != in.lane) rows *= n;
    }
    double const each = (f.scalar_only ? 16 : 1) * streamed_cost(p, id);
    return values * f.value_bytes <= static_cast<double>(most_kept_bytes) &&
           values * (each + load) + rows * row + points * load < points * each;
}

// The functions of a statement that are kept: the outermost of those that stay the same.
FELT_PLANNING inline void keep_invariants(loops& p, int root) {
    int done = root;
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts& f = p.at(id);
        f.kept_along = -1;
        if (id < done || !f.may_be_kept || f.by != way::streamed) continue;
        if (f.at.loops != p.loop(f.space).rank) continue;  // of loops that count as one
        unsigned const moves = moving_loops(f);
        if (!pays_to_keep(p, id, moves)) continue;
        f.kept_along = static_cast<int>(moves);
        done = f.end;
    }
}

}  // namespace felt::planning::detail

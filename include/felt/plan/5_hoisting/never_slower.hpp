// SPDX-License-Identifier: BSD-3-Clause
//
// Never slower: a statement is fused where that is expected to be faster than not to.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/5_hoisting/tile_and_hoist.hpp>
#include <felt/plan/5_hoisting/time_model.hpp>
#include <felt/plan/5_hoisting/invariants.hpp>
#include <utility>

namespace felt::inline FELT_ABI::planning::detail {

FELT_PLANNING inline void cut_fused(graph const& g, schedule& s, statement_id k) {
    reuse_destination_if_unread(g, s, k);
    cut(g, s, k);
    keep_invariants(g, s, g[k].root);
}

// Fused, unless it is expected to be faster to compute first whatever has loops of its own, as an
// unfused run does, or what the statement's own loops do not read (rule 16).
FELT_PLANNING inline void cut_best(graph const& g, schedule& s, statement_id k) {
    node_id const root = g[k].root;
    space_id const sp = g[k].space;
    if (g[root].work < tiny_work) return cut_fused(g, s, k);
    schedule const start = s;
    cut_fused(g, s, k);
    double least = estimate(g, s, root, sp).all;
    for (bool near : {false, true}) {
        if (least < small_time) return;
        schedule apart = start;
        char const* const why = "inside of other loops its own are expected to be slower";
        if (!hoist_all(g, apart, k, near, why)) continue;
        cut_fused(g, apart, k);
        double const time = estimate(g, apart, root, sp).all;
        if (time > better_plan * least) continue;
        least = time;
        s = std::move(apart);
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

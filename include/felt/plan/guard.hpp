// SPDX-License-Identifier: BSD-3-Clause
//
// Never slower: a statement is fused where that is expected to be faster than not to.
#pragma once
#include <felt/plan/cut.hpp>
#include <felt/plan/estimate.hpp>
#include <felt/plan/invariants.hpp>
#include <algorithm>

namespace felt::planning::detail {

FELT_PLANNING inline void cut_fused(plan& p, std::size_t k) {
    keep_home(p, p.statement[k]);
    cut(p, p.statement[k]);
    keep_invariants(p, p.statement[k].root);
}

// Fused, unless it is expected to be faster to compute first whatever has loops of its own, as an
// unfused run does, or what the statement's own loops do not read (rule 16).
FELT_PLANNING inline void cut_best(plan& p, std::size_t k) {
    constexpr double small = 20e3, better = 0.85;  // nanoseconds, and the ratio that counts
    constexpr double tiny = 1e5;                   // operations not worth another plan
    int const root = p.statement[k].root, space = p.statement[k].space;
    if (p.at(root).work < tiny) return cut_fused(p, k);
    plan const start = p;
    cut_fused(p, k);
    double least = estimate(p, root, space).all;
    for (bool near : {false, true}) {
        if (least < small) return;
        plan apart = start;
        char const* const why = "inside of other loops its own are expected to be slower";
        if (!hoist_all(apart, apart.statement[k], near, why)) continue;
        cut_fused(apart, k);
        double const time = estimate(apart, root, space).all;
        if (time > better * least) continue;
        least = time;
        p = std::move(apart);
    }
}

}  // namespace felt::planning::detail

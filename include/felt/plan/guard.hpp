// SPDX-License-Identifier: BSD-3-Clause
//
// Never slower: a statement is fused where that is expected to be faster than not to.
#pragma once
#include <felt/plan/cut.hpp>
#include <felt/plan/estimate.hpp>
#include <algorithm>

namespace felt::planning::detail {

// How deep values that could be computed first are nested in each other.
inline int depth_of_values(plan const& p, statement_facts const& to, int id, int parent) {
    int most = 0;
    for (int c = id + 1; c < p.at(id).end; c = p.at(c).end) {
        most = std::max(most, depth_of_values(p, to, c, id));
    }
    return most + (makes_values(p, id, parent) ? 1 : 0);
}

// Whether something is hoisted that counts as an intermediate.
inline bool has_large_values(plan const& p) {
    return std::any_of(p.node.begin(), p.node.end(), [](node_facts const& f) {
        return f.by == way::hoisted && elements(f) * f.value_bytes > uncounted_bytes;
    });
}

FELT_PLANNING inline void cut_fused(plan& p, std::size_t k) {
    keep_home(p, p.statement[k]);
    cut(p, p.statement[k]);
}

// Fused, unless it is expected to be faster to compute first whatever has loops of its own, as an
// unfused run does (rule 16). Where much is nested the other schedule is looked at first: that is
// quick, and if it moves next to nothing that fusion would spare, it is as good as any.
FELT_PLANNING inline void cut_best(plan& p, std::size_t k) {
    constexpr double small = 20e3, better = 0.2, little = 0.1;  // nanoseconds, and ratios
    constexpr double tiny = 1e5;  // operations not worth a second plan
    int const root = p.statement[k].root, depth = depth_of_values(p, p.statement[k], root, -1);
    if (depth == 0 || p.at(root).work < tiny) return cut_fused(p, k);
    plan apart = p;
    statement_facts const& to = apart.statement[k];
    hoist_all(apart, to, "inside of other loops its own are expected to be slower");
    cut_fused(apart, k);
    estimated_time const first = estimate(apart, to.root, to.space);
    bool const as_good = first.repeated < little * first.all && !has_large_values(apart);
    if (depth > 2 && first.all > small && as_good) {
        p = std::move(apart);
        return;
    }
    cut_fused(p, k);
    if (first.all < small) return;
    if (first.all < better * estimate(p, to.root, to.space).all) p = std::move(apart);
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Which statements run together, whoever runs them: strip by strip on the host
// (statement_fusion.hpp), element by element on a device. What "together" is says a rule that is
// handed in.
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Why statement b may not run together with the earlier statement a; empty if it may.
// rule.writes_alike(): both write the same elements at the same time; rule.why_not(reader, id,
// writer): why leaf id of one of them may not read what the other one writes.
template <class Rule>
std::string conflict(graph const& g, statement_id a, statement_id b, Rule const& rule) {
    if (overlap(range_of(g[a]), range_of(g[b])) && !rule.writes_alike(a, b)) {
        return "it writes what an earlier statement writes";
    }
    for (auto const& [reader, writer] : {std::pair{b, a}, std::pair{a, b}}) {
        for (node_id id : g.nodes_of(reader)) {
            if (!touches(g, id, g[writer])) continue;
            if (std::string why = rule.why_not(reader, id, writer); !why.empty()) return why;
        }
    }
    return {};
}
// The same of statement k and those before it.
template <class Rule>
std::string conflict(graph const& g, id_range<statement_id> before, statement_id k,
                     Rule const& rule) {
    std::string why;
    for (statement_id j = before.first; j < before.last && why.empty(); ++j) {
        why = conflict(g, j, k, rule);
    }
    return why;
}

// Adds statements to a pass until why_not(k) says why the next one is not in it.
template <class Pass, class WhyNot>
void extend(graph const& g, Pass& pass, WhyNot const& why_not) {
    for (; pass.last < g.statements.end_id(); ++pass.last) {
        pass.why = why_not(pass.last);
        if (!pass.why.empty()) return;
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Statements carried out by the host. A fused run is watched: no value may be computed more
// than 1.5 times, whatever it is nested in (rule 4 of the execution page).
#pragma once
#include <felt/felt.hpp>
#include <string>

namespace test {

inline constexpr bool computes_complex = true;

// A statement alone that has computed something too often; equal nodes count as one.
inline std::string computed_too_often(felt::planning::plan const& p, felt::host::watch const& w) {
    using namespace felt::planning;
    table<node_id, double> times(p.g.nodes.size(), 0.0);
    std::string wrong;
    detail::for_each_node(p.g, 0, {}, [&](node_id x, node_id parent) {
        node const& f = p.g[x];
        double const all = detail::elements(f);
        if (all == 0 || !detail::makes_values(p.g, x, parent)) return;
        double& n = times[p.s[x].slot ? p.s[x].slot : x];
        n += w.elements(x) / all;
        if (n > most_times * 1.02) {
            wrong = f.name + std::string(" was computed ") + std::to_string(n) + " times";
        }
    });
    return wrong;
}

template <class How, class... S>
void execute(How how, S const&... s) {
    if constexpr (std::is_same_v<How, felt::fused_t> && sizeof...(S) == 1) {
        felt::planning::plan const p = felt::explain(s...);
        felt::host::watch const w;
        run(how, s...);
        std::string const wrong = computed_too_often(p, w);
        if (!wrong.empty()) throw felt::error(wrong);
    } else {
        run(how, s...);
    }
}

}  // namespace test

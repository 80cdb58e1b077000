// SPDX-License-Identifier: BSD-3-Clause
//
// find_plan(s): what run(s) does before it runs: looks for the plan of a statement by what it has
// of its own, and plans it if that was never done. The passes of the plan.
#pragma once
#include <felt/felt.hpp>
#include <felt/plan/latest_plans.hpp>
#include <utility>

namespace bench {

template <class S>
std::size_t find_plan(S const& s) {
    namespace planning = felt::planning;
    auto& latest = planning::detail::latest_plans::of_this_thread();
    std::size_t passes = 0;
    auto const use = [&](auto& p) { passes += p.s.passes.size(); };
    auto const known = [&](auto const&... as) {
        planning::detail::any_statement const all[] = {planning::detail::any(as)...};
        return latest.if_known(all, sizeof...(as), use);
    };
    auto const keep = [&](planning::plan p, auto const&... as) {
        planning::detail::any_statement const all[] = {planning::detail::any(as)...};
        latest.keep(all, sizeof...(as), std::move(p), use);
    };
    if (!planning::any_form(known, s)) planning::with_best_plan(keep, s);
    return passes;
}

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
//
// explain(s...): the plan of a group of statements, in words. It prints the object that run()
// executes. run(count_bytes{&fused, &unfused}, s...) asks it for bytes alone.
#pragma once
#include <felt/plan/algorithm_choice.hpp>
#include <felt/plan/make_plan.hpp>
#include <iosfwd>

namespace felt::inline FELT_ABI {

namespace planning {

FELT_ONCE std::ostream& operator<<(std::ostream& out, plan const& p);

}  // namespace planning

// The plan of statements: print it, or ask it for intermediates(), flops(), bytes(). It refers
// to the statements' tensors and must not outlive the full expression or the statements.
template <class... S>
    requires all_are_statements<S...>
[[nodiscard]] planning::plan explain(S const&... s) {
    if constexpr (host_pass) {
        return planning::with_best_plan([](planning::plan p, auto const&...) { return p; }, s...);
    } else {
        return {};
    }
}

template <class... S>
    requires all_are_statements<S...>
[[nodiscard]] planning::plan explain(exact_t, S const&... s) {
    exact_scope const here;
    return explain(s...);
}

// A way to run statements, or a program: nothing is computed, plans add the bytes that they move.
struct count_bytes {
    double* fused;
    double* unfused;
};
template <class... S>
    requires all_are_statements<S...>
void run(count_bytes to, S const&... s) {
    auto const plan = explain(s...);
    *to.fused += static_cast<double>(plan.bytes());
    *to.unfused += static_cast<double>(plan.bytes_unfused());
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// run(fused, s...): statements carried out by their plan.
#pragma once
#include <felt/host/statement.hpp>
#include <felt/plan/algorithm_choice.hpp>
#include <felt/plan/make_plan.hpp>

namespace felt::inline FELT_ABI {

namespace host {

// Statements in order, as many as possible in one pass: by the plan that ran them last, if they are
// as they were then; whether they are.
FELT_ONCE bool carry_out_known(planning::detail::any_statement const* planned,
                               erased_statement const* s, std::size_t count);
FELT_ONCE void plan_and_carry_out(planning::detail::any_statement const* planned,
                                  erased_statement const* s, std::size_t count);
// By p, which is kept for the next time.
FELT_ONCE void carry_out_new(plan p, planning::detail::any_statement const* planned,
                             erased_statement const* s, std::size_t count);

template <class... S>
bool run_as_before(S const&... s) {
    planning::detail::any_statement const planned[] = {planning::detail::any(s)...};
    erased_statement const all[] = {erase(s)...};
    return carry_out_known(planned, all, sizeof...(S));
}
template <class... S>
void run_by(plan p, S const&... s) {
    planning::detail::any_statement const planned[] = {planning::detail::any(s)...};
    erased_statement const all[] = {erase(s)...};
    carry_out_new(std::move(p), planned, all, sizeof...(S));
}

}  // namespace host

// Other spaces bring run and run_to_value of their own, which stand beside them.
template <class... Space>
concept statements_are_on_the_host = (std::same_as<join_space_t<Space, Host>, Host> && ...);

// Carries out statements in order, as many as possible in one pass.
template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...>
void run(fused_t, statement<T, R, Sp, E> const&... s) {
    if constexpr (host_pass) {
        if constexpr (detail::have_shared<statement<T, R, Sp, E>...> ||
                      detail::have_carried<statement<T, R, Sp, E>...>) {
            auto const before = [](auto const&... as) { return host::run_as_before(as...); };
            if (planning::any_form(before, s...)) return;
            planning::with_best_plan(
                [](planning::plan p, auto const&... as) { host::run_by(std::move(p), as...); },
                s...);
        } else {
            planning::detail::any_statement const planned[] = {planning::detail::any(s)...};
            host::erased_statement const all[] = {host::erase(s)...};
            host::plan_and_carry_out(planned, all, sizeof...(E));
        }
    }
}

template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...>
void run(exact_t, statement<T, R, Sp, E> const&... s) {
    exact_scope const here;
    run(fused, s...);
}

template <class... S>
    requires all_are_statements<S...>
void fuse(S const&... s) {
    run(fused, s...);
}

// A tensor of e's type, extents and space.
template <array_operand E>
[[nodiscard]] auto eval(E&& e) {
    Tensor<value_of<E>, rank_of<E>, join_space_t<space_of<E>, Host>> y = std::forward<E>(e);
    return y;
}

template <node N>
    requires statements_are_on_the_host<typename N::space>
typename N::value_type run_to_value(N const& n) {
    typename N::value_type value{};
    View<typename N::value_type, 0> to(&value, {}, {});
    run(fused, detail::make_statement(to, n, false));
    return value;
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// The first mistake is told; what a compiler says of each is in tests/reject/gradients.cpp.
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {
Tensor<float, 2> w, y;
Tensor<int, 2> n;
auto named_w() { return named<"w">(w); }
template <class Remedy, class E, class... D>
constexpr bool is_told(E const&, D const&...) {
    return std::is_same_v<derive::remedy_of_grad<literal_name<"w">, E, D const&...>, Remedy>;
}
template <class T>
concept takes_nothing = !requires(T x) { [](refused_call<remedy::none>) {}(x); };
}  // namespace

TEST_CASE("the first mistake in asking for a derivative") {
    CHECK(is_told<remedy::give_that_name_to_an_operand>(y * 2));
    CHECK(is_told<remedy::sum_the_cost_or_give_a_cotangent>(floor(named_w())));
    CHECK(is_told<remedy::leave_out_what_depends_by_steps>(sum(floor(named_w()))));
    CHECK(is_told<remedy::name_a_tensor_of_float_or_double>(sum(named<"w">(n))));
    CHECK(is_told<remedy::none>(sum(named_w())));
    CHECK(is_told<remedy::none>(named_w(), y));
    CHECK(is_told<remedy::leave_out_what_depends_by_steps>(floor(named_w()), y));
    CHECK(is_told<remedy::sum_the_cost_or_give_a_cotangent>(sum(named_w()), y));
    CHECK(needs_no_remedy<remedy::none>);
    CHECK_FALSE(needs_no_remedy<remedy::say_partial_or_stop>);
}

TEST_CASE("nothing may be handed to a call that is refused") {
    CHECK(takes_nothing<int>);
    CHECK(takes_nothing<fused_t>);
}

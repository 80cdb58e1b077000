// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/concepts.hpp>
#include <felt/expr/leaf.hpp>

namespace {

struct Elsewhere {};

using matrix = felt::Tensor<float, 2>;
using felt::converts_without_narrowing;
using felt::promote_t;

template <class A, class B, class C>
constexpr bool meet_in = std::is_same_v<promote_t<A, B>, C> && std::is_same_v<promote_t<B, A>, C>;

}  // namespace

TEST_CASE("tensors hold numbers and bool") {
    CHECK(felt::element<float>);
    CHECK(felt::element<bool>);
    CHECK(felt::element<unsigned char>);
    CHECK_FALSE(felt::element<long double>);
    CHECK_FALSE(felt::element<void*>);
}

TEST_CASE("operands are tensors, views, nodes and numbers") {
    CHECK(felt::strided_array<matrix>);
    CHECK(felt::strided_array<matrix const&>);
    CHECK(felt::strided_array<felt::View<float const, 2>>);
    CHECK(felt::node<felt::leaf<float, 2, felt::Host>>);
    CHECK_FALSE(felt::strided_array<felt::leaf<float, 2, felt::Host>>);
    CHECK_FALSE(felt::node<matrix>);
    CHECK(felt::operand<double>);
    CHECK_FALSE(felt::array_operand<double>);
    CHECK_FALSE(felt::operand<char const*>);
    CHECK_FALSE(felt::operand<std::nullptr_t>);
}

TEST_CASE("an operand has an element type, a space and a rank") {
    CHECK(std::is_same_v<felt::value_of<matrix const&>, float>);
    CHECK(std::is_same_v<felt::value_of<felt::View<double const, 1>>, double>);
    CHECK(std::is_same_v<felt::value_of<int const&>, int>);
    CHECK(std::is_same_v<felt::space_of<matrix>, felt::Host>);
    CHECK(std::is_same_v<felt::space_of<int>, felt::Anywhere>);
    CHECK(felt::rank_of<matrix> == 2);
    CHECK(felt::rank_of<float> == 0);
}

TEST_CASE("an assignment may widen and may not narrow") {
    CHECK(converts_without_narrowing<float, double>);
    CHECK(converts_without_narrowing<bool, int>);
    CHECK(converts_without_narrowing<bool, float>);
    CHECK(converts_without_narrowing<int, std::int64_t>);
    CHECK(converts_without_narrowing<std::uint8_t, int>);
    CHECK(converts_without_narrowing<std::int16_t, float>);
    CHECK(converts_without_narrowing<int, double>);
    CHECK(converts_without_narrowing<long, long long>);
    CHECK(converts_without_narrowing<unsigned long long, unsigned long>);
    CHECK_FALSE(converts_without_narrowing<double, float>);
    CHECK_FALSE(converts_without_narrowing<float, int>);
    CHECK_FALSE(converts_without_narrowing<int, float>);
    CHECK_FALSE(converts_without_narrowing<std::int64_t, double>);
    CHECK_FALSE(converts_without_narrowing<int, unsigned>);
    CHECK_FALSE(converts_without_narrowing<std::int8_t, std::uint16_t>);
    CHECK_FALSE(converts_without_narrowing<int, bool>);
    CHECK_FALSE(converts_without_narrowing<std::uint8_t, bool>);
    CHECK_FALSE(converts_without_narrowing<long long, unsigned long>);
}

TEST_CASE("elements meet in the type that holds both, as NumPy has it where types are few") {
    CHECK(meet_in<float, float, float>);
    CHECK(meet_in<float, double, double>);
    CHECK(meet_in<int, float, float>);
    CHECK(meet_in<bool, float, float>);
    CHECK(meet_in<bool, std::int8_t, std::int8_t>);
    CHECK(meet_in<std::int8_t, std::int8_t, std::int8_t>);
    CHECK(meet_in<std::int8_t, std::int64_t, std::int64_t>);
    CHECK(meet_in<bool, bool, bool>);
}

TEST_CASE("negative axes count from the end") {
    CHECK(felt::axis_is_in_range<1, 2>);
    CHECK(felt::axis_is_in_range<-2, 2>);
    CHECK_FALSE(felt::axis_is_in_range<2, 2>);
    CHECK_FALSE(felt::axis_is_in_range<-3, 2>);
    CHECK_FALSE(felt::axis_is_in_range<0, 0>);
    CHECK(felt::axis_v<-1, 3> == 2);
    CHECK(felt::axis_v<-3, 3> == 0);
    CHECK(felt::axis_v<1, 3> == 1);
}

TEST_CASE("operands of two memories do not meet; numbers go with every space") {
    using far = felt::leaf<float, 2, Elsewhere>;
    CHECK(felt::operands_share_a_space<felt::Host, felt::Host>);
    CHECK(felt::operands_share_a_space<felt::Anywhere, Elsewhere>);
    CHECK_FALSE(felt::operands_share_a_space<felt::Host, Elsewhere>);
    CHECK(felt::assignable_from<matrix, float>);
    CHECK_FALSE(felt::assignable_from<matrix, far>);
}

TEST_CASE("an expression of higher rank or wider type does not fit its destination") {
    CHECK(felt::assignable_from<matrix, felt::Tensor<float, 1>&>);
    CHECK_FALSE(felt::assignable_from<matrix, felt::Tensor<float, 3>&>);
    CHECK_FALSE(felt::assignable_from<matrix, felt::Tensor<double, 2>&>);
}

TEST_CASE("a number takes the destination's type unless that drops its fraction") {
    CHECK(felt::assignable_from<matrix, double>);
    CHECK(felt::assignable_from<matrix, int>);
    CHECK(felt::assignable_from<felt::Tensor<int, 1>, long>);
    CHECK_FALSE(felt::assignable_from<felt::Tensor<int, 1>, double>);
}

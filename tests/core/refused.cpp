// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that take nothing: what they stand beside stays as it was for who asks beforehand.
// Their words are checked in tests/reject/.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstddef>
#include <optional>
#include <vector>

using felt::index_t;
using felt::Tensor;
using felt::View;

namespace {

using vector = Tensor<float, 1>;
using matrix = Tensor<float, 2>;
using doubles = Tensor<double, 2>;

// A class of somebody else's that converts itself.
struct converts {
    float const* data() const;
    std::size_t size() const;
    operator vector() const { return vector({3}) + 1; }
};

template <class D, class E>
constexpr bool can_be_assigned = requires(D&& y, E const& e) { assign(std::forward<D>(y), e); };
template <class D, class E>
constexpr bool can_be_promised = requires(D& y, E const& e) { noalias(y) = e; };
template <class D, class E>
constexpr bool can_be_added_to = requires(D& y, E const& e) { y += e; };
template <class X>
constexpr bool has_axis_two = requires(X const& x) { felt::sum<2>(x); };
template <class X>
constexpr bool has_first_element = requires(X const& x) { x(0); };

}  // namespace

TEST_CASE("what an assignment rejects is not convertible") {
    CHECK(std::is_convertible_v<matrix, doubles>);
    CHECK_FALSE(std::is_convertible_v<doubles, matrix>);
    CHECK_FALSE(std::is_convertible_v<matrix, vector>);
    CHECK_FALSE(std::is_constructible_v<matrix, doubles>);
    CHECK_FALSE(std::is_assignable_v<matrix&, doubles>);
    CHECK_FALSE(std::is_assignable_v<matrix const&, matrix>);
    CHECK(std::is_assignable_v<View<float, 2>, matrix>);
    CHECK_FALSE(std::is_assignable_v<View<float, 2>, doubles>);
    CHECK_FALSE(std::is_assignable_v<View<float const, 2>, matrix>);
    CHECK_FALSE(std::is_assignable_v<Tensor<int, 1>&, double>);
    CHECK((can_be_assigned<matrix&, vector> && !can_be_assigned<vector&, matrix>));
    CHECK((!can_be_assigned<matrix const&, matrix> && !can_be_assigned<matrix, matrix>));
    CHECK((can_be_promised<matrix, vector> && !can_be_promised<matrix, doubles>));
    CHECK((can_be_added_to<matrix, vector> && !can_be_added_to<matrix, doubles>));
}

TEST_CASE("tensors are made from extents in braces of any integer types, and from nothing else") {
    std::size_t const n = 3;
    index_t const m = 4;
    CHECK(matrix({n, m}).extents() == felt::extents<2>{{3, 4}});
    CHECK(matrix({n, 2}).extents() == felt::extents<2>{{3, 2}});
    CHECK(matrix({3, 4}).extents() == felt::extents<2>{{3, 4}});
    CHECK(vector({n}).extents() == felt::extents<1>{{3}});
    CHECK(vector{{3}}.extents() == felt::extents<1>{{3}});
    CHECK_FALSE(std::is_constructible_v<matrix, int, int>);
    CHECK_FALSE(std::is_constructible_v<vector, int>);
    CHECK_FALSE(std::is_convertible_v<int, vector>);
    CHECK_FALSE(std::is_constructible_v<matrix, felt::extents<2>, float>);
    CHECK_FALSE(std::is_assignable_v<vector&, std::vector<float>>);
    CHECK_FALSE([](auto const& x, auto const& y) { return requires { x + y; }; }(
                    vector(), std::vector<float>()));
}

TEST_CASE("a class that converts itself is assigned as before") {
    vector x({3});
    x = converts();
    CHECK(x(2) == 1);
    vector const y = converts();
    CHECK(y.size() == 3);
}

TEST_CASE("tensors go into containers as values do") {
    std::vector<vector> many(2);
    many.push_back(vector({3}) + 1);
    many.emplace_back(felt::extents<1>{{5}});
    CHECK((many.size() == 4 && many[2](1) == 1 && many[3].size() == 5));
    std::optional<matrix> one;
    one = matrix({2, 2}) + 3;
    CHECK((*one)(1, 1) == 3);
}

TEST_CASE("an operation that takes nothing is not there for who asks") {
    CHECK((has_axis_two<Tensor<float, 3>> && !has_axis_two<matrix>));
    CHECK((has_first_element<vector> && !has_first_element<matrix>));
    CHECK_FALSE([](auto const& x) { return requires { x[0]; }; }(vector()));
    CHECK_FALSE([](auto const& x) { return requires { sum(x, 1); }; }(vector()));
    CHECK_FALSE([](auto const& x) { return requires { matmul(x, 2.f); }; }(matrix()));
    CHECK_FALSE(std::is_constructible_v<bool, decltype(matrix() > 0)>);
}

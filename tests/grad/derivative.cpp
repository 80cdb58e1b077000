// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives that are the same along axes, and their sums.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using derive::spread;

namespace {
template <class D>
double total(D const& d) {
    return static_cast<double>(sum(derive::whole(d)));
}
}  // namespace

TEST_CASE("a number that stands for all elements is one for their sum") {
    spread<scalar<double>, 2> const d{{0.5}, {{3, 4}}};
    CHECK(total(d) == 6);
    auto const rows = derive::summed<2U, 2U>(d);
    CHECK(static_cast<double>(sum(rows)) == 2);  // 0.5 * 4, once: it is the same for every row
    auto const twice = derive::plus(d, d);
    CHECK(total(twice) == 12);
}

TEST_CASE("what varies is summed, what does not is counted") {
    Tensor<double, 2> const x = iota<double>({3, 4});
    Tensor<double, 2> const down = derive::summed<1U, 1U>(as_node(x));
    CHECK((down.extents() == extents<2>{{1, 4}} && down(0, 1) == 1 + 5 + 9));
    Tensor<double, 1> const gone = derive::summed<1U, 0U>(as_node(x));
    CHECK(gone(1) == 1 + 5 + 9);
    Tensor<double, 1> const v = iota<double>({3});
    auto const column = derive::with_axes<2U>(as_node(v));
    spread<std::remove_cvref_t<decltype(column)>, 2> const d{column, {{3, 4}}};
    Tensor<double, 1> const along = derive::summed<2U, 0U>(d);
    CHECK((along(0) == 0 && along(2) == 8));
    double const all = as_node(derive::summed<3U, 0U>(d));
    CHECK(all == 12);
}

TEST_CASE("zero adds nothing") {
    Tensor<double, 1> const v = iota<double>({3});
    auto const n = as_node(v);
    static_assert(derive::is_zero<decltype(derive::plus(derive::zero{}, derive::zero{}))>);
    Tensor<double, 1> const y = derive::plus(derive::zero{}, n, derive::zero{});
    CHECK(y(2) == 2);
}

TEST_CASE("extents that a type does not say are a mistake") {
    Tensor<double, 2> const row({1, 4});
    CHECK_THROWS_AS((void)derive::as_derivative(as_node(row), extents<2>{{3, 4}}), shape_error);
}

TEST_CASE("what is left of the axes still says which of them have extent 1") {
    Tensor<double, 1> v({4}), w({3});
    Tensor<double, 2> m({4, 3});
    v = iota<double>({4}), w = iota<double>({3}), m = iota<double>({4, 3});
    auto const f = [](auto const& x, auto const& y) { return sum(expand_dims<1>(x) * y); };
    auto const x = named<"v">(v);
    CHECK(all(eval(grad<"w">(f(x, named<"w">(w)))) == 6));
    CHECK(all(eval(grad<"v">(f(x, w))) == 3));
    auto const centred = [](auto const& z) { return sum(z - sum<0>(z)); };
    CHECK(all(eval(grad<"w">(centred(expand_dims<1>(x) * named<"w">(w)))) == 6 - 4 * 6));
    CHECK(all(eval(grad<"v">(sum(m * sum<0>(expand_dims<1>(x))))) == 66));
    auto const row = expand_dims<0>(expand_dims<0>(named<"row">(w)));  // (1, 1, 3)
    auto const column = expand_dims<1>(expand_dims<1>(x));
    auto const of_all = [&](auto const& z) { return sum(z * (row * column)); };
    CHECK(test::error_of(m, of_all) < test::tolerance);
    CHECK(test::error_of(m, [&](auto const& z) { return sum(expand_dims<0>(z) * column); }) <
          test::tolerance);
}

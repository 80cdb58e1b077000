// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/create.hpp>
#include <type_traits>

using felt::arange;
using felt::index_t;
using felt::linspace;
using felt::Tensor;
using test::computed;
using test::message;
using test::near;
using test::plain;
using test::values;

namespace {
template <class E>
using element_of = typename std::remove_cvref_t<E>::value_type;
}

TEST_CASE("ones are ones, by extents in braces or of another tensor") {
    CHECK(values(felt::ones<float>({2, 3})) == plain{{2, 3}, {1, 1, 1, 1, 1, 1}});
    CHECK(values(felt::ones<int>(Tensor<float, 1>({2}).extents())) == plain{{2}, {1, 1}});
    CHECK(values(felt::ones<bool>({0, 2})) == plain{{0, 2}, {}});
    CHECK_THROWS_AS(felt::ones<float>({-1}), felt::shape_error);
}

TEST_CASE("what is like another has its extents and its type") {
    Tensor<short, 2> const x({1, 3});
    CHECK(values(zeros_like(x)) == plain{{1, 3}, {0, 0, 0}});
    CHECK(values(ones_like(x + x)) == plain{{1, 3}, {1, 1, 1}});
    CHECK(values(full_like(x, 7)) == plain{{1, 3}, {7, 7, 7}});
    CHECK(std::is_same_v<element_of<decltype(full_like(x, 7))>, short>);
    CHECK(values(full_like(Tensor<float, 1>({2}), 0.5)) == plain{{2}, {0.5, 0.5}});
    CHECK(values(ones_like(Tensor<bool, 1>({2}))) == plain{{2}, {1, 1}});
    Tensor<float, 2> y({1, 3});
    y = 2.f;
    y = y + ones_like(y);
    CHECK(values(y) == plain{{1, 3}, {3, 3, 3}});
}

TEST_CASE("eye is 1 on a diagonal") {
    CHECK(values(felt::eye<float>(3)) == plain{{3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}});
    CHECK(values(felt::eye<int>(2, 3)) == plain{{2, 3}, {1, 0, 0, 0, 1, 0}});
    CHECK(values(felt::eye<int>(2, 3, 2)) == plain{{2, 3}, {0, 0, 1, 0, 0, 0}});
    for (index_t n : {0, 1, 7, 37}) {
        for (index_t m : {0, 1, 17}) {
            for (index_t k : {-40, -1, 0, 3}) {
                CHECK(values(felt::eye<double>(n, m, k)) ==
                      computed({n, m}, [&](auto at) { return at[1] == at[0] + k; }));
            }
        }
    }
    CHECK(message([] { (void)felt::eye<float>(-1, 3); }) == "eye: negative extent in (-1, 3)");
}

TEST_CASE("a product with eye is the other operand, and eye is never written") {
    auto const x = test::numbered<Tensor<float, 2>>({5, 37});
    CHECK(values(matmul(felt::eye<float>(5), x)) == values(x));
    Tensor<float, 2> y({5, 5});
    CHECK(explain(assign(y, 2.f * felt::eye<float>(5) + y)).intermediates().empty());
}

TEST_CASE("linspace has both its ends, exactly, and equal steps between them") {
    CHECK(values(linspace<float>(0, 1, 5)) == plain{{5}, {0, 0.25, 0.5, 0.75, 1}});
    CHECK(values(linspace<double>(2, 3, 1)) == plain{{1}, {2}});
    CHECK(values(linspace<double>(2, 3, 0)) == plain{{0}, {}});
    CHECK(values(linspace<double>(1, -1, 2)) == plain{{2}, {1, -1}});
    for (index_t n : {2, 3, 7, 100, 1001}) {
        Tensor<float, 1> const x = linspace<float>(-0.1f, 0.3f, n);
        CHECK(x(0) == -0.1f);
        CHECK(x(n - 1) == 0.3f);
        CHECK(values(x) == near(computed({n},
                                         [&](auto at) {
                                             return -0.1f + (0.3f - -0.1f) *
                                                                static_cast<double>(at[0]) /
                                                                static_cast<double>(n - 1);
                                         }),
                                1e-7));
    }
    CHECK_THROWS_AS(linspace<float>(0, 1, -1), felt::shape_error);
}

TEST_CASE("arange counts from a start by a step, and ends before its stop") {
    CHECK(values(arange(4)) == plain{{4}, {0, 1, 2, 3}});
    CHECK(values(arange(2, 5)) == plain{{3}, {2, 3, 4}});
    CHECK(values(arange(1, 8, 3)) == plain{{3}, {1, 4, 7}});
    CHECK(values(arange(1, 7, 3)) == plain{{2}, {1, 4}});
    CHECK(values(arange(5, 0, -2)) == plain{{3}, {5, 3, 1}});
    CHECK(values(arange(5, -1, -2)) == plain{{3}, {5, 3, 1}});
    CHECK(values(arange(3, 3)) == plain{{0}, {}});
    CHECK(values(arange(3, 1)) == plain{{0}, {}});
    CHECK(values(arange(-2)) == plain{{0}, {}});
    CHECK(values(arange(0, 1, 0.25)) == plain{{4}, {0, 0.25, 0.5, 0.75}});
    CHECK(values(arange(1., 0.1, -0.25)) == plain{{4}, {1, 0.75, 0.5, 0.25}});
    for (int a = -7; a < 8; ++a) {
        for (int b = -7; b < 8; ++b) {
            for (int s : {-5, -1, 1, 2, 3}) {
                std::vector<double> expected;
                for (int v = a; s > 0 ? v < b : v > b; v += s) expected.push_back(v);
                plain const all{{static_cast<index_t>(expected.size())}, expected};
                CHECK(values(arange(a, b, s)) == all);
                CHECK(values(arange(double(a), double(b), double(s))) == all);
            }
        }
    }
}

TEST_CASE("the type of arange is index_t for integers, and what is asked for") {
    CHECK(std::is_same_v<element_of<decltype(arange(3))>, index_t>);
    CHECK(std::is_same_v<element_of<decltype(arange(3.f))>, float>);
    CHECK(std::is_same_v<element_of<decltype(arange(0, 1, 0.5))>, double>);
    CHECK(std::is_same_v<element_of<decltype(arange<short>(3, 5))>, short>);
    CHECK(values(arange<float>(3, 5)) == plain{{2}, {3, 4}});
    CHECK(values(arange<float>(0, 1, 0.5)) == plain{{2}, {0, 0.5}});
}

TEST_CASE("arange of integers is exact, however large") {
    index_t const large = (index_t{1} << 60) + 1;
    Tensor<index_t, 1> const x = arange(large, large + 100, 33);
    CHECK(x.extent(0) == 4);
    for (index_t i = 0; i < 4; ++i) CHECK(x(i) == large + 33 * i);
}

TEST_CASE("an arange that never ends is an error") {
    CHECK(message([] { (void)arange(0, 3, 0); }) == "arange: step 0");
    CHECK_THROWS_AS(arange(0., 1., 0.), felt::shape_error);
    CHECK_THROWS_AS(arange(0., test::infinity, 1.), felt::shape_error);
    CHECK_THROWS_AS(arange(test::not_a_number), felt::shape_error);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/fill.hpp>
#include <type_traits>

using felt::Tensor;
using test::computed;
using test::plain;
using test::values;

namespace {
template <class E>
using element_of = typename std::remove_cvref_t<E>::value_type;
}

TEST_CASE("zeros and full have one value everywhere and no memory") {
    CHECK(values(felt::zeros<float>({2, 3})) == plain{{2, 3}, {0, 0, 0, 0, 0, 0}});
    CHECK(values(felt::full({2, 2}, 2.5f)) == plain{{2, 2}, {2.5, 2.5, 2.5, 2.5}});
    CHECK(std::is_same_v<element_of<decltype(felt::full({1}, 7))>, int>);
    CHECK(std::is_same_v<element_of<decltype(felt::zeros<double>({1}))>, double>);
    Tensor<float, 2> const x({2, 3});
    CHECK(values(felt::full(x.extents(), 1.f) + felt::zeros<float>(x.extents())) ==
          plain{{2, 3}, {1, 1, 1, 1, 1, 1}});
}

TEST_CASE("negative extents are an error") {
    CHECK_THROWS_AS(felt::zeros<float>({2, -3}), felt::shape_error);
    CHECK_THROWS_AS(felt::iota(-1), felt::shape_error);
    CHECK_THROWS_AS(felt::uniform<float>({-1}, 1), felt::shape_error);
    CHECK_THROWS_AS(felt::normal<float>({-1}, 1), felt::shape_error);
}

TEST_CASE("iota counts in row-major order, in the type asked for") {
    CHECK(values(felt::iota(4)) == plain{{4}, {0, 1, 2, 3}});
    CHECK(values(felt::iota({4})) == plain{{4}, {0, 1, 2, 3}});
    CHECK(values(felt::iota<float>({2, 3})) == plain{{2, 3}, {0, 1, 2, 3, 4, 5}});
    CHECK(std::is_same_v<element_of<decltype(felt::iota(4))>, felt::index_t>);
    CHECK(values(felt::iota<int>(0)) == plain{{0}, {}});
    CHECK(values(felt::iota<int>({3, 37}) * 2) ==
          computed({3, 37}, [](auto at) { return static_cast<double>(2 * (37 * at[0] + at[1])); }));
}

TEST_CASE("iota counts past 32 bits, forwards and backwards") {
    felt::index_t const limit = felt::index_t{1} << 31, many = 4 * limit;
    for (felt::index_t lo : {limit - 40, 2 * limit - 40, many - 80}) {
        auto const up = slice(felt::iota(many), felt::range(lo, lo + 80));
        felt::Tensor<felt::index_t, 1> const a = up, b = felt::flip<0>(up);
        felt::Tensor<double, 1> const c = slice(felt::iota<double>(many), felt::range(lo, lo + 80));
        for (felt::index_t j = 0; j < 80; ++j) {
            CHECK(a(j) == lo + j);
            CHECK(b(j) == lo + 79 - j);
            CHECK(c(j) == static_cast<double>(lo + j));
        }
    }
}

TEST_CASE("an element of iota is where views put it") {
    CHECK(values(transpose(felt::iota<int>({2, 3}))) == plain{{3, 2}, {0, 3, 1, 4, 2, 5}});
    CHECK(values(flip<0>(felt::iota<int>(4))) == plain{{4}, {3, 2, 1, 0}});
    CHECK(values(felt::slice(felt::iota<int>({4, 5}), felt::range(1, 4, 2), 2)) ==
          plain{{2}, {7, 17}});
}

TEST_CASE("random tensors hold the numbers of their streams") {
    felt::uniform_stream<float> const u{7};
    felt::normal_stream<double> const g{7};
    CHECK(values(felt::uniform<float>({5, 23}, 7)) == computed({5, 23}, [&](auto at) {
              return static_cast<double>(u.at(23 * at[0] + at[1]));
          }));
    CHECK(values(felt::normal<double>({5, 23}, 7)) ==
          test::near(computed({5, 23}, [&](auto at) { return g.at(23 * at[0] + at[1]); }), 1e-14));
}

TEST_CASE("random numbers do not depend on the layout of what holds them") {
    Tensor<float, 2> const r = felt::uniform<float>({37, 41}, 3);
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = felt::uniform<float>({37, 41}, 3);
    Tensor<float, 2> const t = transpose(felt::uniform<float>({41, 37}, 3));
    CHECK(values(r) == values(c));
    CHECK_FALSE(values(r) == values(t));
    CHECK(values(felt::slice(felt::uniform<float>({37, 41}, 3), 5, felt::range(3, 30))) ==
          values(felt::slice(r, 5, felt::range(3, 30))));
}

TEST_CASE("other seeds give other numbers") {
    CHECK(values(felt::uniform<float>({9}, 1)) == values(felt::uniform<float>({9}, 1)));
    CHECK_FALSE(values(felt::uniform<float>({9}, 1)) == values(felt::uniform<float>({9}, 2)));
}

TEST_CASE("a dropout mask is an expression and needs no memory") {
    Tensor<float, 1> const x = felt::full({1000}, 1.f);
    auto const before = felt::allocations();
    Tensor<float, 1> y({1000});
    y = x * (felt::uniform<float>(x.extents(), 11) < 0.75f) / 0.75f;
    CHECK(felt::allocations().tensors - before.tensors == 1);
    double kept = 0;
    for (double v : values(y).values) kept += v != 0;
    CHECK(kept == doctest::Approx(750).epsilon(0.06));
}

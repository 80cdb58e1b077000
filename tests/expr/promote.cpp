// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/promote.hpp>
#include <cstdint>
#include <type_traits>

using felt::index_t;
using felt::Tensor;
using test::plain;
using test::values;

namespace {

template <class T, class E>
constexpr bool has_elements(E const&) {
    return std::is_same_v<T, felt::value_of<E>>;
}

auto const x = Tensor<float, 1>::of({1, 2, 3});
auto const d = Tensor<double, 1>::of({0.1, 0.2, 0.3});
auto const i = Tensor<int, 1>::of({7, -8, 9});
auto const b = Tensor<bool, 1>::of({true, false, true});
auto const c = Tensor<std::int8_t, 1>::of({100, -100, 3});

}  // namespace

TEST_CASE("a number takes the tensor's type") {
    CHECK(has_elements<float>(x * 0.5));
    CHECK(has_elements<float>(2 - x));
    CHECK(has_elements<float>(maximum(x, 0.0)));
    CHECK(has_elements<int>(i + 1L));
    CHECK(has_elements<std::int8_t>(c + 1));
    CHECK(has_elements<bool>(i < 3));
    CHECK(values(x * 0.5) == plain{{3}, {0.5, 1, 1.5}});
    CHECK(values(i / 2) == plain{{3}, {3, -4, 4}});
}

TEST_CASE("a floating number makes integers floating") {
    CHECK(has_elements<double>(i * 0.5));
    CHECK(has_elements<float>(i * 0.5f));
    CHECK(has_elements<double>(b * 0.5));
    CHECK(values(i * 0.5) == plain{{3}, {3.5, -4, 4.5}});
    CHECK(values(i > 7.5) == plain{{3}, {0, 0, 1}});
    CHECK(values(b * 0.5) == plain{{3}, {0.5, 0, 0.5}});
}

TEST_CASE("tensors meet in the wider type") {
    CHECK(has_elements<double>(x + d));
    CHECK(has_elements<float>(x * i));
    CHECK(has_elements<int>(b + i));
    CHECK(has_elements<int>(c * i));
    CHECK(values(x + d) == plain{{3}, {1.1, 2.2, 3.3}, 1e-15});
    CHECK(values(x * i) == plain{{3}, {7, -16, 27}});
    CHECK(values(b + i) == plain{{3}, {8, -8, 10}});
    CHECK(values(c * i) == plain{{3}, {700, 800, 27}});
}

TEST_CASE("small integers keep their type and wrap, as in NumPy") {
    CHECK(has_elements<std::int8_t>(c + c));
    CHECK(has_elements<std::int8_t>(-c));
    CHECK(has_elements<std::int8_t>(abs(c)));
    CHECK(has_elements<std::int8_t>(maximum(c, 5)));
    CHECK(values(c + c) == plain{{3}, {-56, 56, 6}});
    Tensor<std::int8_t, 1> y = square(c);
    CHECK(values(y) == plain{{3}, {16, 16, 9}});
    y += c;
    CHECK(values(y) == plain{{3}, {116, -84, 12}});
    CHECK(values(y / c) == plain{{3}, {1, 0, 4}});
}

TEST_CASE("bool counts as a number in arithmetic and stays bool in logic") {
    CHECK(has_elements<int>(b + b));
    CHECK(has_elements<int>(-b));
    CHECK(has_elements<bool>(!b));
    CHECK(has_elements<bool>(b && x));
    CHECK(values(b + b) == plain{{3}, {2, 0, 2}});
    CHECK(values(b && x) == plain{{3}, {1, 0, 1}});
    CHECK(values(!i) == plain{{3}, {0, 0, 0}});
}

TEST_CASE("functions of real numbers take integers as double") {
    CHECK(has_elements<double>(exp(i)));
    CHECK(has_elements<double>(sqrt(b)));
    CHECK(has_elements<float>(exp(x)));
    CHECK(has_elements<double>(pow(i, 2)));
    CHECK(has_elements<float>(pow(x, 2)));
    CHECK(values(sqrt(i + 9)) == plain{{3}, {4, 1, std::sqrt(18.0)}, 1e-15});
}

TEST_CASE("cast changes the type of the elements and nothing else") {
    CHECK(values(felt::cast<int>(x * 0.9f)) == plain{{3}, {0, 1, 2}});
    CHECK(values(felt::cast<double>(i)) == plain{{3}, {7, -8, 9}});
    CHECK(values(felt::cast<bool>(i + 8)) == plain{{3}, {1, 0, 1}});
    CHECK(values(felt::cast<float>(b)) == plain{{3}, {1, 0, 1}});
    CHECK(values(felt::cast<index_t>(c)) == plain{{3}, {100, -100, 3}});
    CHECK(std::is_same_v<decltype(felt::cast<float>(x)), decltype(felt::as_node(x))>);
}

TEST_CASE("an assignment widens") {
    Tensor<double, 1> y = x + i;
    CHECK(values(y) == plain{{3}, {8, -6, 12}});
    y = b;
    CHECK(values(y) == plain{{3}, {1, 0, 1}});
    y = 3;
    CHECK(values(y) == plain{{3}, {3, 3, 3}});
    Tensor<index_t, 1> n = i;
    CHECK(values(n) == plain{{3}, {7, -8, 9}});
}

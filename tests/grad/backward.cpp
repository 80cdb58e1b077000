// SPDX-License-Identifier: BSD-3-Clause
//
// Which derivatives are written.
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {
// How many derivatives the program of a and b = f(a) writes, of cost g(a, b).
template <class F, class G, class... Option>
std::size_t statements(F const& f, G const& g, Option... option) {
    Tensor<double, 1> v({3}), memory_a, memory_b, dv({3});
    v = iota<double>({3}) + 1;
    auto const a = keep<"a">(memory_a, exp(named<"v">(v)));
    auto const b = keep<"b">(memory_b, f(a));
    auto step = gradient(program(a, b), sum(g(a, b)), wrt<"v">(), option...);
    std::size_t count = 0;
    step.with_statements([&](auto const&... s) { count = sizeof...(s); }, dv);
    (void)step(fused, dv);
    return count - 4;  // a, b, the cost, the derivative by v
}
}  // namespace

TEST_CASE("one reader: a part of its expression") {
    CHECK(statements([](auto const& a) { return a * a; },
                     [](auto const&, auto const& b) { return square(b); }) == 0);
}

TEST_CASE("as the user says") {
    auto const f = [](auto const& a) { return a * a; };
    auto const g = [](auto const& a, auto const& b) { return square(b) * a; };
    CHECK(statements(f, g, written<"b">()) == 1);
    CHECK(statements(f, g, written<"a", "b">()) == 2);
    CHECK(statements(f, g, written<"b">(), inlined<"b">()) == 0);
}

TEST_CASE("several readers: written once") {
    Tensor<double, 2> w({3, 4}), x({4, 5}), memory, dw({3, 4});
    Tensor<double, 1> b({3}), db({3});
    w = 0.1, x = 0.2, b = 0.3;
    auto const h =
        keep<"h">(memory, tanh(matmul(named<"w">(w), x) + expand_dims<1>(named<"b">(b))));
    auto const count = [&](auto step) {
        std::size_t n = 0;
        step.with_statements([&](auto const&... s) { n = sizeof...(s); }, dw, db);
        return n;
    };
    CHECK(count(gradient(program(h), sum(square(h)), wrt<"w", "b">())) == 5);
    CHECK(count(gradient(program(h), sum(square(h)), wrt<"w", "b">(), inlined<"h">())) == 4);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <optional>

using felt::Tensor;
using felt::view;
using test::message;

namespace {

using matrix = Tensor<float, 2>;

std::string operand(char const* e = "(2, 3)") {
    return std::string("run: the operand ") + e +
           " was destroyed, moved or swapped after it was named";
}

auto over_a_local() {
    matrix const local({2, 3});
    return local + 1.f;
}

}  // namespace

TEST_CASE("an expression is refused whose tensor has other memory, or none" *
          doctest::skip(!FELT_CHECKED)) {
    matrix t({2, 3}), u({2, 3}), y({2, 3});
    auto const e = t + 1.f;
    y = e;
    t = 5.f;  // an assignment of values keeps the memory
    y = e;
    CHECK(y(1, 2) == 6);
    t = matrix({2, 3});
    CHECK(message([&] { y = e; }) == operand());
    auto const f = 2.f * t;
    std::swap(t, u);
    CHECK(message([&] { y = f; }) == operand());
    CHECK(message([&] { run(felt::unfused, assign(y, f)); }) == operand());
    CHECK(message([&] {
              float const s = felt::sum(f);
              (void)s;
          }) == operand());
    y = 10.f;
    auto const g = exp(transpose(t) + 1.f);
    matrix const taken = std::move(t);
    CHECK(message([&] { (void)eval(g); }) == operand("(3, 2)"));
    CHECK(message([&] { y = over_a_local(); }) == operand());
    CHECK(y(1, 2) == 10);  // nothing is written
}

TEST_CASE("so are statements whose destination has, and snapshots that are made late" *
          doctest::skip(!FELT_CHECKED)) {
    matrix y({2, 3});
    auto const s = assign(y, 3.f);
    y = matrix({2, 3});
    CHECK(message([&] { run(felt::fused, s); }) ==
          "run: the destination (2, 3) was destroyed, moved or swapped after it was named");
    std::optional<matrix> w(matrix({4, 4}));
    auto const p = packed(*w);
    w.reset();
    matrix z;
    CHECK(message([&] { z = matmul(p, matrix({4, 2})); }) == operand("(4, 4)"));
}

TEST_CASE("what is moved in, views, memory of others, and what is made anew are not") {
    matrix t({2, 3}), u({2, 3}), y({2, 3});
    t = 1.f, u = 2.f;
    auto const owned = matrix(t) + 1.f;
    auto const copied = owned;
    std::swap(t, u);
    y = copied + t;
    CHECK(y(0, 0) == 4);
    auto const v = view(t);
    std::swap(t, u);
    y = v + 0.f;  // a view is of memory, whoever owns it
    CHECK(y(0, 0) == 2);
    std::vector<float> memory(6, 7.f);
    auto const e = view(memory.data(), {2, 3}) + 0.f;
    y = e;
    CHECK(y(0, 0) == 7);
    for (int step = 0; step < 3; ++step) {
        felt::fuse(assign(u, t + u));
        std::swap(t, u);
    }
    CHECK(t(0, 0) == 7);
    matrix const none({0, 3});
    auto const n = none + 1.f;
    CHECK(eval(n).size() == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;

TEST_CASE("types say what a backward pass writes early, and whether it reads what is lost") {
    Tensor<double, 1> h({3});
    auto const d = as_node(named<"h">(h) * 2);
    using D = std::remove_const_t<decltype(d)>;
    using pass =
        derive::backward_pass<tuple<>, tuple<>, tuple<>, true, D, derive::is_asked_here<1>>;
    static_assert(pass::reads_lost);
    CHECK(pass::writes_early<1>);
    CHECK(!pass::writes_early<0>);
}

TEST_CASE("a value that no derivative reads may be written again") {
    Tensor<double, 2> x({3, 4}), z, dx({3, 4});
    x = normal<double>(x.extents(), 1), z = x;
    auto const v = keep<"z">(z, named<"x">(x) * 2);
    auto const s = keep<"s">(z, sigmoid(v));
    auto step = gradient(program(v, s), sum(square(s)), wrt<"x">());
    step(fused, dx);
    Tensor<double, 2> const y = sigmoid(2 * x);
    CHECK(all_close(dx, 4 * y * y * (1 - y), 1e-13, 1e-14));
    auto const squared = keep<"s">(z, square(v));
    CHECK(message([&] {
              (void)gradient(program(v, squared), sum(square(squared)), wrt<"x">());
          }).find("\"z\" is overwritten by \"s\"") != std::string::npos);
}

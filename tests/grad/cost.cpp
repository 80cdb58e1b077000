// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;
using test::values;

TEST_CASE("a cost is an expression of rank 0, or a derivative by a name") {
    auto const x = test::numbered<Tensor<double, 2>>({2, 3});
    auto const j = derive::as_cost(sum(x));
    static_assert(decltype(j)::is_computed);
    auto const d = cotangent<"h">(x);
    static_assert(!decltype(derive::as_cost(d))::is_computed);
    CHECK(values(derive::from_link<literal_name<"h">>(d)) == values(x));
    using other = decltype(derive::from_link<literal_name<"z">>(d));
    CHECK(std::is_same_v<other, derive::zero>);
}

TEST_CASE("with a cotangent a program has derivatives and no cost") {
    Tensor<double, 2> w({3, 4}), h, dw({3, 4}), dy({3, 4}), known({3, 4});
    w = normal<double>(w.extents(), 1), dy = normal<double>(w.extents(), 2);
    auto const v = keep<"h">(h, tanh(named<"w">(w)));
    gradient(program(v), sum(v * dy), wrt<"w">())(fused, known);
    auto step = gradient(program(v), cotangent<"h">(dy), wrt<"w">());
    static_assert(std::is_void_v<decltype(step(fused, dw))>);
    step(fused, dw);
    CHECK(all_close(dw, known, 1e-14, 1e-15));
    step.run_forward(unfused);
    step.run_backward(unfused, dw);
    CHECK(all_close(dw, known, 1e-14, 1e-15));
}

TEST_CASE("cotangents of several values add up") {
    Tensor<double, 2> w({3, 4}), h, z, dw({3, 4}), dh({3, 4}), dz({3, 4}), known({3, 4});
    w = normal<double>(w.extents(), 1);
    dh = normal<double>(w.extents(), 2), dz = normal<double>(w.extents(), 3);
    auto const v = keep<"h">(h, tanh(named<"w">(w)));
    auto const u = keep<"z">(z, square(v));
    gradient(program(v, u), sum(v * dh) + sum(u * dz), wrt<"w">())(fused, known);
    auto const both = cotangent<"h">(dh) + cotangent<"z">(dz);
    gradient(program(v, u), both, wrt<"w">())(fused, dw);
    CHECK(all_close(dw, known, 1e-14, 1e-15));
    Tensor<double, 2> more({3, 4});
    gradient(program(v, u), both + cotangent<"w">(w), wrt<"w">())(unfused, more);
    CHECK(all_close(more, known + w, 1e-14, 1e-15));
}

TEST_CASE("a cotangent has the extents of its value, in a loop those of all steps") {
    Tensor<double, 2> w({3, 4}), h, wide({3, 5}), flat({1, 4});
    Tensor<double, 1> row({4});
    auto const v = keep<"h">(h, tanh(named<"w">(w)));
    auto const derive = [&](auto const& dy) {
        return message([&] { (void)gradient(program(v), cotangent<"h">(dy), wrt<"w">()); });
    };
    CHECK(derive(wide) == "cotangent: (3, 5) is not of the extents (3, 4) of \"h\"");
    CHECK(derive(flat) == "cotangent: (1, 4) is not of the extents (3, 4) of \"h\"");
    CHECK(derive(row) == "cotangent: (4) is not of the extents (3, 4) of \"h\"");
    CHECK(message([&] {
              auto const both = cotangent<"h">(w) + cotangent<"h">(wide);
              (void)gradient(program(v), both, wrt<"w">());
          }) == "cotangent: (3, 5) is not of the extents (3, 4) of \"h\"");

    Tensor<double, 2> x({6, 4}), y({6, 4}), dw({6, 4});
    Tensor<double, 1> b({4}), db({4});
    x = 1.0, b = 0.5;
    auto const u = keep<"y">(steps(y), named<"b">(b) * steps(x));
    auto const layer = scan(program(u));
    CHECK(message([&] { (void)gradient(layer, cotangent<"y">(row), wrt<"b">()); }) ==
          "cotangent: (4) is not of the extents (6, 4) of \"y\"");
    gradient(layer, cotangent<"y">(x), wrt<"b">())(fused, db);
    CHECK(db(3) == 6);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives by what is packed, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::tolerance;

namespace {
template <std::size_t R>
Tensor<double, R> random(extent_arg const (&e)[R], std::uint64_t seed) {
    Tensor<double, R> x(e);
    x = 0.5 * normal<double>(x.extents(), seed);
    return x;
}
}  // namespace

TEST_CASE("what is packed has the name of what it was made of") {
    auto w = random({7, 11}, 1);
    auto const x = random({11, 5}, 2);
    auto const p = packed(named<"w">(w));
    auto const e = sum(square(sigmoid(matmul(p, x)))) + sum(square(p));
    auto const plain = named<"w">(w);
    auto const expected = sum(square(sigmoid(matmul(plain, x)))) + sum(square(plain));
    CHECK(all_close(eval(grad<"w">(e)), eval(grad<"w">(expected)), 1e-13, 1e-13));
    auto const cost = [&] {
        p.rebuild();
        return static_cast<double>(e);
    };
    CHECK(test::distance(w, eval(grad<"w">(e)), cost) < tolerance);
}

TEST_CASE("both passes read one snapshot, fused and unfused, until it is built again") {
    auto w = random({13, 17}, 3);
    auto const x = random({17, 2}, 4), y = random({17, 2}, 5);
    Tensor<double, 2> H({13, 2}), dw({13, 17}), other({13, 17});
    auto const p = packed(named<"w">(w));
    auto const h = keep<"h">(H, tanh(matmul(p, x)));
    auto step = gradient(program(h), sum(square(matmul(transpose(p), h) - y)), wrt<"w">());
    double const before = step(fused, dw);
    w += 1.0;
    CHECK(step(unfused, other) == doctest::Approx(before));
    CHECK(all_close(dw, other, 1e-12, 1e-13));
    w -= 1.0;
    auto const cost = [&] {
        p.rebuild();
        return static_cast<double>(step(fused, other));
    };
    CHECK(test::distance(w, dw, cost) < tolerance);
}

TEST_CASE("no elements, and one") {
    Tensor<double, 2> none({0, 3}), one({1, 1});
    one(0, 0) = 0.3;
    auto const x = random({3, 2}, 6);
    auto const of_none = eval(grad<"w">(sum(matmul(packed(named<"w">(none)), x))));
    CHECK(of_none.extents() == none.extents());
    auto const p = packed(named<"w">(one));
    CHECK(eval(grad<"w">(sum(square(matmul(p, p)))))(0, 0) == doctest::Approx(4 * 0.027));
}

TEST_CASE("packed weights of a scan") {
    constexpr index_t T = 4, N = 3, E = 5, H = 7;
    auto wx = random({E, H}, 7), wh = random({H, H}, 8), h0 = random({N, H}, 9);
    auto const X = random({T, N, E}, 10);
    Tensor<double, 3> S({T, N, H});
    Tensor<double, 2> dwx({E, H}), dwh({H, H});
    auto const x = named<"x">(steps(X));
    auto const before = named<"h0">(h0);
    auto const px = packed(named<"wx">(wx));
    auto const ph = packed(named<"wh">(wh));
    auto const h = keep<"h">(steps(S), tanh(matmul(x, px) + matmul(before, ph)));
    auto const layer = scan(program(h), state<"h0", "h">, series<"x">);
    auto step = gradient(layer, sum(square(named<"h">(S))), wrt<"wx", "wh">());
    auto const cost = [&] {
        px.rebuild(), ph.rebuild();
        return static_cast<double>(step(fused, dwx, dwh));
    };
    (void)cost();
    auto const kx = dwx, kh = dwh;
    CHECK(test::distance(wx, kx, cost) < tolerance);
    CHECK(test::distance(wh, kh, cost) < tolerance);
}

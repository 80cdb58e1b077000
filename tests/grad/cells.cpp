// SPDX-License-Identifier: BSD-3-Clause
//
// Larger programs, as people write them, beside what is written by hand: the LSTM cell, FISTA's
// slope, layers of LISTA, the Gauss-Newton product.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::tolerance;

namespace {

Tensor<double, 2> random(extent_arg const (&e)[2], std::uint64_t seed, double size = 1) {
    Tensor<double, 2> x(e);
    x = size * normal<double>(x.extents(), seed);
    return x;
}

constexpr index_t batch = 3, inputs = 4, hidden = 5;

struct cell {
    Tensor<double, 2> x = random({batch, inputs}, 1), h0 = random({batch, hidden}, 2),
                      c0 = random({batch, hidden}, 3), wx = random({inputs, 4 * hidden}, 4, 0.3),
                      wh = random({hidden, 4 * hidden}, 5, 0.3),
                      target = random({batch, hidden}, 6);
    Tensor<double, 1> b{{4 * hidden}};
    Tensor<double, 2> z, c, h;
    Tensor<double, 2> dwx{{inputs, 4 * hidden}}, dwh{{hidden, 4 * hidden}}, dh0{{batch, hidden}},
        dc0{{batch, hidden}};
    Tensor<double, 1> db{{4 * hidden}};

    cell() { b = 0.1 * normal<double>({4 * hidden}, 7); }

    auto step() {
        auto const vx = named<"wx">(wx);
        auto const vh = named<"wh">(wh);
        auto const vb = named<"b">(b);
        auto const before = named<"h0">(h0);
        auto const memory = named<"c0">(c0);
        auto const vz = keep<"z">(z, matmul(x, vx) + matmul(before, vh) + vb);
        auto const [i, j, f, o] = split<1, 4>(vz);
        auto const vc = keep<"c">(c, sigmoid(f) * memory + sigmoid(i) * tanh(j));
        auto const q = keep<"h">(h, sigmoid(o) * tanh(vc));
        return gradient(program(vz, vc, q), sum(square(q - target)) + sum(vc),
                        wrt<"wx", "wh", "b", "h0", "c0">());
    }
};

}  // namespace

TEST_CASE("the LSTM cell") {
    cell of;
    auto step = of.step();
    static_assert(!recomputes_products<decltype(step)>);
    step(fused, of.dwx, of.dwh, of.db, of.dh0, of.dc0);
    auto const gate = [](auto& x, index_t g) {
        return slice(x, all(), range(g * hidden, (g + 1) * hidden));
    };
    Tensor<double, 2> const si = sigmoid(gate(of.z, 0)), tj = tanh(gate(of.z, 1)),
                            sf = sigmoid(gate(of.z, 2)), so = sigmoid(gate(of.z, 3));
    Tensor<double, 2> const dh = 2 * (of.h - of.target), tc = tanh(of.c);
    Tensor<double, 2> const dc = 1 + dh * so * (1 - tc * tc);
    Tensor<double, 2> dz({batch, 4 * hidden});
    gate(dz, 0) = dc * tj * si * (1 - si);
    gate(dz, 1) = dc * si * (1 - tj * tj);
    gate(dz, 2) = dc * of.c0 * sf * (1 - sf);
    gate(dz, 3) = dh * tc * so * (1 - so);
    CHECK(all_close(of.dwx, matmul(transpose(of.x), dz), 1e-12, 1e-14));
    CHECK(all_close(of.dwh, matmul(transpose(of.h0), dz), 1e-12, 1e-14));
    CHECK(all_close(of.db, sum<0>(dz), 1e-12, 1e-14));
    CHECK(all_close(of.dh0, matmul(dz, transpose(of.wh)), 1e-12, 1e-14));
    CHECK(all_close(of.dc0, dc * sf, 1e-12, 1e-14));
    Tensor<double, 2> const known = of.dwh;
    auto const again = [&] {
        return static_cast<double>(step(fused, of.dwx, of.dwh, of.db, of.dh0, of.dc0));
    };
    CHECK(test::distance(of.wh, known, again) < tolerance);
}

TEST_CASE("FISTA's slope, and the Gram matrix as its Hessian") {
    auto const w = random({7, 5}, 1), x = random({7, 4}, 2), v = random({5, 4}, 4);
    auto s = random({5, 4}, 3);
    auto const n = named<"s">(s);
    auto const energy = 0.5 * sum(square(matmul(w, n) - x));
    Tensor<double, 2> const slope = grad<"s">(energy);
    CHECK(all_close(slope, matmul(transpose(w), matmul(w, s) - x), 1e-12, 1e-14));
    Tensor<double, 2> const product = grad<"s">(sum(grad<"s">(energy) * v));
    CHECK(all_close(product, matmul(transpose(w), matmul(w, v)), 1e-12, 1e-13));
}

TEST_CASE("two layers of LISTA, whose weights are shared") {
    auto const x = random({7, 4}, 1), codes = random({5, 4}, 2);
    auto we = random({5, 7}, 3, 0.3), s = random({5, 5}, 4, 0.2);
    Tensor<double, 2> m1, m2, dwe({5, 7}), ds({5, 5});
    Tensor<double, 1> threshold({5}), dt({5});
    threshold = 0.05;
    auto const encoder = named<"we">(we);
    auto const inhibition = named<"s">(s);
    auto const t = named<"t">(threshold);
    auto const z0 = let<"z0">(soft_threshold(matmul(encoder, x), expand_dims<1>(t)));
    auto const layer = [&](auto const& z) {
        return soft_threshold(matmul(encoder, x) + matmul(inhibition, z), expand_dims<1>(t));
    };
    auto const z1 = keep<"z1">(m1, layer(z0));
    auto const z2 = keep<"z2">(m2, layer(z1));
    auto step = gradient(program(z0, z1, z2), sum(square(z2 - codes)), wrt<"we", "s", "t">());
    step(fused, dwe, ds, dt);
    Tensor<double, 2> const gwe = dwe, gs = ds;
    Tensor<double, 1> const gt = dt;
    auto const again = [&] { return static_cast<double>(step(fused, dwe, ds, dt)); };
    CHECK(test::distance(we, gwe, again) < tolerance);
    CHECK(test::distance(s, gs, again) < tolerance);
    CHECK(test::distance(threshold, gt, again) < tolerance);
}

TEST_CASE("the Gauss-Newton product of a layer: J' (J v)") {
    auto w = random({5, 4}, 1, 0.5);
    auto const x = random({4, 6}, 2), v = random({5, 4}, 3);
    auto const n = named<"w">(w);
    auto const y = sigmoid(matmul(n, x));
    // J v is linear in a cotangent u: the derivative by u of what u pulls back, times v.
    Tensor<double, 2> zeros({5, 6});
    auto const u = named<"u">(zeros);
    auto const jv = grad<"u">(sum(grad<"w">(y, u) * v));
    Tensor<double, 2> const product = grad<"w">(y, stop(jv));
    double const h = 1e-6;
    Tensor<double, 2> const old = w;
    w = old + h * v;
    Tensor<double, 2> const up = y;
    w = old - h * v;
    Tensor<double, 2> const down = y;
    w = old;
    Tensor<double, 2> const along_v = (up - down) / (2 * h), s = y;
    Tensor<double, 2> const known = matmul(along_v * s * (1 - s), transpose(x));
    CHECK(all_close(product, known, 1e-6, 1e-8));
}

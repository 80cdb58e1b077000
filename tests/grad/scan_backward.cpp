// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives through time beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::tolerance;

namespace {

template <std::size_t R>
Tensor<double, R> random(extents<R> const& e, std::uint64_t seed, double size = 0.5) {
    Tensor<double, R> x(e);
    x = size * normal<double>(e, seed);
    return x;
}

constexpr index_t N = 3, E = 4, H = 5;

// Everything that the cells below are made of, for T steps.
struct numbers {
    index_t T;
    Tensor<double, 3> X, S, Q, Y;
    Tensor<double, 2> wx = random<2>({{E, H}}, 2), wh = random<2>({{H, H}}, 3),
                      h0 = random<2>({{N, H}}, 4);
    Tensor<double, 1> b = random<1>({{H}}, 5);
    Tensor<double, 2> dwx{{E, H}}, dwh{{H, H}}, dh0{{N, H}};
    Tensor<double, 1> db{{H}};
    Tensor<double, 3> dX;

    explicit numbers(index_t t)
        : T(t),
          X(random<3>({{t, N, E}}, 1)),
          S({t, N, H}),
          Q({t, N, H}),
          Y(random<3>({{t, N, H}}, 6)),
          dX(X.extents()) {}
    auto x() const { return named<"x">(steps(X)); }
    auto weights_x() const { return named<"wx">(wx); }
    auto weights_h() const { return named<"wh">(wh); }
    auto bias() const { return named<"b">(b); }
    auto before() const { return named<"h0">(h0); }
    auto all() const { return named<"h">(S); }

    // g: of wx, wh, b, h0 and x.
    template <class G>
    void check(G&& g) {
        g(unfused, dwx, dwh, db, dh0, dX);
        auto const kx = dwx, kh = dwh, k0 = dh0;
        auto const kb = db;
        auto const kX = dX;
        auto const cost = [&] { return double(g(fused, dwx, dwh, db, dh0, dX)); };
        (void)cost();
        CHECK(all_close(dwx, kx, 1e-12, 1e-13));
        CHECK(all_close(dwh, kh, 1e-12, 1e-13));
        CHECK(test::distance(wx, kx, cost) < tolerance);
        CHECK(test::distance(wh, kh, cost) < tolerance);
        CHECK(test::distance(b, kb, cost) < tolerance);
        CHECK(test::distance(h0, k0, cost) < tolerance);
        CHECK(test::distance(X, kX, cost) < tolerance);
        static_assert(!recomputes_products<G>);
    }
};

constexpr auto all_names = wrt<"wx", "wh", "b", "h0", "x">();

}  // namespace

TEST_CASE("a plain recurrent layer, of any number of steps") {
    for (index_t T : {1, 2, 5}) {
        numbers of(T);
        auto const z = matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h());
        auto const h = keep<"h">(steps(of.S), tanh(z + of.bias()));
        auto const layer = scan(program(h), state<"h0", "h">, series<"x">);
        of.check(gradient(layer, sum(square(of.all() - of.Y)), all_names));
    }
}

TEST_CASE("a cost of the last step alone, and one that is the sum of all") {
    numbers of(4);
    auto const z = matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h());
    auto const h = keep<"h">(steps(of.S), tanh(z + of.bias()));
    auto const layer = scan(program(h), state<"h0", "h">, series<"x">);
    auto const last = slice(of.all(), 3, all(), all());
    of.check(gradient(layer, sum(square(last)), all_names));
    of.check(gradient(layer, sum(of.all()), all_names));
}

TEST_CASE("a state that the cost does not read, values between, and by let") {
    numbers of(4);
    Tensor<double, 2> c0 = random<2>({{N, H}}, 8), dc0({N, H});
    Tensor<double, 3> G({4, N, H});
    auto const memory = named<"c0">(c0);
    auto const z = let<"z">(matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h()));
    auto const g = keep<"g">(steps(G), sigmoid(z + of.bias()));
    auto const c = keep<"c">(steps(of.Q), g * memory + (1 - g) * tanh(z));
    auto const h = keep<"h">(steps(of.S), tanh(c) * g);
    auto const layer = scan(program(g, c, h), state<"c0", "c">, state<"h0", "h">, series<"x">);
    auto const cost = sum(square(of.all() - of.Y));
    auto step = gradient(layer, cost, wrt<"wx", "wh", "b", "h0", "x", "c0">());
    auto const again = [&] {
        return double(step(fused, of.dwx, of.dwh, of.db, of.dh0, of.dX, dc0));
    };
    (void)again();
    auto const kx = of.dwx, kh = of.dwh, k0 = of.dh0, kc = dc0;
    auto const kb = of.db;
    auto const kX = of.dX;
    CHECK(test::distance(of.wx, kx, again) < tolerance);
    CHECK(test::distance(of.wh, kh, again) < tolerance);
    CHECK(test::distance(of.b, kb, again) < tolerance);
    CHECK(test::distance(of.h0, k0, again) < tolerance);
    CHECK(test::distance(c0, kc, again) < tolerance);
    CHECK(test::distance(of.X, kX, again) < tolerance);
}

TEST_CASE("a gated recurrent unit") {
    numbers of(3);
    Tensor<double, 3> R({3, N, H}), U({3, N, H});
    auto const x = matmul(of.x(), of.weights_x());
    auto const r = keep<"r">(steps(R), sigmoid(x + of.bias()));
    auto const u = keep<"u">(steps(U), sigmoid(matmul(of.before(), of.weights_h())));
    auto const n = keep<"n">(steps(of.Q), tanh(x + matmul(r * of.before(), of.weights_h())));
    auto const h = keep<"h">(steps(of.S), u * of.before() + (1 - u) * n);
    auto const layer = scan(program(r, u, n, h), state<"h0", "h">, series<"x">);
    auto step = gradient(layer, sum(square(of.all() - of.Y)), all_names);
    auto const again = [&] { return double(step(fused, of.dwx, of.dwh, of.db, of.dh0, of.dX)); };
    (void)again();
    auto const kh = of.dwh, k0 = of.dh0, kx = of.dwx;
    CHECK(test::distance(of.wh, kh, again) < tolerance);
    CHECK(test::distance(of.wx, kx, again) < tolerance);
    CHECK(test::distance(of.h0, k0, again) < tolerance);
}

TEST_CASE("normalisation and softmax in the cell") {
    numbers of(3);
    auto const z = matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h());
    auto const y = keep<"z">(steps(of.Q), z);
    auto const m = (y - mean<1>(y, keepdims)) / sqrt(var<1>(y, keepdims) + 0.1);
    auto const h = keep<"h">(steps(of.S), tanh(m + of.bias()) + softmax<1>(y));
    auto const layer = scan(program(y, h), state<"h0", "h">, series<"x">);
    of.check(gradient(layer, sum(square(of.all() - of.Y)), all_names));
}

TEST_CASE("layers on each other, a product ahead of the loop, the head behind it") {
    numbers of(4);
    Tensor<double, 3> A({4, N, H}), P({4, N, E});
    Tensor<double, 2> u = random<2>({{H, H}}, 9), v = random<2>({{H, E}}, 10), du(u.extents()),
                      dv(v.extents());
    auto const a =
        keep<"a">(A, einsum<"tne,eh->tnh">(named<"x">(of.X), of.weights_x()) + of.bias());
    auto const now = named<"a">(steps(A));
    auto const h = keep<"h1">(steps(of.Q), tanh(now + matmul(of.before(), of.weights_h())));
    auto const first = scan(program(h), state<"h0", "h1">, series<"a">);
    auto const below = named<"h1">(steps(of.Q));
    auto const g =
        keep<"h">(steps(of.S), tanh(matmul(below, named<"u">(u)) + matmul(named<"g0">(of.h0), u)));
    auto const second = scan(program(g), state<"g0", "h">, series<"h1">);
    auto const p = keep<"p">(P, einsum<"tnh,he->tne">(of.all(), named<"v">(v)));
    auto step = gradient(program(a, first, second, p), sum(square(p - of.X)) + sum(square(h * 0)),
                         wrt<"wx", "wh", "b", "h0", "x", "v">());
    auto const again = [&] {
        return double(step(fused, of.dwx, of.dwh, of.db, of.dh0, of.dX, dv));
    };
    (void)again();
    auto const kx = of.dwx, kh = of.dwh, kv = dv;
    auto const kb = of.db;
    CHECK(test::distance(of.wx, kx, again) < tolerance);
    CHECK(test::distance(of.wh, kh, again) < tolerance);
    CHECK(test::distance(of.b, kb, again) < tolerance);
    CHECK(test::distance(v, kv, again) < tolerance);
}

TEST_CASE("with the derivative by the outputs instead of a cost") {
    numbers of(4);
    auto const z = matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h());
    auto const h = keep<"h">(steps(of.S), tanh(z + of.bias()));
    auto const layer = scan(program(h), state<"h0", "h">, series<"x">);
    auto by_cost = gradient(layer, sum(of.all() * of.Y), wrt<"wx", "h0">());
    by_cost(fused, of.dwx, of.dh0);
    auto const kx = of.dwx, k0 = of.dh0;
    auto by_outputs = gradient(layer, cotangent<"h">(of.Y), wrt<"wx", "h0">());
    by_outputs.run_forward(fused);
    by_outputs.run_backward(fused);
    run(fused, assign(of.dwx, get<0>(by_outputs.derivatives())));
    CHECK(all_close(of.dwx, kx, 1e-14, 1e-15));
    by_outputs(fused, of.dwx, of.dh0);
    CHECK(all_close(of.dh0, k0, 1e-14, 1e-15));
}

TEST_CASE("a state in its series has no copy: one product of all steps") {
    numbers of(4);
    Tensor<double, 3> all_states({5, N, H});
    slice(all_states, 0, all(), all()) = of.h0;
    auto const h0 = named<"h0">(steps(all_states));
    auto const z = matmul(of.x(), of.weights_x()) + matmul(h0, of.weights_h()) + of.bias();
    auto const h = keep<"h">(steps(all_states, 1), tanh(z));
    auto const outputs = named<"h">(slice(all_states, range(1, 5), all(), all()));
    auto const layer = scan(program(h), state<"h0", "h">, series<"x">);
    auto step = gradient(layer, sum(square(outputs - of.Y)), wrt<"wh", "h0">());
    step(fused, of.dwh, of.dh0);
    auto const kh = of.dwh, k0 = of.dh0;
    auto const plain = keep<"h">(
        steps(of.S),
        tanh(matmul(of.x(), of.weights_x()) + matmul(of.before(), of.weights_h()) + of.bias()));
    auto other = gradient(scan(program(plain), state<"h0", "h">), sum(square(of.all() - of.Y)),
                          wrt<"wh", "h0">());
    other(fused, of.dwh, of.dh0);
    CHECK(all_close(of.dwh, kh, 1e-13, 1e-14));
    CHECK(all_close(of.dh0, k0, 1e-13, 1e-14));
}

TEST_CASE("a function of what all steps share alone") {
    Tensor<double, 3> X({4, N, H}), Y({4, N, H});
    Tensor<double, 1> b({H}), db({H});
    X = normal<double>(X.extents(), 1), b = normal<double>(b.extents(), 2);
    auto const x = named<"x">(steps(X));
    auto const scaled = keep<"y">(steps(Y), tanh(named<"b">(b)) * x);
    auto step = gradient(scan(program(scaled)), sum(square(named<"y">(Y))), wrt<"b">());
    CHECK(double(step(fused, db)) == doctest::Approx(sum(square(X * tanh(b)))));
    Tensor<double, 1> const known = 2 * tanh(b) * (1 - square(tanh(b))) * sum<0, 1>(square(X));
    CHECK(all_close(db, known, 1e-13, 1e-14));
}

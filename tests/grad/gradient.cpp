// SPDX-License-Identifier: BSD-3-Clause
//
// Derived programs: values beside central differences, statements beside those written by hand.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>
#include <sstream>

using namespace felt;
using test::tolerance;

namespace {

using matrix = Tensor<double, 2>;
using vector = Tensor<double, 1>;

// A sparse autoencoder of 8 visible and 5 hidden units.
struct autoencoder {
    matrix w1{{5, 8}}, w2{{8, 5}}, x{{8, 40}}, a2, a3;
    vector b1{{5}}, b2{{8}}, rho;

    autoencoder() {
        w1 = normal<double>(w1.extents(), 1) * 0.3, w2 = normal<double>(w2.extents(), 2) * 0.3;
        b1 = normal<double>({5}, 3), b2 = normal<double>({8}, 4);
        x = uniform<double>(x.extents(), 5);
    }

    auto step() {
        auto const v1 = named<"w1">(w1);
        auto const v2 = named<"w2">(w2);
        auto const c1 = named<"b1">(b1);
        auto const c2 = named<"b2">(b2);
        double const wanted = 0.05, beta = 0.3, lambda = 1e-2;
        auto const h = keep<"h">(a2, sigmoid(matmul(v1, x) + expand_dims<1>(c1)));
        auto const r = keep<"r">(rho, mean<1>(h));
        auto const y = keep<"y">(a3, sigmoid(matmul(v2, h) + expand_dims<1>(c2)));
        auto const kl = sum(wanted * log(wanted / r) + (1 - wanted) * log((1 - wanted) / (1 - r)));
        auto const cost = 0.5 / 40 * sum(square(y - x)) + beta * kl +
                          lambda / 2 * (sum(square(v1)) + sum(square(v2)));
        return gradient(program(h, r, y), cost, wrt<"w1", "w2", "b1", "b2">());
    }
};

std::string explained(auto const& step, auto&... to) {
    std::ostringstream out;
    step.with_statements([&](auto const&... s) { out << explain(s...); }, to...);
    return out.str();
}

}  // namespace

TEST_CASE("the sparse autoencoder") {
    autoencoder of;
    auto step = of.step();
    matrix d1({5, 8}), d2({8, 5});
    vector e1({5}), e2({8});
    double const cost = step(fused, d1, d2, e1, e2);
    CHECK(cost > 0);
    matrix const g1 = d1, g2 = d2;
    vector const f1 = e1, f2 = e2;
    auto const again = [&] { return static_cast<double>(step(fused, d1, d2, e1, e2)); };
    CHECK(test::distance(of.w1, g1, again) < tolerance);
    CHECK(test::distance(of.w2, g2, again) < tolerance);
    CHECK(test::distance(of.b1, f1, again) < tolerance);
    CHECK(test::distance(of.b2, f2, again) < tolerance);
    CHECK(step(unfused, d1, d2, e1, e2) == doctest::Approx(cost));
    CHECK(all_close(d1, g1, 1e-12, 1e-14));
    CHECK(all_close(e2, f2, 1e-12, 1e-14));
}

TEST_CASE("the two deltas of an autoencoder are written, and nothing else") {
    autoencoder of;
    auto const step = of.step();
    matrix d1({5, 8}), d2({8, 5});
    vector e1({5}), e2({8});
    std::string const text = explained(step, d1, d2, e1, e2);
    CAPTURE(text);
    std::size_t statements = 0;
    for (std::size_t at = 0; (at = text.find("y (", at)) != std::string::npos; ++at) ++statements;
    CHECK(statements == 3 + 1 + 2 + 4);  // kept, the cost, the deltas, the derivatives
    CHECK(text.find("intermediates: none") != std::string::npos);
}

TEST_CASE("what is inlined and what is written can be said") {
    vector w({4}), a, b;
    w = normal<double>({4}, 6);
    auto const x = named<"w">(w);
    auto const p = keep<"a">(a, sin(x) * x);
    auto const q = keep<"b">(b, p * p + p);
    auto const cost = sum(q * q * p);
    vector g({4});
    auto const count = [&](auto&& step) {
        std::string const text = explained(step, g);
        std::size_t n = 0;
        for (std::size_t at = 0; (at = text.find("y (4)", at)) != std::string::npos; ++at) ++n;
        (void)step(fused, g);
        return n;
    };
    CHECK(count(gradient(program(p, q), cost, wrt<"w">())) == 3);
    vector const inlined_ones = g;
    CHECK(count(gradient(program(p, q), cost, wrt<"w">(), written<"a", "b">())) == 5);
    CHECK(all_close(g, inlined_ones, 1e-13, 1e-13));
    auto const y = named<"v">(w);
    CHECK(test::distance(w, inlined_ones, [&] {
              auto const s = sin(y) * y;
              auto const t = s * s + s;
              return static_cast<double>(sum(t * t * s));
          }) < tolerance);
}

TEST_CASE("a program moves with its memory") {
    autoencoder of;
    auto step = of.step();
    auto moved = std::move(step);
    matrix d1({5, 8}), d2({8, 5});
    vector e1({5}), e2({8});
    double const cost = moved(fused, d1, d2, e1, e2);
    auto again = of.step();
    CHECK(again(fused, d1, d2, e1, e2) == cost);
}

TEST_CASE("derivatives land in parts of one vector") {
    autoencoder of;
    auto step = of.step();
    vector flat({40 + 40 + 5 + 8});
    flat = 0.0;
    View<double, 2> d1{flat.data(), {{5, 8}}, {{8, 1}}}, d2{flat.data() + 40, {{8, 5}}, {{5, 1}}};
    View<double, 1> e1{flat.data() + 80, {{5}}, {{1}}}, e2{flat.data() + 85, {{8}}, {{1}}};
    double const cost = step(fused, d1, d2, e1, e2);
    matrix m1({5, 8}), m2({8, 5});
    vector v1({5}), v2({8});
    CHECK(step(fused, m1, m2, v1, v2) == cost);
    CHECK(flat(39) == m1(4, 7));
    CHECK(flat(92) == v2(7));
}

TEST_CASE("a program explains itself, and says whether it computes products again") {
    autoencoder of;
    auto const step = of.step();
    static_assert(!recomputes_products<decltype(step)>);
    std::ostringstream out;
    out << explain(step);
    CHECK(out.str().find("in one pass") != std::string::npos);
    auto const plan = explain(step);  // it has what it reads with it
    matrix d1({5, 8}), d2({8, 5});
    vector e1({5}), e2({8});
    step.with_statements(
        [&](auto const&... s) { CHECK(explain(s...).bytes() == plan.total().bytes); }, d1, d2, e1,
        e2);
    auto const w = named<"w">(of.w1);
    auto const z = let<"z">(matmul(w, of.x));
    auto const again = gradient(program(z), sum(square(sigmoid(z))), wrt<"w">());
    static_assert(recomputes_products<decltype(again)>);
}

TEST_CASE("a value that is overwritten before the backward pass reads it") {
    Tensor<double, 1> v({3}), memory;
    v = 1.0;
    auto const a = keep<"a">(memory, exp(named<"v">(v)));
    auto const b = keep<"b">(memory, a * a);
    CHECK_THROWS_WITH_AS((void)gradient(program(a, b), sum(b), wrt<"v">()),
                         doctest::Contains("\"a\" is overwritten by \"b\""), error);
}

TEST_CASE("a value of which a part is overwritten; and parts that lie between each other") {
    Tensor<double, 1> v({3}), memory({4});
    v = 1.0;
    auto const a = keep<"a">(slice(memory, until(3)), exp(named<"v">(v)));
    auto const b = keep<"b">(slice(memory, from(1)), a * a);
    CHECK_THROWS_WITH_AS((void)gradient(program(a, b), sum(b), wrt<"v">()),
                         doctest::Contains("\"a\" is overwritten by \"b\""), error);

    Tensor<double, 2> columns({3, 2});
    Tensor<double, 1> dv({3});
    auto const c = keep<"c">(slice(columns, all(), 0), exp(named<"v">(v)));
    auto const d = keep<"d">(slice(columns, all(), 1), c * c);
    auto step = gradient(program(c, d), sum(d), wrt<"v">());
    CHECK(double(step(fused, dv)) == doctest::Approx(3 * std::exp(2)));
    CHECK(dv(2) == doctest::Approx(2 * std::exp(2)));
}

TEST_CASE("what a run throws, by its words") {
    Tensor<double, 2> w({3, 4}), column({3, 1}), h, dw({3, 5});
    w = 1.0, column = 2.0;
    auto const v = keep<"h">(h, named<"w">(w) * named<"c">(column));
    auto const u = keep<"h">(h, named<"w">(w) + 1);
    auto const text_of = [](auto const& f) {
        try {
            f();
        } catch (shape_error const& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(text_of([&] { (void)gradient(program(v), sum(v), wrt<"c">()); })
              .find("(3, 1) is stretched to (3, 4) along axis 1, which its type does not say: "
                    "expand_dims<1>(x) or along<A>(x)") != std::string::npos);
    auto step = gradient(program(u), sum(u), wrt<"w">());
    CHECK(text_of([&] { step(fused, dw); }) == "assign: (3, 4) does not fit (3, 5)");
}

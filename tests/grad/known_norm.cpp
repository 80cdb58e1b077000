// SPDX-License-Identifier: BSD-3-Clause
//
// batch_norm in programs, beside differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::tolerance;

namespace {

struct layer {
    Tensor<double, 4> x{{3, 2, 5, 4}}, y{{3, 2, 5, 4}}, t{{3, 2, 5, 4}}, dx{{3, 2, 5, 4}};
    Tensor<double, 1> g{{2}}, b{{2}}, dg{{2}}, db{{2}}, mean{{2}}, variance{{2}};

    layer() {
        x = normal<double>(x.extents(), 1);
        t = normal<double>(t.extents(), 2);
        g = normal<double>(g.extents(), 3);
        b = normal<double>(b.extents(), 4);
        mean = 0.1, variance = 1.0;
    }
    template <class Step>
    void check(Step&& step) {
        auto const cost = [&] { return double(step(fused, dx, dg, db)); };
        (void)cost();
        auto const kx = dx;
        auto const kg = dg, kb = db;
        CHECK(test::distance(x, kx, cost) < tolerance);
        CHECK(test::distance(g, kg, cost) < tolerance);
        CHECK(test::distance(b, kb, cost) < tolerance);
        step(unfused, dx, dg, db);
        CHECK(all_close(dx, kx, 1e-12, 1e-13));
        CHECK(all_close(dg, kg, 1e-12, 1e-13));
    }
};

}  // namespace

TEST_CASE("what comes back is what differences say") {
    layer of;
    auto const y = keep<"y">(of.y, tanh(named<"x">(of.x)) * 2.0);
    auto const z = batch_norm<"n">(y, named<"g">(of.g), named<"b">(of.b));
    auto const wanted = wrt<"x", "g", "b">();
    of.check(gradient(program(y), sum(square(relu(z) - of.t)), wanted));
    of.check(gradient(program(y), sum(square(relu(z) - of.t)), wanted, in_place<"y">()));
    of.check(gradient(program(y), sum(square(z * of.t) + y), wanted));
    CHECK(double(gradient(program(y), sum(z * of.t), wanted)(fused, of.dx, of.dg, of.db)) ==
          doctest::Approx(double(sum(batch_norm<"n">(of.y, of.g, of.b) * of.t))).epsilon(1e-12));
}

TEST_CASE("norms of norms, of what is not kept, and inside of kept values") {
    layer of;
    Tensor<double, 1> const g = of.g * 2, b = of.b + 1;
    auto const inner = batch_norm<"n">(tanh(named<"x">(of.x)), named<"g">(of.g), b);
    auto const outer = batch_norm<"m">(square(inner) + inner, g, named<"b">(of.b));
    of.check(gradient(program(), sum(square(outer - of.t)), wrt<"x", "g", "b">()));
    auto const y = keep<"y">(of.y, relu(outer) + 0.1);
    of.check(gradient(program(y), sum(square(y - of.t)), wrt<"x", "g", "b">()));
}

TEST_CASE("running statistics follow, and do not change the result") {
    layer of;
    running_statistics<double> const running{view(of.mean), view(of.variance)};
    auto const y = keep<"y">(of.y, tanh(named<"x">(of.x)));
    auto const z = batch_norm<"n">(y, named<"g">(of.g), named<"b">(of.b), running);
    auto step = gradient(program(y), sum(square(z - of.t)), wrt<"x", "g", "b">());
    double const cost = step(fused, of.dx, of.dg, of.db);
    CHECK(cost == doctest::Approx(double(sum(square(batch_norm<"n">(of.y, of.g, of.b) - of.t))))
                      .epsilon(1e-12));
    Tensor<double, 1> const mean_of = mean<0, 2, 3>(of.y);
    Tensor<double, 1> const variance_of = var<0, 2, 3>(of.y);
    CHECK(all_close(of.mean, 0.9 * 0.1 + 0.1 * mean_of, 1e-12, 1e-13));
    CHECK(all_close(of.variance, 0.9 + 0.1 * variance_of * (60.0 / 59.0), 1e-12, 1e-13));
    of.check(step);
}

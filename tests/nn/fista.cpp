// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/fista.hpp>
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>
#include <algorithm>
#include <cmath>

namespace {

using felt::index_t;
using matrix = felt::Tensor<double, 2>;

double shrunk(double v, double by) { return std::copysign(std::max(std::abs(v) - by, 0.0), v); }

struct problem {
    matrix W = felt::normal<double>({16, 30}, 3) * 0.25;
    matrix x = felt::normal<double>({16, 9}, 4);
    felt::dictionary<double> d{W};

    // a |W s - x|^2 + lambda |s|_1
    double objective(matrix const& s, double lambda, double a = 0.5) const {
        double value = 0;
        for (index_t j = 0; j < x.extent(1); ++j) {
            for (index_t i = 0; i < x.extent(0); ++i) {
                double r = -x(i, j);
                for (index_t k = 0; k < W.extent(1); ++k) r += W(i, k) * s(k, j);
                value += a * r * r;
            }
            for (index_t k = 0; k < W.extent(1); ++k) value += lambda * std::abs(s(k, j));
        }
        return value;
    }

    // By coordinates: of each in turn the minimum of 1/2 |W s - x|^2 + lambda |s|_1.
    matrix by_coordinates(double lambda, int sweeps = 3000) const {
        matrix s({W.extent(1), x.extent(1)}), r = x;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (index_t k = 0; k < s.extent(0); ++k) {
                double size = 0;
                for (index_t i = 0; i < W.extent(0); ++i) size += W(i, k) * W(i, k);
                for (index_t j = 0; j < s.extent(1); ++j) {
                    double pull = size * s(k, j);
                    for (index_t i = 0; i < W.extent(0); ++i) pull += W(i, k) * r(i, j);
                    double const now = shrunk(pull, lambda) / size;
                    for (index_t i = 0; i < W.extent(0); ++i) r(i, j) += W(i, k) * (s(k, j) - now);
                    s(k, j) = now;
                }
            }
        }
        return s;
    }

    // How far the conditions of an optimum are from holding: with g = W'(x - W s), g = lambda
    // sign(s) where s is not 0, and |g| <= lambda elsewhere.
    double kkt_violation(matrix const& s, double lambda) const {
        matrix const g = matmul(transpose(W), x - matmul(W, s));
        double worst = 0;
        for (index_t k = 0; k < s.extent(0); ++k) {
            for (index_t j = 0; j < s.extent(1); ++j) {
                double const v = s(k, j) == 0 ? std::abs(g(k, j)) - lambda
                                              : std::abs(g(k, j) - std::copysign(lambda, s(k, j)));
                worst = std::max(worst, v);
            }
        }
        return worst;
    }

    felt::fista<double> solved(felt::fista_options const& o, int iterations) const {
        felt::fista<double> solver(d, felt::view(x), o);
        for (int k = 0; k < iterations; ++k) solver.step();
        return solver;
    }
};

// The paper's iteration in plain loops, from 0.
matrix by_hand(problem const& p, double lambda, double L, int iterations, bool momentum) {
    index_t const n = p.W.extent(1), m = p.x.extent(1);
    matrix s({n, m}), before({n, m}), y({n, m});
    double t = 1;
    for (int it = 0; it < iterations; ++it) {
        before = s;
        for (index_t j = 0; j < m; ++j) {
            std::vector<double> r(static_cast<std::size_t>(p.x.extent(0)));
            for (index_t i = 0; i < p.x.extent(0); ++i) {
                double& v = r[static_cast<std::size_t>(i)];
                v = -p.x(i, j);
                for (index_t k = 0; k < n; ++k) v += p.W(i, k) * y(k, j);
            }
            for (index_t k = 0; k < n; ++k) {
                double g = 0;
                for (index_t i = 0; i < p.x.extent(0); ++i) {
                    g += p.W(i, k) * r[static_cast<std::size_t>(i)];
                }
                s(k, j) = shrunk(y(k, j) - g / L, lambda / L);
            }
        }
        double const next = (1 + std::sqrt(1 + 4 * t * t)) / 2, by = momentum ? (t - 1) / next : 0;
        for (index_t k = 0; k < s.size(); ++k) {
            y.data()[k] = s.data()[k] + by * (s.data()[k] - before.data()[k]);
        }
        t = next;
    }
    return s;
}

double distance(matrix const& a, matrix const& b) {
    return double(norm2(a - b)) / double(norm2(b));
}

}  // namespace

TEST_CASE("with a dictionary of one unit vector per axis the first step is the answer") {
    matrix const W = matrix::of({{1, 0}, {0, 1}}), x = matrix::of({{3, -0.5}, {-2, 0.25}});
    felt::dictionary<double> const d(W);
    CHECK(d.largest == doctest::Approx(1));
    felt::fista<double> solver(d, felt::view(x), {.lambda = 1, .lipschitz = 1});
    auto const m = solver.step_and_measure();
    CHECK(bool(felt::all(solver.codes() == matrix::of({{2, 0}, {-1, 0}}))));
    CHECK(m.objective == 0.5 * (1 + 1 + 0.25 + 0.0625) + 3);
    CHECK(m.gap == doctest::Approx(0));
    CHECK(m.nonzeros == 1);
}

TEST_CASE("the largest eigenvalue is found, and not underestimated") {
    matrix G({5, 5});
    for (index_t i = 0; i < 5; ++i) G(i, i) = static_cast<double>(i);
    CHECK(felt::largest_eigenvalue(G) >= 4);
    CHECK(felt::largest_eigenvalue(G) <= 4 * 1.001);
    CHECK(felt::largest_eigenvalue(G, 1e-9) == doctest::Approx(4).epsilon(1e-9));
    G = matmul(G, G) * 0;
    CHECK(felt::largest_eigenvalue(G) == 0);
    G(1, 1) = std::nan("");
    CHECK_THROWS_AS(felt::dictionary<double>{G}, felt::error);
}

TEST_CASE("the iterations are those of the paper, by plain loops") {
    problem const p;
    double const L = p.d.largest;
    for (int n : {1, 2, 3, 25}) {
        CAPTURE(n);
        CHECK(distance(p.solved({.lambda = 0.3}, n).codes(), by_hand(p, 0.3, L, n, true)) < 1e-12);
        CHECK(distance(p.solved({.lambda = 0.3, .momentum = false}, n).codes(),
                       by_hand(p, 0.3, L, n, false)) < 1e-12);
    }
}

TEST_CASE("the optimum is that of coordinate descent, and obeys its conditions") {
    problem const p;
    matrix const best = p.by_coordinates(0.3);
    double const least = p.objective(best, 0.3);
    auto const check = [&](felt::fista_options o, int iterations) {
        o.lambda = 0.3;
        auto solver = p.solved(o, iterations);
        CHECK(p.objective(solver.codes(), 0.3) == doctest::Approx(least).epsilon(1e-9));
        CHECK(p.kkt_violation(solver.codes(), 0.3) < 1e-4);
        CHECK(solver.measure().gap < 1e-6 * least);
        CHECK(solver.iteration() == iterations);
    };
    check({}, 3000);
    check({.momentum = false}, 20000);
    check({.growth = 2}, 3000);
    CHECK(p.kkt_violation(best, 0.3) < 1e-6);
}

TEST_CASE("the two scalings are one problem with other names") {
    problem const p;
    auto partway = p.solved({.lambda = 0.3}, 40);
    auto whole = p.solved({.lambda = 0.6, .scaling = felt::scaling::whole}, 40);
    CHECK(bool(felt::all(partway.codes() == whole.codes())));
    CHECK(whole.lipschitz() == 2 * partway.lipschitz());
    CHECK(whole.measure().objective == doctest::Approx(2 * partway.measure().objective));
    CHECK(whole.measure().objective == doctest::Approx(p.objective(whole.codes(), 0.6, 1)));
    CHECK(whole.measure().gap == doctest::Approx(2 * partway.measure().gap));
    double const lambda = felt::default_lambda(p.W, p.x);
    CHECK(felt::default_lambda(p.W, p.x, felt::scaling::whole) == 2 * lambda);
    CHECK(double(max(abs(p.solved({.lambda = 10.01 * lambda}, 5).codes()))) == 0);
    CHECK(double(max(abs(p.solved({.lambda = 9.99 * lambda}, 5).codes()))) > 0);
}

TEST_CASE("the objective falls as fast as the theorems say") {
    problem const p;
    matrix const best = p.by_coordinates(0.3);
    double const least = p.objective(best, 0.3), far = double(sum(square(best)));
    auto const check = [&](felt::fista_options o, double growth) {
        o.lambda = 0.3;
        felt::fista<double> solver(p.d, felt::view(p.x), o);
        double before = solver.measure().objective;
        for (int k = 1; k <= 300; ++k) {
            auto const now = solver.step_and_measure();
            double const L = growth * p.d.largest;
            double const bound =
                o.momentum ? 2 * L * far / ((k + 1.0) * (k + 1.0)) : L * far / (2.0 * k);
            CHECK(now.objective - least <= bound);
            CHECK(now.objective - least <= now.gap * (1 + 1e-9) + 1e-12);
            if (!o.momentum) CHECK(now.objective <= before * (1 + 1e-14));
            before = now.objective;
        }
        CHECK(before - least < 0.01 * least);
    };
    check({}, 1);
    check({.momentum = false}, 1);
    check({.lipschitz = 0.01, .growth = 1.5}, 1.5);
    check({.momentum = false, .lipschitz = 0.01, .growth = 1.5}, 1.5);
}

TEST_CASE("backtracking ends at what is needed, and never falls") {
    problem const p;
    felt::fista<double> solver(p.d, felt::view(p.x),
                               {.lambda = 0.3, .lipschitz = 0.01, .growth = 2});
    double before = 0;
    for (int k = 0; k < 200; ++k) {
        solver.step();
        CHECK(solver.lipschitz() >= before);
        before = solver.lipschitz();
    }
    CHECK(before > 0.01);
    CHECK(before <= 2 * p.d.largest);
}

TEST_CASE("a step that measures or counts is the same step, of either size") {
    problem const p;
    for (double growth : {1., 2.}) {
        felt::fista_options const o{.lambda = 0.3, .growth = growth};
        auto plain = p.solved(o, 8), counting = p.solved(o, 0), measuring = p.solved(o, 0);
        double count = 0;
        felt::code_measures m;
        for (int k = 0; k < 8; ++k)
            count = counting.step_and_count(), m = measuring.step_and_measure();
        CHECK(distance(counting.codes(), plain.codes()) < 1e-14);
        CHECK(distance(measuring.codes(), plain.codes()) < 1e-14);
        CHECK(m.objective == doctest::Approx(p.objective(plain.codes(), 0.3)).epsilon(1e-12));
        double const nonzeros = double(index_t(sum(plain.codes() != 0))) / 9;
        CHECK(count == doctest::Approx(nonzeros));
        CHECK(m.nonzeros == doctest::Approx(nonzeros));
    }
}

TEST_CASE("fused and unfused agree, and so do blocks of columns") {
    problem const p;
    matrix const x = felt::normal<double>({16, 150}, 4);
    felt::fista<double> fused(p.d, felt::view(x), {.lambda = 0.3});
    felt::fista<double> unfused(p.d, felt::view(x), {.lambda = 0.3});
    for (int k = 0; k < 20; ++k) fused.step(), unfused.step(felt::unfused);
    CHECK(distance(fused.codes(), unfused.codes()) < 1e-12);
    auto const a = fused.step_and_measure(), b = unfused.step_and_measure(felt::unfused);
    CHECK(a.objective == doctest::Approx(b.objective));
    CHECK(a.gap == doctest::Approx(b.gap));
    for (index_t width : {64, 1000}) {
        matrix codes({30, 150});
        auto const c = felt::solve_by_columns(p.d, x, codes, {.lambda = 0.3}, 21, width);
        CHECK(c.objective == doctest::Approx(a.objective));
        CHECK(c.gap == doctest::Approx(a.gap));
        CHECK(c.nonzeros == doctest::Approx(a.nonzeros));
        CHECK(distance(codes, fused.codes()) < 1e-12);
    }
}

TEST_CASE("it starts where it is told to") {
    problem const p;
    auto solver = p.solved({.lambda = 0.3}, 500);
    matrix const best = solver.codes();
    auto again = p.solved({.lambda = 0.3}, 0);
    again.start(best);
    again.step();
    CHECK(distance(again.codes(), best) < 1e-3);
    CHECK(again.iteration() == 1);
}

TEST_CASE("a space without element access makes the same steps") {
    problem const p;
    using space = test::remote;
    felt::Tensor<double, 2, space> W({16, 30}), x({16, 9}), codes({30, 9});
    W = felt::normal<double>({16, 30}, 3) * 0.25;
    x = felt::normal<double>({16, 9}, 4);
    felt::dictionary<double, space> const d(std::move(W));
    for (double growth : {1.0, 2.0}) {
        felt::fista_options const o{.lambda = 0.3, .growth = growth};
        felt::fista<double, space> there(d, felt::view(std::as_const(x)), o);
        auto here = p.solved(o, 0);
        for (int k = 0; k < 3; ++k) there.step(), here.step();
        CHECK(there.step_and_measure().gap == here.step_and_measure().gap);
        CHECK(bool(felt::all(test::fetched(there.codes()) == here.codes())));
    }
    felt::solve_by_columns(d, x, codes, {.lambda = 0.3}, 4);
    CHECK(distance(test::fetched(codes), p.solved({.lambda = 0.3}, 4).codes()) < 1e-12);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <ae/check.hpp>
#include <ae/compare.hpp>
#include <doctest/doctest.h>
#include <vector>

namespace {

using felt::index_t;
using vector = felt::Tensor<double, 1>;

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

// The cost as it is written down, sample by sample.
double plain_cost(ae::shape const& s, felt::Tensor<double, 2> const& x, vector const& theta) {
    auto const p = ae::parts_of(theta.data(), s);
    index_t const m = x.extent(1);
    double error = 0, size = 0, sparsity = 0;
    std::vector<double> r(static_cast<std::size_t>(s.hidden), 0), a2 = r;
    for (index_t i = 0; i < m; ++i) {
        for (index_t h = 0; h < s.hidden; ++h) {
            double sum = p.b1(h);
            for (index_t v = 0; v < s.visible; ++v) sum += p.W1(h, v) * x(v, i);
            a2[static_cast<std::size_t>(h)] = sigmoid(sum);
            r[static_cast<std::size_t>(h)] += sigmoid(sum) / static_cast<double>(m);
        }
        for (index_t v = 0; v < s.visible; ++v) {
            double sum = p.b2(v);
            for (index_t h = 0; h < s.hidden; ++h)
                sum += p.W2(v, h) * a2[static_cast<std::size_t>(h)];
            error += (sigmoid(sum) - x(v, i)) * (sigmoid(sum) - x(v, i));
        }
    }
    for (index_t k = 0; k < 2 * s.hidden * s.visible; ++k) size += theta(k) * theta(k);
    for (double q : r) {
        sparsity += s.rho * std::log(s.rho / q) + (1 - s.rho) * std::log((1 - s.rho) / (1 - q));
    }
    return 0.5 / static_cast<double>(m) * error + s.lambda / 2 * size + s.beta * sparsity;
}

}  // namespace

TEST_CASE("with weights of zero the cost is known") {
    // a2 = a3 = 1/2 everywhere, so each of 6 pixels of 0 costs 1/8, and each hidden unit has r =
    // 1/2.
    ae::shape const s{6, 2, 0.25, 1e-4, 3};
    ae::model<double> net(s, felt::Tensor<double, 2>({6, 10}));
    vector const theta({s.parameters()});
    vector g({s.parameters()});
    double const divergence = 0.25 * std::log(0.5) + 0.75 * std::log(1.5);
    CHECK(net.cost_and_gradient(felt::fused, theta, g) ==
          doctest::Approx(6.0 / 8 + 3 * 2 * divergence));
    // Only biases have a gradient: b2 by 1/2 * 1/2 * 1/2, b1 by the sparsity, W2 through a2 = 1/2.
    auto const p = ae::parts_of(g.data(), s);
    CHECK(p.b2(3) == doctest::Approx(0.125));
    CHECK(p.b1(1) == doctest::Approx(3 * (0.75 / 0.5 - 0.25 / 0.5) * 0.25));
    CHECK(p.W2(5, 0) == doctest::Approx(0.0625));
    CHECK(p.W1(1, 4) == 0);
}

TEST_CASE("the cost is the one of plain loops") {
    ae::shape const s{12, 5, 0.05, 1e-2, 3};
    felt::Tensor<double, 2> x = felt::uniform<double>({12, 37}, 3);
    vector const theta = ae::initial_parameters<double>(s, 5);
    vector g({s.parameters()});
    ae::model<double> net(s, x);
    CHECK(net.cost_and_gradient(felt::fused, theta, g) ==
          doctest::Approx(plain_cost(s, x, theta)).epsilon(1e-12));
}

TEST_CASE("fused and unfused agree") {
    ae::shape const s{20, 7, 0.1, 1e-3, 3};
    vector const theta = ae::initial_parameters<double>(s, 5);
    vector g({s.parameters()}), h({s.parameters()});
    ae::model<double> net(s, felt::uniform<double>({20, 5000}, 3));
    double const a = net.cost_and_gradient(felt::fused, theta, g);
    double const b = net.cost_and_gradient(felt::unfused, theta, h);
    CHECK(a == doctest::Approx(b).epsilon(1e-12));
    for (index_t i = 0; i < g.size(); ++i) CHECK(g(i) == doctest::Approx(h(i)).epsilon(1e-9));
}

TEST_CASE("the gradient is that of the cost, to 1e-9 of central differences") {
    CHECK(ae::gradient_error<double>(felt::fused, {16, 9, 0.05, 1e-3, 3}, 100, 1) < 1e-9);
    CHECK(ae::gradient_error<double>(felt::fused, {9, 3, 0.2, 1e-1, 1}, 33, 2) < 1e-9);
}

TEST_CASE("initial parameters fill their range, and biases are zero") {
    ae::shape const s{64, 25, 0.01, 1e-4, 3};
    auto const theta = ae::initial_parameters<double>(s, 1);
    double const limit = std::sqrt(6.0 / 90);
    double low = 1, high = -1;
    for (index_t i = 0; i < 3200; ++i)
        low = std::min(low, theta(i)), high = std::max(high, theta(i));
    CHECK(low >= -limit);
    CHECK(high < limit);
    CHECK(high - low > 1.99 * limit);
    for (index_t i = 3200; i < theta.size(); ++i) CHECK(theta(i) == 0);
}

TEST_CASE("the comparison runs both ways equally often, and fusion moves fewer bytes") {
    ae::shape const s{20, 7, 0.1, 1e-3, 3};
    ae::model<double> net(s, felt::uniform<double>({20, 5000}, 3));
    auto const c = ae::compare(net, ae::initial_parameters<double>(s, 5), 0);
    CHECK(c.difference < 1e-9);
    CHECK(c.fused.seconds.size() == 3);
    CHECK(c.unfused.seconds.size() == 3);
    CHECK(c.fused.best() > 0);
    CHECK(c.fused.best() <= c.fused.median());
    CHECK(c.fused.bytes < c.unfused.bytes);
    // The second pass alone reads x and writes a3 and d3, 20 x 5000 doubles each.
    CHECK(c.fused.bytes > 3 * 20 * 5000 * 8);
    CHECK(c.fused.peak > 3 * 20 * 5000 * 8);
}

TEST_CASE("two vectors are as far apart as their difference is long") {
    auto const a = vector::of({3, 4}), b = vector::of({0, 8});
    CHECK(ae::distance(a, b) == doctest::Approx(5.0 / 8));
    CHECK(ae::distance(a, a) == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network: two convolutions, max pools, dropout.
#include "tests/examples/by_hand/cnn.hpp"
#include <cnn/check.hpp>
#include <cnn/instances.hpp>
#include <doctest/doctest.h>

// In double for derived.cpp too.
template cnn::nn::basic_net<double> cnn::network(trial_shape const&);

namespace {

using felt::index_t;
using vector = felt::Tensor<double, 1>;

cnn::trial_shape const small{8, 3, 3, 4, 6, 5};

vector gradient_of(felt::nn::mode how, index_t n, std::uint64_t draw, double* cost) {
    felt::Tensor<double, 4> x({n, 1, 8, 8});
    x = felt::uniform<double>(x.extents(), 3);
    felt::Tensor<index_t, 1> y({n});
    for (index_t i = 0; i < n; ++i) y(i) = i % 5;
    cnn::net<double> net(small, n);
    auto const theta = net.layers().initial(5);
    vector g(theta.extents());
    *cost = net.cost_and_gradient(
        how, {felt::view(std::as_const(x)), felt::view(std::as_const(y)), draw}, theta, g);
    return g;
}

}  // namespace

TEST_CASE("the trial network's gradient is that of its cost") {
    // A step that no maximum and no relu changes sides in.
    CHECK(cnn::gradient_error(felt::fused, small, 6, 1, 1e-6) < 1e-7);
}

TEST_CASE("fused and unfused the trial network drops the same, and other draws drop others") {
    double a = 0, b = 0, c = 0;
    auto const g = gradient_of(felt::fused, 11, 1, &a), h = gradient_of(felt::unfused, 11, 1, &b);
    auto const other = gradient_of(felt::fused, 11, 2, &c);
    CHECK(a == doctest::Approx(b).epsilon(1e-12));
    CHECK(a != c);
    CHECK(bool(all_close(g, h, 1e-12, 1e-14)));
    CHECK_FALSE(bool(all_close(g, other, 1e-3)));
    CHECK(bool(felt::any(by_hand::parts_of(small, g.data()).W1 != 0)));
}

TEST_CASE("weights of the trial network are cut off at two deviations, biases are 0.1") {
    CHECK(cnn::net<double>(cnn::trial_shape{}, 1).layers().parameters().size() == 3274634);
    auto const theta = cnn::net<double>(small, 1).layers().initial(1);
    auto const p = by_hand::parts_of(small, theta.data());
    CHECK(double(max(abs(p.W3))) < 0.2);
    CHECK(double(max(abs(p.W3))) > 0.15);
    CHECK(bool(felt::all(p.b3 == 0.1)));
}

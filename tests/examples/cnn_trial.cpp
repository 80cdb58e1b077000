// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network: two convolutions, max pools, dropout.
#include <cnn/check.hpp>
#include <cnn/trial.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;
using vector = felt::Tensor<double, 1>;
using rows = cnn::trial<double>;
using last = cnn::trial<double, felt::Host, felt::ChannelsLast>;

cnn::trial_shape const small{8, 3, 3, 4, 6, 5};

template <class Net>
vector gradient_of(index_t n, std::uint64_t draw, double* cost) {
    felt::Tensor<double, 4> x({n, 1, 8, 8});
    x = felt::uniform<double>(x.extents(), 3);
    felt::Tensor<index_t, 1> y({n});
    for (index_t i = 0; i < n; ++i) y(i) = i % 5;
    Net net(small, n);
    vector g({small.parameters()});
    *cost = net.cost_and_gradient(
        felt::fused, {felt::view(std::as_const(x)), felt::view(std::as_const(y)), draw},
        Net::initial_parameters(small, 5), g);
    return g;
}

}  // namespace

TEST_CASE("the trial network's gradient is that of its cost") {
    // A step that no maximum and no relu changes sides in.
    CHECK(cnn::gradient_error<rows>(felt::fused, small, 6, 1, 1e-6) < 1e-7);
}

TEST_CASE("the layouts of the trial network agree, and other draws drop others") {
    double a = 0, b = 0, c = 0;
    auto const g = gradient_of<rows>(11, 1, &a), h = gradient_of<last>(11, 1, &b);
    auto const other = gradient_of<rows>(11, 2, &c);
    CHECK(a == doctest::Approx(b).epsilon(1e-12));
    CHECK(a != c);
    auto const p = rows::parts_of(g.data(), small);
    auto const q = last::parts_of(h.data(), small);
    CHECK(bool(all_close(p.W1, q.W1)));
    CHECK(bool(all_close(p.W2, q.W2)));
    CHECK(bool(all_close(p.W3, q.W3)));
    CHECK(bool(all_close(p.W4, q.W4)));
    CHECK(bool(felt::any(p.W1 != 0)));
}

TEST_CASE("weights of the trial network are cut off at two deviations, biases are 0.1") {
    cnn::trial_shape const s;
    CHECK(s.parameters() == 3274634);
    auto const theta = rows::initial_parameters(small, 1);
    auto const p = rows::parts_of(theta.data(), small);
    CHECK(double(max(abs(p.W3))) < 0.2);
    CHECK(double(max(abs(p.W3))) > 0.15);
    CHECK(bool(felt::all(p.b3 == 0.1)));
}

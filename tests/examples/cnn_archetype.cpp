// SPDX-License-Identifier: BSD-3-Clause
//
// The networks are templates over the space: the study's is instantiated, and computes the same,
// where no element can be read.
#include <cnn/instances.hpp>
#include <cnn/net.hpp>
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;
using test::remote;

cnn::study_shape const shape{9, 3, 4, 2, 5};

struct answer {
    double cost;
    felt::Tensor<double, 1> gradient;
    felt::Tensor<index_t, 1> said;
};

template <class Space>
answer ask() {
    felt::Tensor<double, 4, Space> x({20, 1, 9, 9});
    felt::Tensor<index_t, 1, Space> y({20}), said({20});
    x = felt::uniform<double>(x.extents(), 3);
    y = felt::cast<index_t>(5 * felt::uniform<double>(y.extents(), 4));
    cnn::net<double, Space> model(shape, 20);
    auto const theta = model.layers().initial(5);
    felt::Tensor<double, 1, Space> g(theta.extents());
    double const cost = model.cost_and_gradient(
        felt::fused, {felt::view(std::as_const(x)), felt::view(std::as_const(y)), 0}, theta, g);
    model.classify(felt::fused, felt::view(std::as_const(x)), theta, felt::view(said));
    return {cost, test::fetched(g), test::fetched(said)};
}

}  // namespace

TEST_CASE("the network's cost, gradient and answers are those on the host, bit for bit") {
    auto const here = ask<felt::Host>(), there = ask<remote>();
    CHECK(here.cost > 1);
    CHECK(there.cost == here.cost);
    CHECK(bool(felt::all(there.gradient == here.gradient)));
    CHECK(bool(felt::any(there.gradient != 0)));
    CHECK(bool(felt::all(there.said == here.said)));
    CHECK(index_t(max(here.said)) > 0);
}

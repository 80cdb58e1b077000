// SPDX-License-Identifier: BSD-3-Clause
//
// The language model is one template over the space: it is instantiated, and computes the same,
// where no element can be read.
#include <doctest/doctest.h>
#include <lstm/model.hpp>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;
using test::remote;

struct answer {
    double cost, after;
    felt::Tensor<double, 1> gradient;
};

template <class Space>
answer ask() {
    using net = lstm::model<double, Space>;
    lstm::shape s;
    s.vocabulary = 13, s.hidden = 6;
    felt::Tensor<int, 2, Space> words({5, 4}), next({5, 4});
    words = felt::cast<int>(13 * felt::uniform<double>({5, 4}, 3));
    next = felt::cast<int>(13 * felt::uniform<double>({5, 4}, 4));
    lstm::batch<Space> const b{felt::view(std::as_const(words)), felt::view(std::as_const(next))};
    auto const theta = net::initial_parameters(s, 5);
    felt::Tensor<double, 1, Space> g(theta.extents());
    net model(s, 5, 4);
    model.reset();
    double const cost = model.cost_and_gradient(felt::fused, b, theta, g);
    model.carry();
    return {cost, model.cost(felt::fused, b, theta), test::fetched(g)};
}

}  // namespace

TEST_CASE("the model's costs and gradient are those on the host, bit for bit") {
    auto const here = ask<felt::Host>(), there = ask<remote>();
    CHECK(here.cost == doctest::Approx(5 * std::log(13.0)).epsilon(0.05));
    CHECK(there.cost == here.cost);
    CHECK(there.after == here.after);
    CHECK(here.after != here.cost);
    CHECK(bool(felt::all(there.gradient == here.gradient)));
    CHECK(bool(felt::any(there.gradient != 0)));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// The model of the autoencoder is one template over the space: it is instantiated, and computes
// the same, where no element can be read.
#include <ae/compare.hpp>
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;
using test::remote;

ae::shape const net_shape{20, 7, 0.1, 1e-3, 3};

template <class Space>
ae::model<double, Space> net() {
    return {net_shape, felt::uniform<double>({20, 300}, 3)};
}
template <class Space>
auto parameters() {
    return ae::initial_parameters<double, Space>(net_shape, 5);
}

struct answer {
    double cost;
    felt::Tensor<double, 1> gradient;
};

template <class Space, class How>
answer ask(How how) {
    auto model = net<Space>();
    felt::Tensor<double, 1, Space> g({net_shape.parameters()});
    double const cost = model.cost_and_gradient(how, parameters<Space>(), g);
    return {cost, test::fetched(g)};
}

}  // namespace

TEST_CASE("initial parameters are the same numbers in every space") {
    auto const here = parameters<felt::Host>(), there = test::fetched(parameters<remote>());
    REQUIRE(there.extents() == here.extents());
    CHECK(bool(felt::all(here == there)));
    CHECK(bool(felt::any(there != 0)));
}

TEST_CASE("cost and gradient are those on the host, bit for bit, fused and unfused") {
    auto const check = [](auto how) {
        auto const here = ask<felt::Host>(how), there = ask<remote>(how);
        CHECK(here.cost > 1);
        CHECK(there.cost == here.cost);
        CHECK(bool(felt::all(there.gradient == here.gradient)));
        CHECK(bool(felt::any(there.gradient != 0)));
    };
    check(felt::fused);
    check(felt::unfused);
}

TEST_CASE("a plan is made without reading an element, and moves as many bytes") {
    double here[2] = {}, there[2] = {};
    ask<felt::Host>(ae::count_bytes{&here[0], &here[1]});
    ask<remote>(ae::count_bytes{&there[0], &there[1]});
    CHECK(here[0] > 3 * 20 * 300 * 8);
    CHECK(there[0] == here[0]);
    CHECK(there[1] == here[1]);
}

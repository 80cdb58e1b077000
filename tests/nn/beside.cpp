// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/beside.hpp>

namespace nn = felt::nn;
using differences::net;
using felt::index_t;

namespace {
auto conv(index_t out, index_t k) {
    return nn::conv{out, k, {.padding = {k / 2, k / 2}}} | nn::relu;
}
net inception() {
    return nn::beside(net{} << conv(2, 1), net{} << conv(2, 1) << conv(3, 3),
                      net{} << nn::max_pool{3, 1, 1} << conv(1, 1));
}
}  // namespace

TEST_CASE("networks beside each other") {
    auto n = net{} << conv(3, 3) << inception() << nn::max_pool{} << nn::dense{3};
    differences::check(n, felt::extents<4>{{2, 2, 4, 4}});
    CHECK(n.parameters().entries()[2].name == "2.0.0.weight");
    CHECK(n.parameters().entries()[6].name == "2.1.2.weight");
}

TEST_CASE("they read what the network reads, and each other") {
    auto first = inception() << conv(2, 1);
    differences::check(first, felt::extents<4>{{2, 2, 4, 4}});
    auto nested = net{} << conv(2, 1)
                        << nn::beside(net{} << inception() << conv(2, 1), net{} << conv(1, 3));
    differences::check(nested, felt::extents<4>{{2, 1, 4, 4}});
}

TEST_CASE("what does not fit beside another is an error") {
    auto n = net{} << nn::beside(net{} << conv(2, 1), net{} << nn::max_pool{});
    CHECK_THROWS_AS(n.prepare({2, 1, 4, 4}), felt::error);
    auto m = net{} << nn::beside(net{} << conv(2, 1), net{} << nn::conv{2, 1});
    CHECK_THROWS_WITH_AS(m.prepare({2, 1, 4, 4}),
                         "nn::beside: networks that end in different activations", felt::error);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/embed.hpp>

namespace nn = felt::nn;
using differences::net;
using differences::vector;

TEST_CASE("words are rows of a table, and its derivative is added up by words") {
    auto n = net{} << nn::embed{4, 3} << (nn::dense{2} | nn::tanh);
    n.prepare({2, 3});
    auto const words = felt::Tensor<double, 2>::of({{3, 0, 3}, {1, 3, 1}});
    vector theta = n.initial(1), g(theta.extents()), unused(theta.extents());
    n.forward(felt::fused, words, theta);
    CHECK(n.out().as<2>().extents() == felt::extents<2>{{6, 2}});
    auto const cost = [&](vector& to) {
        return n.cost(felt::fused, words, differences::weighted{}, theta, to);
    };
    cost(g);
    for (felt::index_t k = 0; k < theta.size(); ++k) {
        double const at = theta(k), h = 1e-6;
        theta(k) = at + h;
        double const more = cost(unused);
        theta(k) = at - h;
        double const less = cost(unused);
        theta(k) = at;
        CHECK(std::abs((more - less) / (2 * h) - g(k)) < 1e-7);
    }
    CHECK(g(6) == 0);  // word 2 did not occur
}

TEST_CASE("a word that the table has not is an error") {
    auto n = net{} << nn::embed{4, 3};
    n.prepare({1, 2});
    auto const theta = n.initial(1);
    auto const words = felt::Tensor<double, 2>::of({{3, 4}});
    CHECK_THROWS_AS(n.infer(felt::fused, words, theta), felt::error);
    CHECK_THROWS_AS(n.prepare({1, 2, 3}), felt::shape_error);
}

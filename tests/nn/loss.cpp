// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/loss.hpp>

namespace nn = felt::nn;
using felt::index_t;

TEST_CASE("a cost that keeps what it is made of is the same cost, and leaves it in memory") {
    auto n = differences::net{} << (nn::dense{4} | nn::relu) << nn::dense{3};
    n.prepare({5, 2});
    auto const x = differences::some(felt::extents<2>{{5, 2}});
    felt::Tensor<index_t, 1> const labels = felt::iota<index_t>({5}) / index_t(2);
    auto const theta = n.initial(1);
    differences::vector g(theta.extents()), h(theta.extents());
    felt::Tensor<double, 2> P({5, 3});
    for (nn::mode const how : {nn::mode(felt::fused), nn::mode(felt::unfused)}) {
        double const right = n.cost(how, x, nn::cross_entropy(felt::view(labels)), theta, g);
        n.forward(how, x, theta);
        felt::Tensor<double, 2> const known = felt::log_softmax<1>(n.out().as<2>());
        double const own = n.cost(
            how, x,
            [&](auto const& z) {
                auto const p = felt::keep<"p">(P, felt::log_softmax<1>(z));
                auto const hit = felt::one_hot<double>(felt::view(labels), 3);
                return nn::keeping(p, sum(p * hit) * (-1 / 5.));
            },
            theta, h);
        CHECK(own == doctest::Approx(right).epsilon(1e-12));
        CHECK(felt::all_close(g, h, 1e-12, 1e-14));
        CHECK(felt::all_close(P, known, 1e-12, 1e-14));
    }
}

TEST_CASE("the mean of squares") {
    auto n = differences::net{} << nn::dense{3};
    n.prepare({5, 2});
    auto const x = differences::some(felt::extents<2>{{5, 2}});
    auto const theta = n.initial(1);
    differences::vector g(theta.extents());
    n.forward(felt::fused, x, theta);
    felt::Tensor<double, 2> const y = n.out().as<2>() + 2.;
    CHECK(n.cost(felt::fused, x, nn::mean_square(felt::view(y)), theta, g) == doctest::Approx(4));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using namespace felt;

namespace {
Tensor<double, 2> scores(index_t n, index_t classes) {
    Tensor<double, 2> z({n, classes});
    z = 3 * normal<double>(z.extents(), 1);
    return z;
}
double plain_cross_entropy(Tensor<double, 2> const& z, Tensor<int, 1> const& labels) {
    double total = 0;
    for (index_t i = 0; i < z.extent(0); ++i) {
        double sum = 0;
        for (index_t c = 0; c < z.extent(1); ++c) sum += std::exp(z(i, c) - z(i, labels(i)));
        total += std::log(sum);
    }
    return total / static_cast<double>(z.extent(0));
}
}  // namespace

TEST_CASE("cross-entropy is the mean of -log softmax of the right class") {
    for (index_t n : {1, 2, 7, 33}) {
        for (index_t classes : {1, 2, 10}) {
            auto const z = scores(n, classes);
            Tensor<int, 1> const labels = cast<int>(iota(n) % classes);
            double const j = cross_entropy(z, labels);
            CHECK(j == doctest::Approx(plain_cross_entropy(z, labels)));
        }
    }
}

TEST_CASE("scores of any size give no overflow") {
    auto const z = Tensor<float, 2>::of({{1e4F, -1e4F}, {-1e4F, 1e4F}});
    auto const right = Tensor<int, 1>::of({0, 1}), wrong = Tensor<int, 1>::of({1, 0});
    CHECK(static_cast<float>(cross_entropy(z, right)) == 0);
    CHECK(static_cast<float>(cross_entropy(z, wrong)) == 2e4F);
}

TEST_CASE("a label is a class, one for each row") {
    auto const z = scores(3, 4);
    auto const outside = Tensor<int, 1>::of({0, 4, 1}), few = Tensor<int, 1>::of({0, 1});
    CHECK_THROWS_AS((void)static_cast<double>(cross_entropy(z, outside)), shape_error);
    CHECK_THROWS_WITH_AS((void)cross_entropy(z, few), "cross_entropy: (2) labels of scores (3, 4)",
                         shape_error);
}

TEST_CASE("the divergence of probabilities of events") {
    auto const q = Tensor<double, 1>::of({0.1, 0.5, 0.9});
    double expected = 0;
    for (double each : {0.1, 0.5, 0.9}) {
        expected += 0.3 * std::log(0.3 / each) + 0.7 * std::log(0.7 / (1 - each));
    }
    CHECK(static_cast<double>(kl(0.3, q)) == doctest::Approx(expected));
    CHECK(static_cast<double>(kl(q, q)) == 0);
}

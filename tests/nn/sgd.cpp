// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/sgd.hpp>
#include <doctest/doctest.h>
#include <tests/nn/optimisers.hpp>
#include <vector>

namespace {

using felt::index_t;
using vector = felt::Tensor<double, 1>;

// sum_i i x_i^2 / 2 for i = 1 .. n.
auto const bowl = [](auto const& x, auto& gradient) {
    auto const i = felt::iota<double>(x.extents()[0]) + 1;
    gradient = i * x;
    return 0.5 * double(sum(i * square(x)));
};

vector ones(index_t n) {
    vector x({n});
    x = 1.0;
    return x;
}

}  // namespace

TEST_CASE("without momentum a step is the rate times the gradient") {
    felt::sgd<double> optimiser(vector::of({3, -2}), {.rate = 0.25});
    optimiser.step(bowl);
    CHECK(optimiser.cost() == 0.5 * (9 + 2 * 4));
    CHECK(optimiser.gradient()(1) == -4);
    CHECK(optimiser.x()(0) == 3 - 0.25 * 3);
    CHECK(optimiser.x()(1) == -2 + 0.25 * 4);
    CHECK(optimiser.iteration() == 1);
}

TEST_CASE("momentum adds the last steps, as the loop that defines it does") {
    felt::sgd<double> optimiser(ones(21));
    std::vector<double> x(21, 1), v(21, 0);
    for (int step = 0; step < 40; ++step) {
        double const rate = 0.02 / (1 + step / 10), momentum = step < 20 ? 0.5 : 0.95;
        optimiser.options({.rate = rate, .momentum = momentum});
        optimiser.step(bowl);
        for (std::size_t i = 0; i < 21; ++i) {
            v[i] = momentum * v[i] + rate * (static_cast<double>(i + 1) * x[i]);
            x[i] -= v[i];
        }
    }
    CHECK(optimiser.options().momentum == 0.95);
    for (index_t i = 0; i < 21; ++i) {
        CHECK(optimiser.x()(i) == doctest::Approx(x[static_cast<std::size_t>(i)]).epsilon(1e-12));
    }
}

TEST_CASE("decay adds its part of the weights to the gradient, as the loop that defines it does") {
    felt::sgd<double> optimiser(ones(21));
    optimiser.options({.rate = 0.02, .momentum = 0.9, .weight_decay = 0.25});
    std::vector<double> x(21, 1), v(21, 0);
    for (int step = 0; step < 40; ++step) {
        optimiser.step(bowl);
        for (std::size_t i = 0; i < 21; ++i) {
            v[i] = 0.9 * v[i] + 0.02 * (static_cast<double>(i + 1) * x[i] + 0.25 * x[i]);
            x[i] -= v[i];
        }
    }
    CHECK(optimiser.gradient()(20) != 0);
    for (index_t i = 0; i < 21; ++i) {
        CHECK(optimiser.x()(i) == doctest::Approx(x[static_cast<std::size_t>(i)]).epsilon(1e-12));
    }
}

TEST_CASE("weights that get no gradient decay, and without decay they stay as they are") {
    auto const nothing = [](auto const&, auto& gradient) { return gradient = 0.0, 0.0; };
    felt::sgd<double> with(ones(3), {.rate = 0.5, .weight_decay = 0.25}), without(ones(3));
    with.step(nothing), without.step(nothing);
    CHECK(with.x()(2) == 1 - 0.5 * 0.25);
    CHECK(without.x()(2) == 1);
}

TEST_CASE("the state goes on bit for bit in another optimiser") {
    test::check_resumes<felt::sgd<double>>(felt::sgd_options{.rate = 0.03, .momentum = 0.9}, bowl);
}

TEST_CASE("a space without element access makes the same steps") {
    test::check_needs_no_elements<felt::sgd<double, test::remote>, felt::sgd<double>>(
        felt::sgd_options{.rate = 0.05, .momentum = 0.8}, 1);
}

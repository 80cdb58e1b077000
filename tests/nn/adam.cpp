// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/adam.hpp>
#include <doctest/doctest.h>
#include <tests/nn/optimisers.hpp>
#include <cmath>
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

TEST_CASE("the first step is the rate in the direction of the gradient's sign") {
    felt::adam<double> optimiser(vector::of({3, -2, 0}), {.rate = 0.25});
    optimiser.step(bowl);
    CHECK(optimiser.cost() == 0.5 * (9 + 2 * 4));
    CHECK(optimiser.gradient()(1) == -4);
    CHECK(optimiser.x()(0) == doctest::Approx(2.75).epsilon(1e-6));
    CHECK(optimiser.x()(1) == doctest::Approx(-1.75).epsilon(1e-6));
    CHECK(optimiser.x()(2) == 0);
    CHECK(optimiser.iteration() == 1);
}

TEST_CASE("its steps are those of the loop that defines it") {
    felt::adam_options const o{.rate = 0.02, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 1e-3};
    felt::adam<double> optimiser(ones(21), o);
    std::vector<double> x(21, 1), m(21, 0), v(21, 0);
    for (int t = 1; t <= 40; ++t) {
        optimiser.step(bowl);
        for (std::size_t i = 0; i < 21; ++i) {
            double const g = static_cast<double>(i + 1) * x[i];
            m[i] = 0.8 * m[i] + 0.2 * g;
            v[i] = 0.99 * v[i] + 0.01 * g * g;
            double const rate = 0.02 * std::sqrt(1 - std::pow(0.99, t)) / (1 - std::pow(0.8, t));
            x[i] -= rate * m[i] / (std::sqrt(v[i]) + 1e-3);
        }
    }
    CHECK(optimiser.options().beta2 == 0.99);
    for (index_t i = 0; i < 21; ++i) {
        CHECK(optimiser.x()(i) == doctest::Approx(x[static_cast<std::size_t>(i)]).epsilon(1e-10));
    }
}

TEST_CASE("the state goes on bit for bit in another optimiser") {
    test::check_resumes<felt::adam<double>>(felt::adam_options{.rate = 0.03, .beta1 = 0.7}, bowl);
}

TEST_CASE("a space without element access makes the same steps") {
    test::check_needs_no_elements<felt::adam<double, test::remote>, felt::adam<double>>(
        felt::adam_options{.rate = 0.5}, 1);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/adadelta.hpp>
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

TEST_CASE("the first step is the same for every gradient that is not small") {
    felt::adadelta<double> optimiser(vector::of({3, -2, 0}), {.rho = 0.75, .epsilon = 1e-6});
    optimiser.step(bowl);
    CHECK(optimiser.cost() == 0.5 * (9 + 2 * 4));
    CHECK(optimiser.gradient()(1) == -4);
    // sqrt(epsilon) / sqrt((1 - rho) g^2)
    CHECK(optimiser.x()(0) == doctest::Approx(3 - 2e-3).epsilon(1e-9));
    CHECK(optimiser.x()(1) == doctest::Approx(-2 + 2e-3).epsilon(1e-9));
    CHECK(optimiser.x()(2) == 0);
    CHECK(optimiser.iteration() == 1);
}

TEST_CASE("its steps are those of the loop that defines it") {
    felt::adadelta_options const o{.rate = 0.5, .rho = 0.9, .epsilon = 1e-3};
    felt::adadelta<double> optimiser(ones(21), o);
    std::vector<double> x(21, 1), s(21, 0), d(21, 0);
    for (int t = 1; t <= 40; ++t) {
        optimiser.step(bowl);
        for (std::size_t i = 0; i < 21; ++i) {
            double const g = static_cast<double>(i + 1) * x[i];
            s[i] = 0.9 * s[i] + 0.1 * g * g;
            double const u = std::sqrt(d[i] + 1e-3) / std::sqrt(s[i] + 1e-3) * g;
            d[i] = 0.9 * d[i] + 0.1 * u * u;
            x[i] -= 0.5 * u;
        }
    }
    CHECK(optimiser.options().rho == 0.9);
    for (index_t i = 0; i < 21; ++i) {
        CHECK(optimiser.x()(i) == doctest::Approx(x[static_cast<std::size_t>(i)]).epsilon(1e-10));
    }
}

TEST_CASE("the state goes on bit for bit in another optimiser") {
    test::check_resumes<felt::adadelta<double>>(felt::adadelta_options{.rate = 0.3, .rho = 0.7},
                                                bowl);
}

TEST_CASE("a space without element access makes the same steps") {
    test::check_needs_no_elements<felt::adadelta<double, test::remote>, felt::adadelta<double>>(
        felt::adadelta_options{.rate = 0.5}, 1e-3);
}

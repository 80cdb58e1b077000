// SPDX-License-Identifier: BSD-3-Clause
//
// The optimiser asks of a space what any space has: the same steps where no element can be read.
#include <doctest/doctest.h>
#include <felt/nn/lbfgs.hpp>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;

// sum_i i (x_i - i)^2 / 2 for i = 1 .. n, written as expressions.
template <class Space>
auto const quadratic =
    [](felt::Tensor<double, 1, Space> const& x, felt::Tensor<double, 1, Space>& gradient) {
        auto const i = felt::iota<double>(x.extents()[0]) + 1;
        gradient = i * (x - i);
        return 0.5 * double(sum(i * square(x - i)));
    };

template <class Space>
felt::lbfgs<double, Space> minimised(index_t n) {
    felt::lbfgs_options o;
    o.corrections = 5;  // so that the oldest are overwritten
    felt::lbfgs<double, Space> optimiser(felt::Tensor<double, 1, Space>({n}), o);
    while (optimiser.iteration() < 60 && optimiser.step(quadratic<Space>)) {
    }
    return optimiser;
}

template <class Space>
concept elements_can_be_read = requires(felt::Tensor<double, 1, Space> x) { x(0); };

}  // namespace

TEST_CASE("elements of the archetype cannot be reached") {
    static_assert(elements_can_be_read<felt::Host>);
    static_assert(!elements_can_be_read<test::remote>);
    felt::Tensor<double, 1, test::remote> x({3});
    x = felt::iota<double>(3);
    CHECK(test::moved(x.data())[2] == 2);
    CHECK(double(felt::sum(x)) == 3);
}

TEST_CASE("L-BFGS finds the minimum in a space without element access") {
    auto const optimiser = minimised<test::remote>(12);
    CHECK(optimiser.end() != felt::lbfgs_end::none);
    auto const x = test::fetched(optimiser.x());
    for (index_t i = 0; i < 12; ++i) CHECK(x(i) == doctest::Approx(double(i + 1)).epsilon(1e-4));
}

TEST_CASE("its steps are those on the host, bit for bit") {
    auto const here = minimised<felt::Host>(12);
    auto const there = minimised<test::remote>(12);
    CHECK(there.iteration() == here.iteration());
    CHECK(there.evaluations() == here.evaluations());
    CHECK(there.cost() == here.cost());
    CHECK(there.gradient_norm() == here.gradient_norm());
    auto const x = test::fetched(there.x());
    for (index_t i = 0; i < 12; ++i) CHECK(x(i) == here.x()(i));
}

TEST_CASE("the parts of its state are tensors of its space") {
    auto optimiser = minimised<test::remote>(4);
    int vectors = 0;
    optimiser.each_part([&]<class P>(std::string const&, P&) {
        vectors += std::is_same_v<P, felt::Tensor<double, 1, test::remote>>;
    });
    CHECK(vectors >= 4);
}

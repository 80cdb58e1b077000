// SPDX-License-Identifier: BSD-3-Clause
//
// What is expected of every optimiser that makes one step from one gradient.
#pragma once
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <tests/support/remote.hpp>
#include <string>
#include <vector>

namespace test {

// f(x, g) is a cost with its gradient. Its state, read after 6 steps and written into another of
// the same options, goes on as one of 15 steps, bit for bit.
template <class Optimiser, class Options, class F>
void check_resumes(Options const& o, F const& f) {
    using vector = typename Optimiser::vector;
    vector const start = felt::ones<double>({37});
    Optimiser whole(start, o), broken(start, o), resumed(start, o);
    for (int i = 0; i < 15; ++i) whole.step(f);
    for (int i = 0; i < 6; ++i) broken.step(f);
    std::vector<vector> vectors;
    felt::index_t count = 0;
    double cost = 0;
    broken.each_part([&]<class P>(std::string const&, P& part) {
        if constexpr (std::is_same_v<P, vector>) vectors.push_back(part);
        else if constexpr (std::is_same_v<P, felt::index_t>) count = part;
        else cost = part;
    });
    resumed.each_part([&, next = 0]<class P>(std::string const&, P& part) mutable {
        if constexpr (std::is_same_v<P, vector>) part = vectors[static_cast<std::size_t>(next++)];
        else if constexpr (std::is_same_v<P, felt::index_t>) part = count;
        else part = cost;
    });
    CHECK(resumed.iteration() == 6);
    CHECK(resumed.cost() == broken.cost());
    for (int i = 0; i < 9; ++i) resumed.step(f);
    CHECK(bool(felt::all(resumed.x() == whole.x())));
    CHECK(bool(felt::any(resumed.x() != broken.x())));
}

// In a space without element access five steps of its kind are those of this space, and have gone
// further than `least` where the gradient is largest.
template <class There, class Here, class Options>
void check_needs_no_elements(Options const& o, double least) {
    There there(felt::Tensor<double, 1, remote>({9}), o);
    Here here(felt::Tensor<double, 1>({9}), o);
    auto const shifted = [](auto const& x, auto& gradient) {
        auto const i = felt::iota<double>(x.extents()[0]) + 1;
        gradient = x - i;
        return 0.5 * double(sum(square(x - i)));
    };
    for (int i = 0; i < 5; ++i) there.step(shifted), here.step(shifted);
    CHECK(there.cost() == here.cost());
    CHECK(bool(felt::all(fetched(there.x()) == here.x())));
    CHECK(here.x()(8) > least);
}

}  // namespace test

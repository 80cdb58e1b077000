// SPDX-License-Identifier: BSD-3-Clause
//
// A network's derived backward pass beside that by hand.
#pragma once
#include <doctest/doctest.h>
#include <support/compare.hpp>

namespace by_hand {

using vector = felt::Tensor<double, 1>;

template <class Derived, class ByHand, class... Batch>
void compare(Derived& derived, ByHand& by_hand, vector const& theta, Batch const&... b) {
    vector g(theta.extents()), h(theta.extents());
    auto const close = [&] { return bool(all_close(g, h, 1e-12, 1e-14)); };
    double const cost = derived.cost_and_gradient(felt::fused, b..., theta, g);
    CHECK(cost ==
          doctest::Approx(by_hand.cost_and_gradient(felt::fused, b..., theta, h)).epsilon(1e-12));
    CHECK(bool(any(h != 0)));
    CHECK(close());
    g = -1.0;
    CHECK(derived.cost_and_gradient(felt::unfused, b..., theta, g) ==
          doctest::Approx(cost).epsilon(1e-12));
    CHECK(close());
}

// Bytes of a step of the one and the other.
template <class Derived, class ByHand, class... Batch>
double more_bytes(Derived& derived, ByHand& by_hand, vector const& theta, Batch const&... b) {
    vector g(theta.extents());
    double own = 0, known = 0, unfused = 0;
    derived.cost_and_gradient(support::count_bytes{&own, &unfused}, b..., theta, g);
    by_hand.cost_and_gradient(support::count_bytes{&known, &unfused}, b..., theta, g);
    return own / known;
}

}  // namespace by_hand

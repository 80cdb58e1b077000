// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth here: the same cost and gradient, run fused and unfused in turn.
#pragma once
#include <ae/model.hpp>
#include <support/compare.hpp>

namespace ae {

using support::comparison;
using support::count_bytes;
using support::distance;

// Times both at theta, in turn, for about `budget` seconds.
template <class T>
comparison compare(model<T>& net, felt::Tensor<T, 1> const& theta, double budget) {
    felt::Tensor<T, 1> g(theta.extents()), h(theta.extents());
    double a = 0, b = 0;
    comparison c = support::compare([&] { a = net.cost_and_gradient(felt::fused, theta, g); },
                                    [&] { b = net.cost_and_gradient(felt::unfused, theta, h); },
                                    [&](count_bytes to) {
                                        felt::Tensor<T, 1> unused(theta.extents());
                                        net.cost_and_gradient(to, theta, unused);
                                    },
                                    budget);
    c.difference = std::max(distance(g, h), std::abs(a - b) / std::abs(b));
    return c;
}

inline void print(comparison const& c, std::ostream& out) {
    support::table t = support::comparison_table("per cost and gradient");
    support::add_rows(t, c);
    t.print(out);
}

}  // namespace ae

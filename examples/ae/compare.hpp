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
template <class T, class Space>
comparison compare(model<T, Space>& net, felt::Tensor<T, 1, Space> const& theta, double budget) {
    using traits = support::space_traits<Space>;
    felt::Tensor<T, 1, Space> g(theta.extents()), h(theta.extents());
    double a = 0, b = 0;
    comparison c =
        support::compare_in<Space>([&] { a = net.cost_and_gradient(felt::fused, theta, g); },
                                   [&] { b = net.cost_and_gradient(felt::unfused, theta, h); },
                                   [&](auto to) {
                                       felt::Tensor<T, 1, Space> unused(theta.extents());
                                       net.cost_and_gradient(to, theta, unused);
                                   },
                                   budget);
    c.difference = std::max(distance<T>(traits::fetched(g), traits::fetched(h)),
                            std::abs(a - b) / std::abs(b));
    return c;
}

inline void print(comparison const& c, std::string const& place, std::ostream& out) {
    support::table t = support::comparison_table("per cost and gradient, " + place);
    support::add_rows(t, c);
    t.print(out);
}

}  // namespace ae

// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives beside central differences, in double.
#pragma once
#include <algorithm>
#include <cmath>
#include <felt/grad.hpp>
#include <numeric>

namespace test {

// How far g is from the central differences of cost() by the elements of w, relative to the
// largest of them: infinitely if it has another shape.
template <class W, class G, class F>
double distance(W& w, G const& g, F const& cost) {
    constexpr double h = 1e-5;
    double worst = 0, largest = 1e-3;
    auto const slope = felt::eval(g);
    if (slope.extents() != w.extents()) return INFINITY;
    felt::index_t const n = w.extents().size();
    felt::Tensor<double, 1> const flat = felt::flatten(slope);
    for (felt::index_t i = 0; i < n; ++i) {
        double& at = w.data()[i];
        double const old = at;
        at = old + h;
        double const up = cost();
        at = old - h;
        double const down = cost();
        at = old;
        double const numeric = (up - down) / (2 * h);
        worst = std::max(worst, std::isnan(flat(i)) ? INFINITY : std::abs(numeric - flat(i)));
        largest = std::max(largest, std::abs(numeric));
    }
    return worst / largest;
}

// What an array is multiplied by, so that its sum has a derivative with unlike elements. In memory:
// drawn where they are read they would be compiled into every statement.
template <std::size_t R>
felt::Tensor<double, R> weights(felt::extents<R> const& e) {
    felt::Tensor<double, R> of(e);
    of = felt::uniform<double>(e, 77) + 0.5;
    return of;
}

// The derivative of a weighted sum of f(w), which `f` makes of a named tensor, against differences.
template <class W, class F>
double error_of(W& w, F const& f) {
    auto const named = felt::named<"w">(w);
    auto const e = f(named);
    auto const factors = weights(e.extents());
    return distance(w, felt::grad<"w">(felt::sum(e * factors)), [&] {
        felt::Tensor<double, decltype(e)::rank> const y = e;
        return std::inner_product(y.begin(), y.end(), factors.begin(), 0.0);
    });
}

// The same of grad(f), in a direction; f is of rank 0.
template <class W, class F>
double second_error_of(W& w, F const& f) {
    auto const named = felt::named<"w">(w);
    auto const direction = felt::eval(felt::normal<double>(w.extents(), 9));
    auto const slope = felt::sum(felt::grad<"w">(f(named)) * direction);
    return distance(w, felt::grad<"w">(slope), [&] { return static_cast<double>(slope); });
}

inline constexpr double tolerance = 1e-7;

}  // namespace test

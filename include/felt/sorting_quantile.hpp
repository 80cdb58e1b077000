// SPDX-License-Identifier: BSD-3-Clause
//
// quantile(x, q): the number below which a share q of the elements lies. Between two elements it
// goes linearly, as NumPy's does: with x in order, h = q (n - 1), i = floor(h),
//
//     (1 + i - h) x[i] + (h - i) x[i + 1]
//
// Integers are taken as double. NaN among the elements gives NaN; over nothing it throws.
#pragma once
#include <felt/sorting_rows.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// Of n > 0 elements, whose order changes.
template <class T>
T quantile_of_row(T* row, index_t n, double q) {
    auto const nan = std::find_if(row, row + n, [](T v) { return std::isnan(v); });
    if (nan != row + n) return *nan;
    double const h = q * static_cast<double>(n - 1);
    auto const i = static_cast<index_t>(h);
    double const part = h - static_cast<double>(i);
    std::nth_element(row, row + i, row + n);
    T const a = row[i];
    if (part == 0) return a;
    T const b = *std::min_element(row + i + 1, row + n);
    return a == b ? a : static_cast<T>(std::lerp(double{a}, double{b}, part));
}

template <class T>
void quantiles_of_rows(T* data, index_t rows, index_t n, double q, T* y) {
    for_each_row(rows, n, [&](index_t i) { y[i] = quantile_of_row(data + i * n, n, q); });
}

template <std::size_t R>
void check_quantile(char const* name, extents<R> const& e, bool over_nothing, double q) {
    if (!(q >= 0 && q <= 1)) {
        throw error(name + (": " + std::to_string(q) + " is not between 0 and 1"));
    }
    if (over_nothing) throw shape_error(name + (": no elements of " + to_string(e)));
}

template <class X>
auto quantile_of_all(char const* name, X const& x, double q) {
    auto all = eval(cast<floating_t<X>>(x));
    check_quantile(name, all.extents(), all.size() == 0, q);
    return quantile_of_row(all.data(), all.size(), q);
}

template <int A, class X>
auto quantile_along(char const* name, X const& x, double q) {
    using T = floating_t<X>;
    constexpr std::size_t R = rank_of<X>;
    auto keys = rows_along<A>(cast<T>(x));
    index_t const n = keys.extent(R - 1);
    extents<R - 1> e;
    for (std::size_t r = 0; r != R - 1; ++r) e[r] = keys.extent(r);
    check_quantile(name, keys.extents(), n == 0 && e.size() > 0, q);
    Tensor<T, R - 1> y(e, uninitialized);
    quantiles_of_rows(keys.data(), e.size(), n, q, y.data());
    return y;
}

}  // namespace detail

// Of all elements, a number; along axis A, a tensor. Throws error unless 0 <= q <= 1.
template <sortable X>
[[nodiscard]] auto quantile(X const& x, double q) {
    return detail::quantile_of_all("quantile", x, q);
}
template <int A, sortable_along<A> X>
[[nodiscard]] auto quantile(X const& x, double q) {
    return detail::quantile_along<A>("quantile", x, q);
}

// quantile(x, 0.5): the middle element, or the mean of the two.
template <sortable X>
[[nodiscard]] auto median(X const& x) {
    return detail::quantile_of_all("median", x, 0.5);
}
template <int A, sortable_along<A> X>
[[nodiscard]] auto median(X const& x) {
    return detail::quantile_along<A>("median", x, 0.5);
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// What felt/sorting.hpp works on: rows of memory, which are lines along one axis, and their order.
#pragma once
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace felt::inline FELT_ABI {

enum class sort_order { ascending, descending };

// What the functions of felt/sorting.hpp take: those that only select take complex numbers too.
template <class X>
concept selectable = array_operand<X> && lies_on_host<X>;
template <class X>
concept sortable = selectable<X> && elements_are_real<X>;
template <class X, int A>
concept sortable_along = sortable<X> && axis_is_in_range<A, rank_of<X>>;

namespace detail {

// a < b, where NaN is larger than all others and equal to itself.
struct nan_last {
    template <class T>
    bool operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) return a < b;
        else return a < b || (std::isnan(b) && !std::isnan(a));
    }
};

// f(before), where before(a, b) says whether a stands before b.
template <class F>
void with_order(sort_order order, F const& f) {
    if (order == sort_order::ascending) f(nan_last{});
    else f([](auto a, auto b) { return nan_last{}(b, a); });
}

// A tensor of x's own with axis A last, so that its rows are what lies along A; and back.
template <int A, sortable X>
auto rows_along(X const& x) {
    if constexpr (axis_v<A, rank_of<X>> + 1 == rank_of<X>) return eval(x);
    else return eval(moveaxis<A, -1>(x));
}
template <int A, class T, std::size_t R>
Tensor<T, R> from_rows(Tensor<T, R> y) {
    if constexpr (axis_v<A, R> + 1 == R) return y;
    else return moveaxis<-1, A>(y);
}

// The elements as T in row-major order: where they are, or evaluated.
template <class T, selectable X>
auto in_order(X const& x) {
    if constexpr (std::same_as<X, Tensor<T, rank_of<X>>>) return view(x);
    else return eval(cast<T>(x));
}

template <class T>
Tensor<T, 1> copied(T const* from, index_t n) {
    Tensor<T, 1> y({n}, uninitialized);
    std::copy(from, from + n, y.data());
    return y;
}

// f(i) for each of so many rows of n elements, some thousand elements at a time.
template <class F>
void for_each_row(index_t rows, index_t n, F const& f) {
    index_t const some = std::max<index_t>(1, 16384 / std::max<index_t>(1, n));
    host::parallel((rows + some - 1) / some, [&](index_t part) {
        index_t const end = std::min(rows, (part + 1) * some);
        for (index_t i = part * some; i < end; ++i) f(i);
    });
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// x << n and x >> n of integers for every n: where n is negative, or the width of x or more, no
// bit of x is left, so that the result is 0, or -1 for a negative x shifted right. (C++ leaves it
// open.)
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::math {

// Whether bits are left; a negative count is a large one without its sign.
template <std::integral T>
FELT_FN bool shifts_within(T n) {
    return static_cast<std::make_unsigned_t<T>>(n) < 8 * sizeof(T);
}

template <std::integral T>
FELT_FN T shift_left(T x, T n) {
    if (!shifts_within(n)) return T(0);
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << n);
}
template <std::integral T>
FELT_FN T shift_right(T x, T n) {
    constexpr T last = 8 * sizeof(T) - 1;
    return static_cast<T>(x >> (shifts_within(n) ? n : last) >> (shifts_within(n) ? 0 : 1));
}

namespace detail {
// Lane by lane; the compilers take it in registers where there are shifts by several counts.
template <class F, class T, class A>
FELT_INLINE batch<T, A> each_lane(F const& f, batch<T, A> x, batch<T, A> y) {
    constexpr int W = static_cast<int>(batch<T, A>::size);
    alignas(64) T a[W], b[W];
    x.store_aligned(a);
    y.store_aligned(b);
    for (int l = 0; l < W; ++l) a[l] = f(a[l], b[l]);
    return batch<T, A>::load_aligned(a);
}
}  // namespace detail

template <std::integral T, class A>
FELT_INLINE batch<T, A> shift_left(batch<T, A> x, batch<T, A> n) {
    return detail::each_lane([](T v, T w) { return math::shift_left(v, w); }, x, n);
}
template <std::integral T, class A>
FELT_INLINE batch<T, A> shift_right(batch<T, A> x, batch<T, A> n) {
    return detail::each_lane([](T v, T w) { return math::shift_right(v, w); }, x, n);
}

}  // namespace felt::inline FELT_ABI::math

// SPDX-License-Identifier: BSD-3-Clause
//
// x / y. Of integers towards zero, as in C++; x / 0 is 0, as in NumPy, and the least number by -1
// wraps. No vector unit divides integers: batches of those up to 32 bits go through wider floats.
// Their quotient q is exact: if x / y is no integer, it is at least 1 / |y| away from one, more
// than q is rounded by.
#pragma once
#include <felt/core/complex.hpp>
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::math {

// Types of which numbers, or batches, can be divided.
template <class X>
concept divisible = std::is_arithmetic_v<X> || is_complex<X> ||
                    std::is_floating_point_v<lane_t<X>> || sizeof(lane_t<X>) <= 4;

template <class T>
    requires std::is_arithmetic_v<T>
FELT_FN T divide(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
        if (y == 0) return T(0);
        if (std::is_signed_v<T> && y == T(-1)) return static_cast<T>(0 - std::uint64_t(x));
    }
    return static_cast<T>(x / y);
}

namespace detail {

// Lane by lane x / y, y not 0 and no quotient outside of T. The compilers take it in registers.
template <class T, class A>
FELT_INLINE batch<T, A> quotients(batch<T, A> x, batch<T, A> y) {
    using real = std::conditional_t<(sizeof(T) < 4), float, double>;
    constexpr int W = static_cast<int>(batch<T, A>::size);
    alignas(64) T a[W], b[W];
    x.store_aligned(a);
    y.store_aligned(b);
    for (int l = 0; l < W; ++l) {
        a[l] = static_cast<T>(static_cast<real>(a[l]) / static_cast<real>(b[l]));
    }
    return batch<T, A>::load_aligned(a);
}

}  // namespace detail

template <class T, class A>
    requires divisible<batch<T, A>>
FELT_INLINE batch<T, A> divide(batch<T, A> x, batch<T, A> y) {
    using B = batch<T, A>;
    if constexpr (std::is_floating_point_v<T>) {
        return x / y;
    } else {
        B const zero(T(0)), one(T(1));
        auto const by_zero = y == zero;
        if constexpr (std::is_signed_v<T>) {
            auto const by_minus_one = y == B(T(-1));
            B const q = detail::quotients(x, math::select(by_zero | by_minus_one, one, y));
            return math::select(by_zero, zero, math::select(by_minus_one, zero - x, q));
        } else {
            B const q = detail::quotients(x, math::select(by_zero, one, y));
            return math::select(by_zero, zero, q);
        }
    }
}

}  // namespace felt::inline FELT_ABI::math

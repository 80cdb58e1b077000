// SPDX-License-Identifier: BSD-3-Clause
//
// What differs between versions of xsimd, 8.1 to 14.3, in one place.
#pragma once
#include <felt/core/config.hpp>

// g++ 12 takes the deliberately undefined register in its own AVX-512 intrinsics for a mistake; to
// know that, it must meet xsimd here first. (The first two lines: not every compiler has the rest.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

// xsimd 8.1 takes NaN != NaN for false on AVX and AVX-512, and true != true for true on SSE2, where
// true is a NaN: what is unequal is not equal. Versions from 10 on are right, and compare batches
// by friends. This defines the operator for Lanes, a batch or a condition of one.
#if XSIMD_VERSION_MAJOR < 10
#define FELT_XSIMD_UNEQUAL(T, A, Lanes)                                                    \
    template <>                                                                            \
    inline batch_bool<T, A> Lanes<T, A>::operator!=(Lanes<T, A> const& y) const noexcept { \
        return !(*this == y);                                                              \
    }
#else
#define FELT_XSIMD_UNEQUAL(T, A, Lanes)
#endif

// Which operand xsimd::max and min give where one is NaN: up to 13 the second, from 14 on the
// first. any_arch is the base of all instruction sets.
namespace felt::inline FELT_ABI {
#if XSIMD_VERSION_MAJOR < 14
inline constexpr bool first_of_nan = false;
using any_arch = xsimd::generic;
#else
inline constexpr bool first_of_nan = true;
using any_arch = xsimd::common;
#endif
}  // namespace felt::inline FELT_ABI

namespace felt::inline FELT_ABI::math {

// The larger and the smaller of x and y; y where one is NaN.
template <class T, class A>
FELT_INLINE xsimd::batch<T, A> max_or_second(xsimd::batch<T, A> x, xsimd::batch<T, A> y) {
    return first_of_nan ? xsimd::max(y, x) : xsimd::max(x, y);
}
template <class T, class A>
FELT_INLINE xsimd::batch<T, A> min_or_second(xsimd::batch<T, A> x, xsimd::batch<T, A> y) {
    return first_of_nan ? xsimd::min(y, x) : xsimd::min(x, y);
}

}  // namespace felt::inline FELT_ABI::math

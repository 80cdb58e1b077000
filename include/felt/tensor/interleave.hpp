// SPDX-License-Identifier: BSD-3-Clause
//
// out = a[0], b[0], a[1], b[1], ... This is what xsimd's zip_lo and zip_hi are for, but in xsimd
// 8.1 they stay inside 128 bits on wider machines.
#pragma once
#include <felt/core/math_batch.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::detail {

template <class A>
FELT_INLINE void interleave(xsimd::batch<float, A> a, xsimd::batch<float, A> b, float* out,
                            xsimd::avx512f) {
    constexpr std::int32_t order[] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    using index = xsimd::batch<std::int32_t, A>;
    auto const low = index::load_unaligned(order), high = index::load_unaligned(order + 16);
    xsimd::batch<float, A>(_mm512_permutex2var_ps(a, low, b)).store_unaligned(out);
    xsimd::batch<float, A>(_mm512_permutex2var_ps(a, high, b)).store_unaligned(out + 16);
}
template <class A>
FELT_INLINE void interleave(xsimd::batch<double, A> a, xsimd::batch<double, A> b, double* out,
                            xsimd::avx512f) {
    constexpr std::int64_t order[] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};
    using index = xsimd::batch<std::int64_t, A>;
    auto const low = index::load_unaligned(order), high = index::load_unaligned(order + 8);
    xsimd::batch<double, A>(_mm512_permutex2var_pd(a, low, b)).store_unaligned(out);
    xsimd::batch<double, A>(_mm512_permutex2var_pd(a, high, b)).store_unaligned(out + 8);
}

template <class A>
FELT_INLINE void interleave(xsimd::batch<float, A> a, xsimd::batch<float, A> b, float* out,
                            xsimd::avx) {
    using numbers = xsimd::batch<float, A>;
    numbers const low(_mm256_unpacklo_ps(a, b)), high(_mm256_unpackhi_ps(a, b));
    numbers(_mm256_permute2f128_ps(low, high, 0x20)).store_unaligned(out);
    numbers(_mm256_permute2f128_ps(low, high, 0x31)).store_unaligned(out + 8);
}
template <class A>
FELT_INLINE void interleave(xsimd::batch<double, A> a, xsimd::batch<double, A> b, double* out,
                            xsimd::avx) {
    using numbers = xsimd::batch<double, A>;
    numbers const low(_mm256_unpacklo_pd(a, b)), high(_mm256_unpackhi_pd(a, b));
    numbers(_mm256_permute2f128_pd(low, high, 0x20)).store_unaligned(out);
    numbers(_mm256_permute2f128_pd(low, high, 0x31)).store_unaligned(out + 4);
}

template <class T, class A>
FELT_INLINE void interleave(xsimd::batch<T, A> a, xsimd::batch<T, A> b, T* out, any_arch) {
    xsimd::zip_lo(a, b).store_unaligned(out);
    xsimd::zip_hi(a, b).store_unaligned(out + xsimd::batch<T, A>::size);
}

}  // namespace felt::inline FELT_ABI::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// fold: one value of all lanes, the upper half onto the lower one until one lane is left, or two,
// of those before and between each other.
#pragma once
#include <felt/host/lanes.hpp>
#include <utility>

namespace felt::inline FELT_ABI::host {

namespace detail {

// Lane l takes lane l + H.
template <int H, class T, int... I>
FELT_INLINE xsimd::batch<T> lanes_from(xsimd::batch<T> x, std::integer_sequence<int, I...>) {
    using vec [[gnu::vector_size(sizeof(T) * sizeof...(I))]] = T;
    vec v;
    std::memcpy(&v, &x, sizeof(v));
    v = shuffle<((I + H) % static_cast<int>(sizeof...(I)))...>(v, v);
    std::memcpy(&x, &v, sizeof(v));
    return x;
}

}  // namespace detail

// By the operation M, down to the Parts lanes y; H is half of the lanes.
template <int H, class M, int Parts, class T>
FELT_INLINE void fold(xsimd::batch<T> const& x, T (&y)[Parts]) {
    if constexpr (H < Parts) {
        alignas(64) T t[batch_size<T>];
        x.store_aligned(t);
        for (int p = 0; p < Parts; ++p) y[p] = t[p];
    } else {
        constexpr auto all = std::make_integer_sequence<int, batch_size<T>>{};
        fold<H / 2, M>(xsimd::batch<T>(M{}(x, detail::lanes_from<H>(x, all))), y);
    }
}
template <int H, class M, class T>
FELT_INLINE T fold(xsimd::batch<T> const& x) {
    T y[1];
    fold<H, M>(x, y);
    return y[0];
}

}  // namespace felt::inline FELT_ABI::host

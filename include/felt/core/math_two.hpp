// SPDX-License-Identifier: BSD-3-Clause
//
// A number as an unevaluated sum of two, high + low, where one rounding would be too many.
// (Dekker, "A floating-point technique for extending the available precision", 1971; Knuth, "The
// Art of Computer Programming", volume 2.)
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::math {

// high + low
template <class B>
struct two {
    B high, low;
};

template <class T, class A>
FELT_INLINE two<batch<T, A>> select(xsimd::batch_bool<T, A> c, two<batch<T, A>> x,
                                    two<batch<T, A>> y) {
    return {math::select(c, x.high, y.high), math::select(c, x.low, y.low)};
}

// Exact for |x| >= |y| or x = 0.
template <class B>
FELT_INLINE two<B> two_sum(B x, B y) {
    B const sum = x + y;
    return {sum, y - (sum - x)};
}

// Exact whichever is larger.
template <class B>
FELT_INLINE two<B> two_sum_of_any(B x, B y) {
    B const sum = x + y;
    B const from_y = sum - x;
    return {sum, (x - (sum - from_y)) + (y - from_y)};
}

// The upper half of the bits of x, and the lower; rounded, the lower has a sign and a bit less, so
// that its product with another's lower half is exact too. (The largest numbers round to infinity.)
template <bool Rounded = false, class T, class A>
FELT_INLINE two<batch<T, A>> halves(batch<T, A> x) {
    using W = word_batch<T, A>;
    using word = typename format<T>::word;
    constexpr word unit = word(1) << (format<T>::mantissa / 2 + 1);
    W const w = Rounded ? to_word(x) + W(unit / 2) : to_word(x);
    auto const high = from_word<T, A>(w & W(~(unit - 1)));
    return {high, x - high};
}

// x y, exact by Dekker's way, which needs no fused multiply-add.
template <class T, class A>
FELT_INLINE two<batch<T, A>> two_product(batch<T, A> x, batch<T, A> y) {
    auto const [xh, xl] = halves<true>(x);
    auto const [yh, yl] = halves(y);
    batch<T, A> const product = x * y;
    return {product, ((xh * yh - product) + xh * yl + xl * yh) + xl * yl};
}

}  // namespace felt::inline FELT_ABI::math

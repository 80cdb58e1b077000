// SPDX-License-Identifier: BSD-3-Clause
//
// Discrete Fourier transforms, by the names of the Array API's fft extension:
//
//     fft<A>(x)[k] = sum_i x[i] exp(-2 pi i k / n)      along axis A, the last if none is named
//     felt::Tensor<std::complex<float>, 2> y = felt::fft<0>(x);
//     y = felt::fft<0>(x, {.n = 256, .norm = felt::fft_norm::ortho});
//
// Operands are tensors, views or expressions on the host; integers are taken as double. Results are
// new tensors, computed at once, and not part of a fused statement. n is the length of the
// transform: x is cut, or goes on with zeros. A transform of nothing throws shape_error.
//
// Lengths of small prime factors take n log n steps; a prime p of n takes n p. Eigen's default is
// kissfft; it uses FFTW if EIGEN_FFTW_DEFAULT is defined.
#pragma once
#include <felt/fft_lines.hpp>

namespace felt::inline FELT_ABI {

struct fft_options {
    index_t n = 0;  // x's own extent
    fft_norm norm = fft_norm::backward;
};

// What the functions of felt/fft.hpp take.
template <class X, int... Axes>
concept fft_operand =
    array_operand<X> && lies_on_host<X> && axes_are_in_range<X, Axes...> && rank_of<X> > 0;

namespace detail {

template <class X>
using fft_real = real_of<floating_t<X>>;

// x in memory, real or complex.
template <class V, class X>
Tensor<V, rank_of<X>> fft_input(X&& x) {
    return cast<V>(std::forward<X>(x));
}

template <int A, class X>
auto fft_complex(char const* name, X&& x, bool inverse, fft_options const& o) {
    using C = std::complex<fft_real<X>>;
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto const in = fft_input<C>(std::forward<X>(x));
    return fft_along<C>(name, in, axis, o.n == 0 ? in.extent(axis) : o.n, inverse, o.norm);
}
template <int A, class X>
auto fft_of_real(char const* name, X&& x, bool inverse, fft_options const& o) {
    using T = fft_real<X>;
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto const in = fft_input<T>(std::forward<X>(x));
    return fft_along<std::complex<T>>(name, in, axis, o.n == 0 ? in.extent(axis) : o.n, inverse,
                                      o.norm);
}
template <int A, class X>
auto fft_to_real(char const* name, X&& x, bool inverse, fft_options const& o) {
    using T = fft_real<X>;
    constexpr std::size_t axis = axis_v<A, rank_of<X>>;
    auto const in = fft_input<std::complex<T>>(std::forward<X>(x));
    return fft_along<T>(name, in, axis, o.n == 0 ? 2 * (in.extent(axis) - 1) : o.n, inverse,
                        o.norm);
}

// Along several axes, one after the other; of none named, along all.
template <class X, std::size_t... I>
auto fft_over(char const* name, X&& x, bool inverse, fft_norm norm, std::index_sequence<I...>) {
    using C = std::complex<fft_real<X>>;
    auto y = fft_input<C>(std::forward<X>(x));
    ((y = fft_along<C>(name, y, I, y.extent(I), inverse, norm)), ...);
    return y;
}
template <std::size_t R, int... Axes>
constexpr auto fft_axes() {
    if constexpr (sizeof...(Axes) == 0) return std::make_index_sequence<R>{};
    else return std::index_sequence<axis_v<Axes, R>...>{};
}
// The last of the axes, and those before it.
template <std::size_t... I>
constexpr std::size_t last_of(std::index_sequence<I...>) {
    std::size_t last = 0;
    ((last = I), ...);
    return last;
}
template <std::size_t First, std::size_t... I>
constexpr auto before_last(std::index_sequence<First, I...>) {
    return []<std::size_t... K>(std::index_sequence<K...>) {
        constexpr std::size_t all[] = {First, I...};
        return std::index_sequence<all[K]...>{};
    }(std::make_index_sequence<sizeof...(I)>{});
}

template <bool Back, class X, std::size_t... I>
auto fft_roll(X&& x, std::index_sequence<I...>) {
    auto const e = shape_of(x);
    return roll<static_cast<int>(I)...>(std::forward<X>(x), (Back ? -(e[I] / 2) : e[I] / 2)...);
}

}  // namespace detail

// clang-format off
template <int A = -1, class X> requires fft_operand<X, A>
[[nodiscard]] auto fft(X&& x, fft_options const& o = {})   { return detail::fft_complex<A>("fft", std::forward<X>(x), false, o); }
template <int A = -1, class X> requires fft_operand<X, A>
[[nodiscard]] auto ifft(X&& x, fft_options const& o = {})  { return detail::fft_complex<A>("ifft", std::forward<X>(x), true, o); }

// Of real x the first n / 2 + 1, of which the others are the conjugates; and back.
template <int A = -1, class X> requires fft_operand<X, A> && elements_are_real<X>
[[nodiscard]] auto rfft(X&& x, fft_options const& o = {})  { return detail::fft_of_real<A>("rfft", std::forward<X>(x), false, o); }
template <int A = -1, class X> requires fft_operand<X, A>
[[nodiscard]] auto irfft(X&& x, fft_options const& o = {}) { return detail::fft_to_real<A>("irfft", std::forward<X>(x), true, o); }

// Of x whose transform is real, given by its first n / 2 + 1; and back.
template <int A = -1, class X> requires fft_operand<X, A>
[[nodiscard]] auto hfft(X&& x, fft_options const& o = {}) {
    using C = std::complex<detail::fft_real<X>>;
    return detail::fft_to_real<A>("hfft", conj(cast<C>(std::forward<X>(x))), false, o);
}
template <int A = -1, class X> requires fft_operand<X, A> && elements_are_real<X>
[[nodiscard]] auto ihfft(X&& x, fft_options const& o = {}) {
    auto y = detail::fft_of_real<A>("ihfft", std::forward<X>(x), true, o);
    y = conj(y);
    return y;
}

template <int A = -2, int B = -1, class X> requires fft_operand<X, A, B>
[[nodiscard]] auto fft2(X&& x, fft_norm norm = fft_norm::backward)  { return detail::fft_over("fft2", std::forward<X>(x), false, norm, detail::fft_axes<rank_of<X>, A, B>()); }
template <int A = -2, int B = -1, class X> requires fft_operand<X, A, B>
[[nodiscard]] auto ifft2(X&& x, fft_norm norm = fft_norm::backward) { return detail::fft_over("ifft2", std::forward<X>(x), true, norm, detail::fft_axes<rank_of<X>, A, B>()); }
template <int... Axes, class X> requires fft_operand<X, Axes...>
[[nodiscard]] auto fftn(X&& x, fft_norm norm = fft_norm::backward)  { return detail::fft_over("fftn", std::forward<X>(x), false, norm, detail::fft_axes<rank_of<X>, Axes...>()); }
template <int... Axes, class X> requires fft_operand<X, Axes...>
[[nodiscard]] auto ifftn(X&& x, fft_norm norm = fft_norm::backward) { return detail::fft_over("ifftn", std::forward<X>(x), true, norm, detail::fft_axes<rank_of<X>, Axes...>()); }
// clang-format on

// The last axis by rfft, the others by fft; and back, n the length of the last.
template <int... Axes, class X>
    requires fft_operand<X, Axes...> && elements_are_real<X>
[[nodiscard]] auto rfftn(X&& x, fft_norm norm = fft_norm::backward) {
    constexpr auto axes = detail::fft_axes<rank_of<X>, Axes...>();
    auto y = detail::fft_of_real<static_cast<int>(detail::last_of(axes))>(
        "rfftn", std::forward<X>(x), false, {0, norm});
    return detail::fft_over("rfftn", std::move(y), false, norm, detail::before_last(axes));
}
template <int... Axes, class X>
    requires fft_operand<X, Axes...>
[[nodiscard]] auto irfftn(X&& x, fft_options const& o = {}) {
    constexpr auto axes = detail::fft_axes<rank_of<X>, Axes...>();
    auto y =
        detail::fft_over("irfftn", std::forward<X>(x), true, o.norm, detail::before_last(axes));
    return detail::fft_to_real<static_cast<int>(detail::last_of(axes))>("irfftn", std::move(y),
                                                                        true, o);
}

// The frequencies of the n results, samples d apart: 0, 1, .., -2, -1 over n d.
template <std::floating_point T = double>
[[nodiscard]] auto fftfreq(index_t n, T d = 1) {
    auto const k = iota<index_t>({n});
    return cast<T>(where(k < (n + 1) / 2, k, k - n)) / (static_cast<T>(n) * d);
}
template <std::floating_point T = double>
[[nodiscard]] auto rfftfreq(index_t n, T d = 1) {
    return cast<T>(iota<index_t>({n / 2 + 1})) / (static_cast<T>(n) * d);
}

// Frequency 0 in the middle, along all axes if none is named; and back. Expressions.
template <int... Axes, array_operand X>
    requires axes_are_in_range<X, Axes...>
[[nodiscard]] auto fftshift(X&& x) {
    return detail::fft_roll<false>(std::forward<X>(x), detail::fft_axes<rank_of<X>, Axes...>());
}
template <int... Axes, array_operand X>
    requires axes_are_in_range<X, Axes...>
[[nodiscard]] auto ifftshift(X&& x) {
    return detail::fft_roll<true>(std::forward<X>(x), detail::fft_axes<rank_of<X>, Axes...>());
}

}  // namespace felt::inline FELT_ABI

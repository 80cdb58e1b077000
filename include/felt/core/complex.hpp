// SPDX-License-Identifier: BSD-3-Clause
//
// Which elements are complex: std::complex<float> and std::complex<double>.
#pragma once
#include <felt/core/config.hpp>
#include <complex>
#include <concepts>
#include <type_traits>

namespace felt::inline FELT_ABI {

namespace detail {
template <class T>
struct complex_parts {
    static constexpr bool two = false;
    using type = T;
};
template <class T>
    requires std::same_as<T, float> || std::same_as<T, double>
struct complex_parts<std::complex<T>> {
    static constexpr bool two = true;
    using type = T;
};
}  // namespace detail

template <class T>
inline constexpr bool is_complex = detail::complex_parts<T>::two;

// The type of the parts of complex numbers; of others T itself.
template <class T>
using real_of = typename detail::complex_parts<T>::type;

namespace detail {
// T(x), from real numbers and complex ones; a complex number becomes no real one.
template <class T, class X>
FELT_FN T number_as(X x) {
    if constexpr (is_complex<T> && is_complex<X>) {
        using R = real_of<T>;
        return {static_cast<R>(x.real()), static_cast<R>(x.imag())};
    } else if constexpr (std::same_as<T, bool>) {
        return x != X(0);
    } else if constexpr (is_complex<T>) {
        return {static_cast<real_of<T>>(x), real_of<T>(0)};
    } else {
        return static_cast<T>(x);
    }
}
}  // namespace detail

}  // namespace felt::inline FELT_ABI

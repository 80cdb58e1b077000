// SPDX-License-Identifier: BSD-3-Clause
//
// How a functor runs over vectors of elements: by SIMD batches, by conditions (batches of bool),
// or element by element. The loops follow these answers, and plans report them.
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

template <class F, class... T>
constexpr bool accepts_batches() {
    constexpr std::size_t size[] = {sizeof(T)...};
    constexpr bool one_size = ((sizeof(T) == size[0]) && ...);
    constexpr bool numbers = (std::is_arithmetic_v<T> && ...);
    if constexpr ((std::is_same_v<T, bool> || ...) || !one_size || !numbers) {
        return false;
    } else {
        return requires(F const& f, xsimd::batch<T>... x) { f(x...); };
    }
}

// What stands for one of several conditions.
template <class>
using condition = xsimd::batch_bool<std::int32_t>;

template <class F, class... T>
constexpr bool accepts_conditions() {
    if constexpr (!(std::is_same_v<T, bool> && ...)) {
        return false;
    } else {
        return requires(F const& f, condition<T>... x) {
            { f(x...) } -> std::same_as<condition<void>>;
        };
    }
}

}  // namespace detail

// Whether F takes batches of T. The rows do, but for what no vector unit has; a user's functor
// is asked.
template <class F, class... T>
inline constexpr bool takes_batches = detail::accepts_batches<F, T...>();

// Whether F takes conditions and yields one.
template <class F, class... T>
inline constexpr bool takes_conditions = detail::accepts_conditions<F, T...>();

// A row that changes the type, or chooses by a condition: the loops do it, for every type.
template <class F>
inline constexpr bool converts_elements = requires { typename F::converts_to; };
template <class F>
inline constexpr bool selects_elements = requires { F::selects; };

template <class F, class... T>
inline constexpr bool runs_by_element = !converts_elements<F> && !selects_elements<F> &&
                                        !takes_batches<F, T...> && !takes_conditions<F, T...>;

}  // namespace felt::inline FELT_ABI

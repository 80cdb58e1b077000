// SPDX-License-Identifier: BSD-3-Clause
//
// apply_function<R, N>(f, x...): a functor over lanes, batch by batch where it takes batches,
// else element by element.
#pragma once
#include <felt/host/lanes.hpp>

namespace felt::host {

// Whether F takes batches of T. The rows do, but for what no vector unit has; a user's functor
// is asked.
template <class F, class... T>
constexpr bool accepts_batches() {
    constexpr std::size_t size[] = {sizeof(T)...};
    constexpr bool one_size = ((sizeof(T) == size[0]) && ...);
    if constexpr ((std::is_same_v<T, bool> || ...) || !one_size) {
        return false;
    } else if constexpr (requires { F::floating_batches; }) {
        return (std::is_floating_point_v<T> && ...);
    } else {
        return requires(F const& f, xsimd::batch<T>... x) { f(x...); };
    }
}
template <class F, class... T>
inline constexpr bool takes_batches = accepts_batches<F, T...>();

// Whether an operation on lanes runs element by element; plans report it.
template <class F, class... T>
inline constexpr bool runs_by_element = !(std::is_same_v<T, bool> || ...) && !takes_batches<F, T...>;

namespace detail {

template <class X>
struct lanes_of;
template <class T, int N>
struct lanes_of<lanes<T, N>> {
    using type = T;
};
template <class U, int N>
struct lanes_of<lane_mask<U, N>> {
    using type = bool;
};
template <class X>
using lanes_of_t = typename lanes_of<X>::type;

template <int N>
FELT_INLINE lanes<bool, N> as_bytes(lanes<bool, N> const& x) { return x; }
template <int N, class U>
FELT_INLINE lanes<bool, N> as_bytes(lane_mask<U, N> const& x) { return x.bytes(); }
template <int N, class T>
FELT_INLINE lanes<T, N> as_bytes(lanes<T, N> const& x) { return x; }

template <class T, class... X>
inline constexpr bool all_are = (std::is_same_v<T, X> && ...);

// The mask type among conditions: that of the first that was computed, not loaded.
template <class... X>
struct mask_type {
    using type = void;
};
template <class U, int N, class... X>
struct mask_type<lane_mask<U, N>, X...> {
    using type = U;
};
template <int N, class... X>
struct mask_type<lanes<bool, N>, X...> : mask_type<X...> {};

template <class U, int N, class F, class... X>
FELT_INLINE lane_mask<U, N> combine(F const& f, X const&... x) {
    lane_mask<U, N> out;
    for (int k = 0; k < out.count; ++k) out.b[k] = f(x.b[k]...);
    return out;
}

template <int N, class C, class T>
FELT_INLINE lanes<T, N> select_lanes(C const& c, lanes<T, N> const& a, lanes<T, N> const& b) {
    auto const m = as_mask<T>(c);
    lanes<T, N> out;
    for (int k = 0; k < out.count; ++k) out.b[k] = xsimd::select(m.b[k], a.b[k], b.b[k]);
    return out;
}

template <class R, int N, class F, class T, class... X>
FELT_INLINE auto apply_numbers(F const& f, lanes<T, N> const& a, X const&... x) {
    if constexpr (!takes_batches<F, T, lanes_of_t<X>...>) {
        return one_by_one<R, N>(f, a, x...);
    } else if constexpr (std::is_same_v<R, bool>) {
        return combine<T, N>(f, a, x...);
    } else {
        lanes<R, N> out;
        for (int k = 0; k < out.count; ++k) out.b[k] = f(a.b[k], x.b[k]...);
        return out;
    }
}

}  // namespace detail

// lanes<R, N>, or a lane_mask where R is bool.
template <class R, int N, class F, class... X>
FELT_INLINE auto apply_function(F const& f, X const&... x) {
    using namespace detail;
    using U = typename mask_type<X...>::type;
    constexpr bool selects = requires { F::selects; };
    if constexpr (requires { typename F::converts_to; }) {
        return convert<typename F::converts_to>(x...);
    } else if constexpr (selects && !std::is_same_v<R, bool>) {
        return select_lanes(x...);
    } else if constexpr (!(std::is_same_v<bool, lanes_of_t<X>> || ...)) {
        return apply_numbers<R, N>(f, x...);
    } else if constexpr (all_are<bool, lanes_of_t<X>...> && !std::is_void_v<U> &&
                         std::is_same_v<R, bool> && !selects) {
        return combine<U, N>(f, as_mask<U>(x)...);
    } else {
        return one_by_one<R, N>(f, as_bytes(x)...);
    }
}

}  // namespace felt::host

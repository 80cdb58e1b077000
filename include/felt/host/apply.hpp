// SPDX-License-Identifier: BSD-3-Clause
//
// apply_function<R, N>(f, x...): a functor over lanes, batch by batch where it takes batches,
// else element by element.
#pragma once
#include <felt/core/batches.hpp>
#include <felt/host/convert.hpp>

namespace felt::inline FELT_ABI::host {

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
FELT_INLINE lanes<bool, N> as_bytes(lanes<bool, N> const& x) {
    return x;
}
template <int N, class U>
FELT_INLINE lanes<bool, N> as_bytes(lane_mask<U, N> const& x) {
    return x.bytes();
}
template <int N, class T>
FELT_INLINE lanes<T, N> as_bytes(lanes<T, N> const& x) {
    return x;
}

// The mask type among conditions: that of the first that was computed; if all were loaded, the
// integer of which N lanes fill a register.
template <int N, class... X>
struct mask_type {
    static constexpr int bytes = batch_size<std::int8_t> / N;
    using type = typename integer_of_size<(bytes < 1 ? 1 : bytes > 8 ? 8 : bytes)>::type;
};
template <int N, class U, class... X>
struct mask_type<N, lane_mask<U, N>, X...> {
    using type = U;
};
template <int N, class... X>
struct mask_type<N, lanes<bool, N>, X...> : mask_type<N, X...> {};

template <class U, int N, class F, class... X>
FELT_INLINE lane_mask<U, N> combine(F const& f, X const&... x) {
    lane_mask<U, N> out;
    for (int k = 0; k < out.count; ++k) out.b[k] = f(x.b[k]...);
    return out;
}

// What is chosen may be a condition itself.
struct choose {
    FELT_INLINE auto operator()(auto c, auto a, auto b) const { return (c & a) | ((!c) & b); }
};

// Conditions from memory alone stay bytes, N of them in a register if there is one so narrow.
template <int N>
using byte_batch = xsimd::make_sized_batch_t<std::int8_t, static_cast<std::size_t>(N)>;

template <int N, class F, class... X>
FELT_INLINE lanes<bool, N> combine_bytes(F const& f, X const&... x) {
    using B = byte_batch<N>;
    auto const load = [](lanes<bool, N> const& c) {
        return B::load_unaligned(reinterpret_cast<std::int8_t const*>(c.v)) != B(0);
    };
    lanes<bool, N> out;
    math::select(f(load(x)...), B(1), B(0)).store_unaligned(reinterpret_cast<std::int8_t*>(out.v));
    return out;
}

template <int N, class F, class... X>
FELT_INLINE auto apply_conditions(F const& f, X const&... x) {
    using U = typename mask_type<N, X...>::type;
    constexpr bool bytes = (std::is_same_v<X, lanes<bool, N>> && ...);
    if constexpr (bytes && !std::is_void_v<byte_batch<N>>) {
        return combine_bytes<N>(f, x...);
    } else if constexpr (constexpr int W = batch_size<U>; W > N) {  // beside complex numbers alone
        auto const y = combine<U, W>(f, as_mask<U>(lanes<bool, W>::load(x.v, first{N}))...).bytes();
        return lanes<bool, N>::load(y.v, full{});
    } else {
        return combine<U, N>(f, as_mask<U>(x)...);
    }
}

template <int N, class C, class T>
FELT_INLINE lanes<T, N> select_lanes(C const& c, lanes<T, N> const& a, lanes<T, N> const& b) {
    if constexpr (is_complex<T>) {
        auto const choose_one = [](bool d, T x, T y) { return d ? x : y; };
        return one_by_one<T>(choose_one, as_bytes(c), a, b);
    } else {
        auto const m = as_mask<T>(c);
        lanes<T, N> out;
        for (int k = 0; k < out.count; ++k) out.b[k] = math::select(m.b[k], a.b[k], b.b[k]);
        return out;
    }
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
    if constexpr (converts_elements<F>) {
        return convert<typename F::converts_to>(x...);
    } else if constexpr (selects_elements<F> && std::is_same_v<R, bool>) {
        return apply_conditions<N>(choose{}, x...);
    } else if constexpr (selects_elements<F>) {
        return select_lanes(x...);
    } else if constexpr (takes_conditions<F, lanes_of_t<X>...>) {
        return apply_conditions<N>(f, x...);
    } else if constexpr (!(std::is_same_v<bool, lanes_of_t<X>> || ...)) {
        return apply_numbers<R, N>(f, x...);
    } else {
        return one_by_one<R, N>(f, as_bytes(x)...);
    }
}

}  // namespace felt::inline FELT_ABI::host

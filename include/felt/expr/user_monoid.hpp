// SPDX-License-Identifier: BSD-3-Clause
//
// reduce<A...>(M{}, x): a reduction of one's own. M says how two values become one, in whatever
// order and groups, and which value changes nothing:
//
//     struct farthest {
//         template <class T> static FELT_FN T identity() { return T(0); }
//         FELT_FN auto operator()(auto x, auto y) const {
//             return felt::math::select(felt::math::abs(x) < felt::math::abs(y), y, x);
//         }
//     };
//
// It has no data, and may have a `name`, for plans and messages. Numbers are combined alone or,
// where M takes SIMD batches as a functor of map does, by batches. What comes before and after is
// an expression, as in sqrt(reduce<1>(M{}, square(x))).
#pragma once
#include <felt/expr/reductions.hpp>

namespace felt::inline FELT_ABI {

// Associative and commutative, which no compiler can see; over nothing it is the identity.
template <class M, class T>
concept monoid_of = std::is_empty_v<M> && std::is_trivially_default_constructible_v<M> &&
                    requires(M const& m, T x) {
                        { M::template identity<T>() } -> std::same_as<T>;
                        { m(x, x) } -> std::convertible_to<T>;
                    };

namespace detail {

template <class M>
constexpr char const* monoid_name() {
    if constexpr (requires { M::name; }) return M::name;
    else return "reduce";
}

// M as the loops take it.
template <class M>
struct user_monoid {
    static constexpr char const* name = monoid_name<M>();
    static constexpr bool needs_elements = false;
    template <class T>
    using result = T;

    template <class T>
    static FELT_FN T identity() {
        return M::template identity<T>();
    }
    FELT_CALLS_EITHER template <class T>
        requires std::is_arithmetic_v<T>
    FELT_FN T operator()(T x, T y) const {
        return static_cast<T>(M{}(x, y));
    }
    template <class T>
    xsimd::batch<T> operator()(xsimd::batch<T> const& x, xsimd::batch<T> const& y) const {
        if constexpr (takes_branching_batches<M, T, T>) return user_function<M>{{M{}}}(x, y);
        else return lane_by_lane(x, y);
    }

private:
    template <class T>
    static xsimd::batch<T> lane_by_lane(xsimd::batch<T> const& x, xsimd::batch<T> const& y) {
        alignas(64) T a[xsimd::batch<T>::size], b[xsimd::batch<T>::size];
        x.store_aligned(a);
        y.store_aligned(b);
        for (std::size_t l = 0; l < xsimd::batch<T>::size; ++l)
            a[l] = static_cast<T>(M{}(a[l], b[l]));
        return xsimd::batch<T>::load_aligned(a);
    }
};

}  // namespace detail

// Of bool it is of int, as arithmetic is.
template <int... Axes, class M, array_operand X, same_as_keepdims... K>
    requires monoid_of<M, arithmetic_t<X>> && axes_are_in_range<X, Axes...>
auto reduce(M const&, X&& x, K... keep) {
    return detail::kept<Axes...>(
        detail::reduce<detail::user_monoid<M>, Axes...>(cast<arithmetic_t<X>>(std::forward<X>(x))),
        detail::rank_constant<X>{}, keep...);
}
template <int... Axes, class M>
void reduce(M const&, refused_monoid<Axes...>, ...);  // takes nothing

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// Norms of vectors: of all elements, or along axes, with keepdims as a last argument too.
//
//     norm<1>(x)              sqrt(sum |x|^2)      norm<1>(x, order::inf)        max |x|
//     norm<1>(x, order::one)  sum |x|              norm<1>(x, order::minus_inf)  min |x|
//     norm<1>(x, p)           (sum |x|^p)^(1 / p)  norm<1>(x, order::zero)       count_nonzero(x)
//
// Integers are taken as double. Nothing is scaled: squares of the largest numbers are infinite.
// (The Array API's linalg.vector_norm.)
#pragma once
#include <felt/expr/complex.hpp>
#include <felt/expr/reductions.hpp>
#include <cmath>

namespace felt::inline FELT_ABI {

// Orders of norms that are other formulas, and so other types.
namespace order {
inline constexpr struct zero_t {
} zero{};
inline constexpr struct one_t {
} one{};
inline constexpr struct two_t {
} two{};
inline constexpr struct inf_t {
} inf{};
inline constexpr struct minus_inf_t {
} minus_inf{};
}  // namespace order

namespace detail {

template <int... Axes, class N, class... K>
auto norm_of(N n, order::zero_t, K... keep) {
    return cast<real_of<value_of<N>>>(count_nonzero<Axes...>(std::move(n), keep...));
}
template <int... Axes, class N, class... K>
auto norm_of(N n, order::one_t, K... keep) {
    return sum<Axes...>(abs(std::move(n)), keep...);
}
// At 0 the derivative is taken for 0.
template <int... Axes>
struct norm_rule {
    auto make(array_operand auto const& x) const {
        return sqrt(sum<Axes...>(squared_abs(as_node(x))));
    }
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const& y, X const& x) const {
        return x * with_dims<Axes...>(where(y == 0, 0, dy / y), rank_constant<X>{});
    }
};
template <int... Axes, class N, class... K>
auto norm_of(N n, order::two_t, K... keep) {
    auto const rank = rank_constant<N>{};
    return kept<Axes...>(compose(norm_rule<Axes...>{}, std::move(n)), rank, keep...);
}
template <int... Axes, class N, class... K>
auto norm_of(N n, order::inf_t, K... keep) {
    return felt::max<Axes...>(abs(std::move(n)), keep...);
}
template <int... Axes, class N, class... K>
auto norm_of(N n, order::minus_inf_t, K... keep) {
    return felt::min<Axes...>(abs(std::move(n)), keep...);
}
// A number p, not 0 and finite.
template <int... Axes, class N, class... K>
auto norm_of(N n, double p, K... keep) {
    using T = real_of<value_of<N>>;
    if (p == 0 || !std::isfinite(p)) {
        throw error("norm: of order " + std::to_string(p) +
                    " write order::zero, order::inf or order::minus_inf");
    }
    return pow(sum<Axes...>(pow(abs(std::move(n)), static_cast<T>(p)), keep...),
               static_cast<T>(1 / p));
}

}  // namespace detail

template <class P>
concept order_of_a_norm = requires(P p) {
    requires std::is_arithmetic_v<P> || std::same_as<P, order::zero_t> ||
                 std::same_as<P, order::one_t> || std::same_as<P, order::two_t> ||
                 std::same_as<P, order::inf_t> || std::same_as<P, order::minus_inf_t>;
};

template <int... Axes, array_operand X, order_of_a_norm P, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto norm(X&& x, P p, K... keep) {
    return detail::norm_of<Axes...>(cast<floating_t<X>>(std::forward<X>(x)), p, keep...);
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto norm(X&& x, K... keep) {
    return norm<Axes...>(std::forward<X>(x), order::two, keep...);
}
template <int... Axes>
void norm(refused_axes<Axes...>, ...);  // takes nothing

// sqrt(sum |x|^2).
template <array_operand X>
auto norm2(X&& x) {
    return norm(std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// Compositions: written in the public language, with no node of their own.
#pragma once
#include <felt/expr/complex.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/views/reshape.hpp>

namespace felt {

// softmax<A>(x) = t / sum<A>(t) with t = exp(x - max<A>(x)): no overflow. One exp for each
// element, one division for each row.
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto softmax(X&& x) {
    auto n = as_node(std::forward<X>(x));
    auto t = detail::once(exp(n - max<A>(n, keepdims)));
    using T = typename decltype(t)::value_type;
    return t * detail::once(T(1) / sum<A>(t, keepdims));
}

// logsumexp<A>(x) = log sum exp x along A, without overflow.
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto logsumexp(X&& x) {
    auto n = as_node(std::forward<X>(x));
    auto m = max<A>(n);
    return m + log(sum<A>(exp(n - max<A>(n, keepdims))));
}
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto logsumexp(X&& x, keepdims_t) {
    return detail::with_dims<A>(logsumexp<A>(std::forward<X>(x)), detail::rank_constant<X>{});
}

// x - logsumexp<A>(x).
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto log_softmax(X&& x) {
    auto n = as_node(std::forward<X>(x));
    auto shifted = n - max<A>(n, keepdims);
    return shifted - log(sum<A>(exp(shifted), keepdims));
}

// The mean square distance from the mean (not corrected for the degrees of freedom).
template <int... Axes, array_operand X>
    requires axes_are_in_range<X, Axes...>
auto var(X&& x) {
    auto n = as_node(std::forward<X>(x));
    return mean<Axes...>(detail::squared_abs(n - mean<Axes...>(n, keepdims)));
}
template <int... Axes, array_operand X>
    requires axes_are_in_range<X, Axes...>
auto var(X&& x, keepdims_t) {
    return detail::with_dims<Axes...>(var<Axes...>(std::forward<X>(x)), detail::rank_constant<X>{});
}

// These take nothing.
template <int... Axes>
void var(refused_axes<Axes...>, ...);
template <int... Axes>
void softmax(refused_axes<Axes...>, ...);
template <int... Axes>
void logsumexp(refused_axes<Axes...>, ...);
template <int... Axes>
void log_softmax(refused_axes<Axes...>, ...);

// sqrt(sum(|x|^2)).
template <array_operand X>
auto norm2(X&& x) {
    return sqrt(sum(detail::squared_abs(std::forward<X>(x))));
}

// |a - b| <= absolute + relative * |b| everywhere.
template <class A, class B>
    requires combines_with<A, B>
[[nodiscard]] bool all_close(A&& a, B&& b, double relative = 1e-5, double absolute = 1e-8) {
    using T = promote_t<meet_t<A, B>, double>;
    auto x = cast<T>(as_node(std::forward<A>(a)));
    auto y = as_node(std::forward<B>(b));
    auto within = abs(x - y) <= absolute + relative * abs(cast<T>(y));
    return run_to_value(all(within));
}

// dot(a, b) = sum_i a[i] * b[i]: a product without rows and columns is a reduction.
template <class A, class B>
    requires products_combine<A, B> && (rank_of<A> == 1) && (rank_of<B> == 1)
auto dot(A&& a, B&& b) {
    if (a.extents() != b.extents()) {
        throw shape_error("dot: " + to_string(a.extents()) + " by " + to_string(b.extents()));
    }
    return sum(std::forward<A>(a) * std::forward<B>(b));
}
template <class B>
void dot(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

// Of two vectors a product is their dot product.
template <class A, class B>
    requires products_combine<A, B> && (rank_of<A> == 1) && (rank_of<B> == 1)
auto matmul(A&& a, B&& b) {
    return dot(std::forward<A>(a), std::forward<B>(b));
}

// kron(a, b)[i * p + k, j * q + l] = a[i, j] * b[k, l] for b of p x q.
template <class A, class B>
    requires combines_with<A, B> && (rank_of<A> == 2) && (rank_of<B> == 2)
auto kron(A&& a, B&& b) {
    auto x = as_node(std::forward<A>(a));
    auto y = as_node(std::forward<B>(b));
    auto const m = x.extents();
    auto const n = y.extents();
    auto product = expand_dims<3>(expand_dims<1>(std::move(x))) *  // i, 1, j, 1
                   expand_dims<2>(expand_dims<0>(std::move(y)));   // 1, k, 1, l
    return reshape(std::move(product), {m[0] * n[0], m[1] * n[1]});
}
template <class B>
void kron(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

// one_hot<T>(labels, n)[.., j] = labels[..] == j.
template <class L>
concept labels_are_integers = std::is_integral_v<value_of<L>>;

template <element T, array_operand L>
    requires labels_are_integers<L>
auto one_hot(L&& labels, extent_arg n) {
    return cast<T>(expand_dims<-1>(as_node(std::forward<L>(labels))) == iota<value_of<L>>({n}));
}

}  // namespace felt

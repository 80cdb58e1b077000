// SPDX-License-Identifier: BSD-3-Clause
//
// Compositions: written in the public language, with no node of their own. Some have derivatives of
// their own too, by their results: fewer operations than what each of their parts contributes.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/notation.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/views/reshape.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

namespace detail {

// The last product of softmax<A>: by its type a plan knows it (carried_softmax.hpp).
template <int A>
struct softmax_quotient : op::multiply {};

template <int A>
struct softmax_rule {
    auto make(array_operand auto const& x) const {
        auto n = as_node(x);
        auto t = once(exp(n - max<A>(n, keepdims)));
        using T = typename decltype(t)::value_type;
        return make_map(softmax_quotient<A>{}, t, once(T(1) / sum<A>(t, keepdims)));
    }
    template <std::size_t>
    auto pull(auto const& dy, auto const& y, auto const&) const {
        return y * (dy - sum<A>(dy * y, keepdims));
    }
};

template <int A, array_operand X>
auto softmax_of(X&& x) {
    return compose(softmax_rule<A>{}, std::forward<X>(x));
}

template <int A>
struct logsumexp_rule {
    auto make(array_operand auto const& x) const {
        auto n = as_node(x);
        auto m = max<A>(n);
        return m + log(sum<A>(exp(n - nan_to_num(max<A>(n, keepdims), 0, 0, 0))));
    }
    template <std::size_t>
    auto pull(auto const& dy, auto const&, array_operand auto const& x) const {
        return with_dims<A>(dy, rank_constant<decltype(x)>{}) * softmax_of<A>(x);
    }
};

template <int A>
struct log_softmax_rule {
    auto make(array_operand auto const& x) const {
        auto n = as_node(x);
        auto shifted = n - max<A>(n, keepdims);
        return shifted - log(sum<A>(exp(shifted), keepdims));
    }
    template <std::size_t>
    auto pull(auto const& dy, auto const& y, auto const&) const {
        return dy - exp(y) * sum<A>(dy, keepdims);
    }
};

}  // namespace detail

// softmax<A>(x) = t / sum<A>(t) with t = exp(x - max<A>(x)): no overflow. One exp for each
// element, one division for each row.
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto softmax(X&& x) {
    return detail::softmax_of<A>(std::forward<X>(x));
}

// logsumexp<A>(x) = log sum exp x along A, without overflow; of an infinity it is that.
template <int A, array_operand X>
    requires axes_are_in_range<X, A>
auto logsumexp(X&& x) {
    return compose(detail::logsumexp_rule<A>{}, std::forward<X>(x));
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
    return compose(detail::log_softmax_rule<A>{}, std::forward<X>(x));
}

// These take nothing.
template <int... Axes>
void softmax(refused_axes<Axes...>, ...);
template <int... Axes>
void logsumexp(refused_axes<Axes...>, ...);
template <int... Axes>
void log_softmax(refused_axes<Axes...>, ...);

// |a - b| <= absolute + relative * |b| everywhere. Close to an infinity is only itself.
template <class A, class B>
    requires combines_with<A, B>
[[nodiscard]] bool all_close(A&& a, B&& b, double relative = 1e-5, double absolute = 1e-8) {
    using T = promote_t<meet_t<A, B>, double>;
    auto x = cast<T>(as_node(std::forward<A>(a)));
    auto y = as_node(std::forward<B>(b));
    auto const largest = std::numeric_limits<double>::max();
    auto slack = minimum(absolute + relative * abs(cast<T>(y)), largest);
    return run_to_value(all(x == cast<T>(y) || abs(x - y) <= slack));
}

// one_hot<T>(labels, n)[.., j] = labels[..] == j.
template <class L>
concept labels_are_integers = std::is_integral_v<value_of<L>>;

template <element T, array_operand L>
    requires labels_are_integers<L>
auto one_hot(L&& labels, extent_arg n) {
    return cast<T>(expand_dims<-1>(as_node(std::forward<L>(labels))) == iota<value_of<L>>({n}));
}

}  // namespace felt::inline FELT_ABI

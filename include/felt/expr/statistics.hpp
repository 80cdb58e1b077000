// SPDX-License-Identifier: BSD-3-Clause
//
// Statistics, as compositions over the axes named, or over all: with keepdims as a last argument
// these stay with extent 1.
#pragma once
#include <felt/expr/complex.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/views/permute.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

// Of n values ddof are determined by what was estimated before, such as their mean: square
// distances are divided by n - ddof, 1 for an unbiased estimate. (NumPy's ddof, the Array API's
// correction.)
struct var_options {
    double ddof = 0;
};

namespace detail {

// The way through the mean adds up to 0.
template <int... Axes>
struct var_rule {
    double ddof;

    auto make(array_operand auto const& x) const {
        auto n = as_node(x);
        auto far = squared_abs(n - mean<Axes...>(n, keepdims));
        using T = value_of<decltype(far)>;
        return sum<Axes...>(std::move(far)) / static_cast<T>(divisor(n.extents()));
    }
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x) const {
        using T = value_of<X>;
        auto const d = with_dims<Axes...>(dy, rank_constant<X>{});
        auto const scale = static_cast<T>(2 / divisor(shape_of(x)));
        return (x - mean<Axes...>(x, keepdims)) * (d * scale);
    }

private:
    // What a sum over the axes is divided by.
    template <std::size_t R>
    double divisor(extents<R> const& e) const {
        double n = 1;
        constexpr unsigned mask = sizeof...(Axes) == 0 ? all_axes(R) : axis_mask<R, Axes...>();
        for (std::size_t r = 0; r < R; ++r) {
            if ((mask >> r & 1U) != 0) n *= static_cast<double>(e[r]);
        }
        return std::max(n - ddof, 0.0);
    }
};

}  // namespace detail

// sum |x - mean|^2 / max(n - ddof, 0), in two passes.
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto var(X&& x, var_options const& o, K... keep) {
    return detail::kept<Axes...>(compose(detail::var_rule<Axes...>{o.ddof}, std::forward<X>(x)),
                                 detail::rank_constant<X>{}, keep...);
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto var(X&& x, K... keep) {
    return var<Axes...>(std::forward<X>(x), var_options{}, keep...);
}

// sqrt(var): NumPy's std.
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto stddev(X&& x, var_options const& o, K... keep) {
    return sqrt(var<Axes...>(std::forward<X>(x), o, keep...));
}
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto stddev(X&& x, K... keep) {
    return sqrt(var<Axes...>(std::forward<X>(x), keep...));
}

// The largest minus the smallest.
template <int... Axes, array_operand X, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...>
auto ptp(X&& x, K... keep) {
    auto n = as_node(std::forward<X>(x));
    auto largest = felt::max<Axes...>(n, keep...);
    return std::move(largest) - felt::min<Axes...>(n, keep...);
}

// A weight for every element, or for every place along the one axis.
template <class X, class W, int... Axes>
concept weights_fit = rank_of<W> == rank_of<X> || (rank_of<W> == 1 && sizeof...(Axes) == 1);

namespace detail {
// Weights along axis A of rank R as an array of that rank.
template <int A, std::size_t R, class W>
auto along_axis(W&& w) {
    view_map<1, R> m{ones<R>(), {}};
    m.e[axis_v<A, R>] = shape_of(w)[0];
    m.rule[0] = {static_cast<int>(axis_v<A, R>), -1, 1};
    return as_node(make_view(std::forward<W>(w), m, "along axis"));
}
FELT_PLANNING inline void check_weights(shape_ref x, shape_ref w, bool fit) {
    if (!fit) throw shape_error("average: " + x.text() + " by weights of " + w.text());
}
}  // namespace detail

// sum(w x) / sum(w). Weights that sum to 0 give NaN or infinity.
template <int... Axes, array_operand X, array_operand W, same_as_keepdims... K>
    requires axes_are_in_range<X, Axes...> && weights_fit<X, W, Axes...> &&
             operands_share_a_space<space_of<X>, space_of<W>>
auto average(X&& x, W&& weights, K... keep) {
    using T = floating_t<X, W>;
    constexpr std::size_t R = rank_of<X>;
    auto n = cast<T>(std::forward<X>(x));
    auto w = cast<T>(std::forward<W>(weights));
    if constexpr (rank_of<W> == R) {
        detail::check_weights(n.extents(), shape_of(w), n.extents() == shape_of(w));
        return sum<Axes...>(n * w, keep...) / sum<Axes...>(w, keep...);
    } else {
        auto const fits = ((n.extents()[axis_v<Axes, R>] == shape_of(w)[0]) && ...);
        detail::check_weights(n.extents(), shape_of(w), fits);
        return sum<Axes...>(n * detail::along_axis<Axes..., R>(w), keep...) / sum(w);
    }
}

// Rows are variables, columns what was observed of them.
template <class X>
concept rows_are_variables = rank_of<X> == 2;

struct cov_options {
    double ddof = 1;
};

// cov(x)[i, j] = sum_k (x[i, k] - mean_i) (x[j, k] - mean_j) / max(n - ddof, 0).
template <array_operand X>
    requires rows_are_variables<X>
auto cov(X&& x, cov_options const& o = {}) {
    auto n = as_node(std::forward<X>(x));
    auto const observed = static_cast<double>(n.extents()[1]);
    auto far = n - mean<1>(n, keepdims);
    using T = value_of<decltype(far)>;
    return matmul(far, transpose(far)) / static_cast<T>(std::max(observed - o.ddof, 0.0));
}

// cov(x)[i, j] / sqrt(var_i var_j), within -1 and 1.
template <array_operand X>
    requires rows_are_variables<X>
auto corrcoef(X&& x) {
    auto n = as_node(std::forward<X>(x));
    auto far = n - mean<1>(n, keepdims);
    auto length = sqrt(sum<1>(square(far)));
    auto lengths = expand_dims<1>(length) * expand_dims<0>(length);
    return clip(matmul(far, transpose(far)) / lengths, -1, 1);
}

// These take nothing.
template <int... Axes>
void var(refused_axes<Axes...>, ...);
template <int... Axes>
void stddev(refused_axes<Axes...>, ...);
template <int... Axes>
void ptp(refused_axes<Axes...>, ...);
template <int... Axes>
void average(refused_axes<Axes...>, ...);

}  // namespace felt::inline FELT_ABI

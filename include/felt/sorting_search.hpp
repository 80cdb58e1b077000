// SPDX-License-Identifier: BSD-3-Clause
//
// searchsorted, isin, histogram: where numbers belong. What is searched for may be an expression:
// it is computed in the same pass and not written.
#pragma once
#include <felt/expr/bincount.hpp>
#include <felt/sorting_order.hpp>

namespace felt::inline FELT_ABI {

// Of equal elements: before the first, or behind the last.
enum class side { left, right };

namespace detail {

template <class T>
struct place_among {
    static constexpr char const* name = "searchsorted";
    static constexpr int cost = 40;
    T const* from;
    index_t n;
    side which;
    index_t operator()(T v) const {
        return (which == side::left ? std::lower_bound(from, from + n, v, nan_last{})
                                    : std::upper_bound(from, from + n, v, nan_last{})) -
               from;
    }
    bool operator==(place_among const&) const = default;
};

template <class T>
struct is_among {
    static constexpr char const* name = "isin";
    static constexpr int cost = 40;
    T const* from;
    index_t n;
    bool operator()(T v) const {
        T const* const at = std::lower_bound(from, from + n, v, nan_last{});
        return at != from + n && *at == v;
    }
    bool operator==(is_among const&) const = default;
};

// The bin of v; `bins` beside them and of NaN.
struct bin_of {
    static constexpr char const* name = "histogram";
    static constexpr int cost = 40;
    double const* edge;
    index_t bins;
    index_t operator()(double v) const {
        if (!(v >= edge[0] && v <= edge[bins])) return bins;
        return std::min(std::upper_bound(edge, edge + bins + 1, v) - edge, bins) - 1;
    }
    bool operator==(bin_of const&) const = default;
};

}  // namespace detail

// For each of the values the index at which it can be put into `sorted`, a vector in rising order,
// so that this remains in order. Throws error, unless NDEBUG is defined, if it is not.
template <sortable S, sortable V>
    requires is_a_vector<S>
[[nodiscard]] auto searchsorted(S const& sorted, V const& values, side which = side::left) {
    using T = promote_t<value_of<S>, value_of<V>>;
    auto const all = detail::in_order<T>(sorted);
    T const* const from = all.data();
    if (FELT_CHECKED && !std::is_sorted(from, from + all.size(), detail::nan_last{})) {
        throw error("searchsorted: the vector " + to_string(all.extents()) + " is not in order");
    }
    return eval(map(detail::place_among<T>{from, all.size(), which}, cast<T>(values)));
}

// Whether each element of x is one of `values`; NaN never is.
template <sortable X, sortable V>
[[nodiscard]] auto isin(X const& x, V const& values) {
    using T = promote_t<value_of<X>, value_of<V>>;
    auto all = eval(cast<T>(values));
    detail::sort_rows(all.data(), all.size(), all.size(), sort_order::ascending);
    return eval(map(detail::is_among<T>{all.data(), all.size()}, cast<T>(x)));
}

struct histogram_result {
    Tensor<index_t, 1> counts;  // edges[i] <= x < edges[i + 1]; in the last bin x may be its end
    Tensor<double, 1> edges;    // one more than bins
};

// How many elements of x are in each of so many equal parts of lo .. hi; what lies outside, and
// NaN, in none. Throws error if there is no bin, or lo < hi are not finite.
template <sortable X>
[[nodiscard]] histogram_result histogram(X const& x, index_t bins, double lo, double hi) {
    if (bins < 1 || !(lo < hi) || !std::isfinite(lo) || !std::isfinite(hi)) {
        throw error("histogram: " + std::to_string(bins) + " bins from " + std::to_string(lo) +
                    " to " + std::to_string(hi));
    }
    Tensor<double, 1> edges = linspace<double>(lo, hi, bins + 1);
    auto const at = map(detail::bin_of{edges.data(), bins}, cast<double>(x));
    Tensor<index_t, 1> counts = slice(bincount(at, bins + 1), until(bins));
    return {std::move(counts), std::move(edges)};
}

}  // namespace felt::inline FELT_ABI

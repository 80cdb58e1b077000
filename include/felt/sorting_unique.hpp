// SPDX-License-Identifier: BSD-3-Clause
//
// unique and its like: each value of x once, in rising order. NaN is not equal to NaN, so each of
// them is there, last; 0 and -0 are equal.
#pragma once
#include <felt/sorting_order.hpp>

namespace felt::inline FELT_ABI {

template <class T>
struct unique_counts_result {
    Tensor<T, 1> values;
    Tensor<index_t, 1> counts;
};

template <class T, std::size_t R>
struct unique_inverse_result {
    Tensor<T, 1> values;
    Tensor<index_t, R> inverse_indices;  // values(inverse_indices(i..)) is x(i..)
};

template <class T, std::size_t R>
struct unique_all_result {
    Tensor<T, 1> values;
    Tensor<index_t, 1> indices;  // where each stands first, in x's row-major order
    Tensor<index_t, R> inverse_indices;
    Tensor<index_t, 1> counts;
};

namespace detail {

// Of `size` elements; returns the result, with the inverse in row-major order at `inverse`.
template <class T>
unique_all_result<T, 0> unique_of(T const* x, index_t size, index_t* inverse) {
    Tensor<index_t, 1> order({size}, uninitialized), first({size}, uninitialized);
    argsort_rows(x, size, size, sort_order::ascending, order.data());
    index_t n = 0;
    for (index_t i = 0; i < size; ++i) {
        if (i == 0 || x[order(i)] != x[order(i - 1)]) first(n++) = i;
        inverse[order(i)] = n - 1;
    }
    Tensor<T, 1> values({n}, uninitialized);
    Tensor<index_t, 1> indices({n}, uninitialized), counts({n}, uninitialized);
    for (index_t j = 0; j < n; ++j) {
        indices(j) = order(first(j));
        values(j) = x[indices(j)];
        counts(j) = (j + 1 < n ? first(j + 1) : size) - first(j);
    }
    return {std::move(values), std::move(indices), {}, std::move(counts)};
}

}  // namespace detail

template <sortable X>
[[nodiscard]] auto unique_all(X const& x) {
    auto const all = detail::in_order<value_of<X>>(x);
    Tensor<index_t, rank_of<X>> inverse(all.extents(), uninitialized);
    auto u = detail::unique_of(all.data(), all.size(), inverse.data());
    return unique_all_result<value_of<X>, rank_of<X>>{std::move(u.values), std::move(u.indices),
                                                      std::move(inverse), std::move(u.counts)};
}

// The values alone, a vector.
template <sortable X>
[[nodiscard]] auto unique(X const& x) {
    auto all = eval(x);
    detail::sort_rows(all.data(), all.size(), all.size(), sort_order::ascending);
    auto const* const end = std::unique(all.data(), all.data() + all.size());
    return detail::copied(all.data(), end - all.data());
}

template <sortable X>
[[nodiscard]] auto unique_counts(X const& x) {
    auto u = unique_all(x);
    return unique_counts_result<value_of<X>>{std::move(u.values), std::move(u.counts)};
}

template <sortable X>
[[nodiscard]] auto unique_inverse(X const& x) {
    auto u = unique_all(x);
    return unique_inverse_result<value_of<X>, rank_of<X>>{std::move(u.values),
                                                          std::move(u.inverse_indices)};
}

}  // namespace felt::inline FELT_ABI

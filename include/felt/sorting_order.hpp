// SPDX-License-Identifier: BSD-3-Clause
//
// sort, argsort, topk: the order of what lies along an axis. Equal elements stay in the order in
// which they are, also where the largest come first. NaN is the largest: last, or first if
// descending.
#pragma once
#include <felt/sorting_rows.hpp>
#include <memory>

namespace felt::inline FELT_ABI {

namespace detail {

// By merging, with n / 2 elements of scratch; clang finds that of libstdc++ deprecated.
template <class T, class Before>
void merge_sort(T* x, index_t n, T* scratch, Before const& before) {
    if (n <= 16) {
        for (index_t i = 1; i < n; ++i) {
            std::rotate(std::upper_bound(x, x + i, x[i], before), x + i, x + i + 1);
        }
        return;
    }
    index_t const half = n / 2;
    merge_sort(x, half, scratch, before);
    merge_sort(x + half, n - half, scratch, before);
    T const *a = scratch, *const end = std::copy(x, x + half, scratch);
    T const* b = x + half;
    for (; a != end && b != x + n; ++x, --n) *x = before(*b, *a) ? *b++ : *a++;
    std::copy(a, end, x);
}
template <class T, class Before>
void stable_sort(T* x, index_t n, Before const& before) {
    std::unique_ptr<T[]> const scratch(new T[static_cast<std::size_t>(n / 2)]);
    merge_sort(x, n, scratch.get(), before);
}

template <class T>
void sort_rows(T* data, index_t size, index_t n, sort_order order) {
    if (size == 0) return;
    with_order(order, [&](auto before) {
        for_each_row(size / n, n, [&](index_t i) { stable_sort(data + i * n, n, before); });
    });
}

template <class T>
void argsort_rows(T const* data, index_t size, index_t n, sort_order order, index_t* places) {
    if (size == 0) return;
    with_order(order, [&](auto before) {
        for_each_row(size / n, n, [&](index_t i) {
            T const* const row = data + i * n;
            index_t* const place = places + i * n;
            std::iota(place, place + n, index_t{0});
            stable_sort(place, n, [=](index_t a, index_t b) { return before(row[a], row[b]); });
        });
    });
}

// The first k of n in each row, in order.
template <class T>
void first_of_rows(T const* data, index_t size, index_t n, index_t k, sort_order order, T* values,
                   index_t* places) {
    if (size == 0 || k == 0) return;
    with_order(order, [&](auto before) {
        for_each_row(size / n, n, [&](index_t i) {
            T const* const row = data + i * n;
            auto const first = [=](index_t a, index_t b) {
                return before(row[a], row[b]) || (!before(row[b], row[a]) && a < b);
            };
            std::vector<index_t> place(static_cast<std::size_t>(n));
            std::iota(place.begin(), place.end(), index_t{0});
            std::partial_sort(place.begin(), place.begin() + k, place.end(), first);
            for (index_t j = 0; j < k; ++j) {
                index_t const at = place[static_cast<std::size_t>(j)];
                values[i * k + j] = row[at];
                places[i * k + j] = at;
            }
        });
    });
}

}  // namespace detail

// x with the elements along axis A in order.
template <int A = -1, sortable_along<A> X>
[[nodiscard]] auto sort(X const& x, sort_order order = sort_order::ascending) {
    auto y = detail::rows_along<A>(x);
    detail::sort_rows(y.data(), y.size(), y.extent(y.rank - 1), order);
    return detail::from_rows<A>(std::move(y));
}

// The indices along axis A that sort x: take_along_axis<A>(x, argsort<A>(x)) is sort<A>(x).
template <int A = -1, sortable_along<A> X>
[[nodiscard]] auto argsort(X const& x, sort_order order = sort_order::ascending) {
    auto const keys = detail::rows_along<A>(x);
    Tensor<index_t, rank_of<X>> y(keys.extents(), uninitialized);
    detail::argsort_rows(keys.data(), keys.size(), keys.extent(y.rank - 1), order, y.data());
    return detail::from_rows<A>(std::move(y));
}

template <class T, std::size_t R>
struct topk_result {
    Tensor<T, R> values;
    Tensor<index_t, R> indices;  // where they stand along the axis
};

// The k largest along axis A, or the k smallest if ascending, in that order, of equals the first.
// Throws shape_error if there are not so many.
template <int A = -1, sortable_along<A> X>
[[nodiscard]] auto topk(X const& x, index_t k, sort_order order = sort_order::descending) {
    using T = value_of<X>;
    constexpr std::size_t R = rank_of<X>;
    auto const all = shape_of(x);
    if (k < 0 || k > all[axis_v<A, R>]) {
        throw shape_error("topk: " + std::to_string(k) + " along axis " +
                          std::to_string(axis_v<A, R>) + " of " + to_string(all));
    }
    auto const keys = detail::rows_along<A>(x);
    auto e = keys.extents();
    index_t const n = e[R - 1];
    e[R - 1] = k;
    Tensor<T, R> values(e, uninitialized);
    Tensor<index_t, R> places(e, uninitialized);
    detail::first_of_rows(keys.data(), keys.size(), n, k, order, values.data(), places.data());
    return topk_result<T, R>{detail::from_rows<A>(std::move(values)),
                             detail::from_rows<A>(std::move(places))};
}

}  // namespace felt::inline FELT_ABI

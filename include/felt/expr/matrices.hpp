// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of matrices, as compositions: diag, tril, triu, trace. Diagonal k is where j = i + k.
#pragma once
#include <felt/expr/create.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/views/diagonal.hpp>
#include <felt/expr/views/pad.hpp>

namespace felt::inline FELT_ABI {

template <class V>
concept is_a_vector = rank_of<V> == 1;

// The matrix of n + |k| rows and columns with v on diagonal k, and 0 beside it.
template <array_operand V>
    requires is_a_vector<V>
auto diag(V&& v, index_t k = 0) {
    auto n = as_node(std::forward<V>(v));
    index_t const size = n.extents()[0] + (k < 0 ? -k : k);
    auto row = pad(std::move(n), {{std::max<index_t>(k, 0), std::max<index_t>(-k, 0)}});
    return where(expand_dims<1>(iota(size) + k) == iota(size), std::move(row), value_of<V>(0));
}

// x where j <= i + k, and else 0; i and j are the last two axes.
template <array_operand X>
    requires has_rows_and_columns<X>
auto tril(X&& x, index_t k = 0) {
    auto n = as_node(std::forward<X>(x));
    auto const e = n.extents();
    auto const last = expand_dims<1>(iota(e[e.rank - 2]) + k);
    return where(iota(e[e.rank - 1]) <= last, std::move(n), value_of<X>(0));
}

// x where j >= i + k, and else 0.
template <array_operand X>
    requires has_rows_and_columns<X>
auto triu(X&& x, index_t k = 0) {
    auto n = as_node(std::forward<X>(x));
    auto const e = n.extents();
    auto const first = expand_dims<1>(iota(e[e.rank - 2]) + k);
    return where(iota(e[e.rank - 1]) >= first, std::move(n), value_of<X>(0));
}

// The sum of a diagonal, of each matrix.
template <array_operand X>
    requires has_rows_and_columns<X>
auto trace(X&& x, index_t k = 0) {
    return sum<-1>(diagonal(std::forward<X>(x), k));
}

}  // namespace felt::inline FELT_ABI

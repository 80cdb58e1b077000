// SPDX-License-Identifier: BSD-3-Clause
//
// A sum that grew over some strips, and another of the same node over later strips: their sum.
#pragma once
#include <felt/host/bind.hpp>
#include <felt/host/reduce_kernels.hpp>
#include <felt/host/arg_reduce.hpp>

namespace felt::inline FELT_ABI::host::detail {

// The axis along which both lie densely; the longest, -1 if there is none.
inline int common_lanes(slot const& a, slot const& b) {
    int lanes = -1;
    for (int i = 0; i < a.held.rank; ++i) {
        bool const dense = a.stride[i] == 1 && b.stride[i] == 1;
        if (dense && (lanes < 0 || a.held.extent(i) > a.held.extent(lanes))) lanes = i;
    }
    return lanes;
}

// M is the monoid. What a slot holds begins at index 0 of each axis.
template <class M, class T>
void combine_values(slot& into, slot const& other) {
    int const lanes = common_lanes(into, other);
    index_t const n = lanes < 0 ? 1 : into.held.extent(lanes);
    planning::for_each_row(into.held, lanes, [&](index_t const* at) {
        T* to = static_cast<T*>(into.data);
        T const* from = static_cast<T const*>(other.data);
        for (int a = 0; a < into.held.rank; ++a) {
            to += into.stride[a] * at[a];
            from += other.stride[a] * at[a];
        }
        reduce_into<M>(to, &from, 1, n);
    });
}

// The positions J of the best values of type T, both stored alike. E(x, y) is the better of two.
template <class E, class T, class J>
void combine_positions(slot& into, slot const& other) {
    T* const best = static_cast<T*>(into.best);
    T const* const value = static_cast<T const*>(other.best);
    J* const where = static_cast<J*>(into.data);
    J const* const found = static_cast<J const*>(other.data);
    for (index_t i = 0; i < into.held.size(); ++i) {
        keep_first<E>(best[i], where[i], value[i], value + i, 1, found[i], 0);
    }
}

}  // namespace felt::inline FELT_ABI::host::detail

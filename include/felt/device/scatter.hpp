// SPDX-License-Identifier: BSD-3-Clause
//
// scatter_add: whoever owns a line across the axis adds to it in the order of the indices, so that
// the result does not depend on threads.
#pragma once
#include <felt/device/write.hpp>
#include <felt/expr/views/scatter.hpp>

namespace felt::inline FELT_ABI::device {

template <class T, std::size_t R, class X, class I>
struct line_adder {
    T* to;                     // dense, zeros
    extents<R> e;              // of the result
    loops<R, index_t> others;  // with 1 along the axis
    index_t count;             // of indices
    std::size_t axis;
    X x;
    I indices;

    FELT_FN void operator()(index_t number) const {
        auto const at_line = others(number);
        extents<R> line;
        for (std::size_t r = 0; r != R; ++r) line[r] = at_line[r];
        for (index_t i = 0; i < count; ++i) {
            auto const at = static_cast<index_t>(indices(extents<1>{{i}}));
            to[number_of(moved_to(line, axis, at), e)] += x(moved_to(line, axis, i));
        }
    }
};

// The values of n, dense and in row-major order, to `to`.
template <class X, class I>
void scatter(typename X::value_type* to, scatter_node<X, I> const& n, stream_handle s) {
    using T = typename X::value_type;
    constexpr std::size_t R = X::rank;
    index_t const bytes = n.e.size() * static_cast<index_t>(sizeof(T));
    if (bytes == 0) return;
    clear_bytes(to, bytes, s);
    auto const axis = static_cast<std::size_t>(n.axis);
    auto others = n.e;
    others[axis] = 1;
    auto const x = reader(n.x.head, own_loops<R>());
    auto const at = reader(n.x.tail.head, own_loops<1>());
    launch(others.size(),
           line_adder<T, R, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(at)>>{
               to, n.e, loops<R, index_t>(others), n.x.tail.head.extents()[0], axis, x, at},
           "scatter_add");
}

}  // namespace felt::inline FELT_ABI::device

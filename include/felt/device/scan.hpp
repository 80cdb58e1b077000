// SPDX-License-Identifier: BSD-3-Clause
//
// Scans: a thread for each line across the axis, which goes through it in order, so that the result
// does not depend on threads.
#pragma once
#include <felt/device/write.hpp>
#include <felt/expr/scan.hpp>

namespace felt::inline FELT_ABI::device {

// The axis is a constant, so that indices stay in registers.
template <class F, class T, std::size_t R, std::size_t Axis, class X>
struct line_scanner {
    T* to;  // dense
    extents<R> e;
    loops<R, index_t> others;  // with 1 along the axis
    F op;
    X x;

    FELT_FN void operator()(index_t number) const {
        auto const at_line = others(number);
        extents<R> line;
        for (std::size_t r = 0; r != R; ++r) line[r] = at_line[r];
        index_t step = 1;
        for (std::size_t r = Axis + 1; r != R; ++r) step *= e[r];
        T* p = to + number_of(line, e);
        T all = *p = x(line);
        for (index_t i = 1; i < e[Axis]; ++i) {
            p += step;
            line[Axis] = i;
            *p = all = static_cast<T>(op(all, x(line)));
        }
    }
};

// The values of n, dense and in row-major order, to `to`.
template <class F, int A, class X>
void scan_lines(typename X::value_type* to, scan_node<F, A, X> const& n) {
    using T = typename X::value_type;
    constexpr std::size_t R = X::rank;
    auto const e = n.extents();
    if (e.size() == 0) return;
    auto others = e;
    others[A] = 1;
    auto const x = reader(n.x.head, own_loops<R>());
    using scanner = line_scanner<F, T, R, axis_v<A, R>, std::remove_const_t<decltype(x)>>;
    launch(others.size(), scanner{to, e, loops<R, index_t>(others), n.op, x}, "scan");
}

}  // namespace felt::inline FELT_ABI::device

// SPDX-License-Identifier: BSD-3-Clause
//
// A streaming expression to memory: one element per index, whatever nodes it has.
#pragma once
#include <felt/device/launch.hpp>
#include <felt/device/readers.hpp>

namespace felt::device {

template <class T, std::size_t R, class X>
struct element_writer {
    T* data;
    extents<R> e, stride;
    X x;

    FELT_FN void operator()(index_t number) const {
        extents<R> const at = index_of(number, e);
        index_t place = 0;
        for (std::size_t r = 0; r != R; ++r) place += at[r] * stride[r];
        data[place] = x(at);
    }
};

template <class T, std::size_t R, class N>
void write(T* data, extents<R> const& e, extents<R> const& stride, N const& n) {
    auto const x = reader(n, broadcast(own_loops<R>(), n.extents()));
    launch(e.size(), element_writer<T, R, std::remove_const_t<decltype(x)>>{data, e, stride, x},
           "assign");
}

}  // namespace felt::device

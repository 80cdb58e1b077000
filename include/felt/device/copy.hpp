// SPDX-License-Identifier: BSD-3-Clause
//
// Copies between spaces, which nothing else makes, counted.
#pragma once
#include <felt/device/memory.hpp>
#include <felt/device/transfers.hpp>
#include <felt/expr/assign.hpp>

namespace felt::inline FELT_ABI {

namespace device {
template <class To, class From, class T>
void copy_elements(T* to, T const* from, index_t n) {
    auto const s = stream_of_this_thread();
    auto const bytes = n * static_cast<index_t>(sizeof(T));
    if (n == 0) return;
    if constexpr (std::is_same_v<To, From>) {
        copy_within(to, from, bytes, s);
    } else {
        wait_for(s, "copy");  // so that the clock sees the copy alone
        auto& all = counted_transfers();
        count_transfer(std::is_same_v<To, Device> ? all.to_device : all.from_device, bytes,
                       [&] { copy_bytes(to, from, bytes, s); });
    }
}
}  // namespace device

// The same elements in a tensor of another space, or of the same one: to<Device>(x), to<Host>(y).
template <class To, class T, std::size_t R, class From, class Layout>
[[nodiscard]] Tensor<T, R, To, Layout> to(Tensor<T, R, From, Layout> const& x) {
    Tensor<T, R, To, Layout> y(x.extents(), uninitialized);
    device::copy_elements<To, From>(y.data(), x.data(), x.span_size());
    return y;
}
template <class To, class T, std::size_t R, class From>
[[nodiscard]] auto to(View<T, R, From> const& x) {
    Tensor<std::remove_const_t<T>, R, From> dense(x.extents(), uninitialized);
    noalias(dense) = x;
    return to<To>(dense);
}

// y holds the elements of x, which lies in any space; they may overlap. Throws shape_error unless
// their extents agree.
template <class Y, strided_array X>
    requires destination_is_writable<Y> &&
             (rank_of<Y> == rank_of<X>) && std::same_as<value_of<Y>, value_of<X>>
void copy(Y&& y, X const& x) {
    if (y.extents() != x.extents()) {
        throw shape_error("copy: " + to_string(x.extents()) + " does not fit " +
                          to_string(y.extents()));
    }
    bool const dense = x.strides() == RowMajor::strides(x.extents());
    if constexpr (std::same_as<space_of<Y>, space_of<X>>) {
        view(y) = view(x);
    } else if (dense && y.strides() == x.strides()) {
        device::copy_elements<space_of<Y>, space_of<X>>(y.data(), x.data(), x.size());
    } else {
        noalias(view(y)) = to<space_of<Y>>(view(x));
    }
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// Gradient buckets of the Device: summed where they lie by nccl.hpp, through the host by the
// others.
#pragma once
#include <felt/device.hpp>
#include <felt/distributed/gradient_buckets.hpp>

namespace felt::inline FELT_ABI {

template <>
struct bucket_space<Device> {
    static constexpr bool is_host = false;
    template <class T>
    static void scale(T* x, index_t n, T by) {
        auto const v = view<RowMajor, Device>(x, {n});
        noalias(v) = v * by;
    }
    template <class T>
    static void to_host(T* to, T const* from, index_t n) {
        device::copy_elements<Host, Device>(to, from, n);
    }
    template <class T>
    static void from_host(T* to, T const* from, index_t n) {
        device::copy_elements<Device, Host>(to, from, n);
    }
    static void wait() { synchronize(); }
};

}  // namespace felt::inline FELT_ABI

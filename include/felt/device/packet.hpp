// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbours that a thread moves at once.
#pragma once
#include <felt/core/config.hpp>
#include <cstddef>

namespace felt::inline FELT_ABI::device {

inline constexpr int packet_size = 4;

template <class T>
struct alignas(sizeof(T) * packet_size) packet {
    T v[packet_size];
};

// In memory that is aligned for it.
template <class T>
FELT_HOST_DEVICE packet<T> load_packet(T const* from) {
    return *reinterpret_cast<packet<T> const*>(from);
}
template <class T>
FELT_HOST_DEVICE void store_packet(T* to, packet<T> const& p) {
    *reinterpret_cast<packet<T>*>(to) = p;
}

}  // namespace felt::inline FELT_ABI::device

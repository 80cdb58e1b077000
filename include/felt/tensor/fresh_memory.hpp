// SPDX-License-Identifier: BSD-3-Clause
//
// A debug mode for memory: with FELT_DEBUG_MEMORY=1 in the environment, memory that nobody has
// written yet is filled with signalling NaNs (bytes of 0xA5 where elements are not floats), so that
// what reads it is seen; and a line behind each piece is looked at when it is given back: a write
// past its end ends the program. In scratch, in tensors, in values that are computed first.
#pragma once
#include <felt/core/extents.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

namespace felt::inline FELT_ABI::detail {

// Read once, before memory is taken for the first time.
inline bool& memory_debugging() {
    static bool on = [] {
        char const* const text = std::getenv("FELT_DEBUG_MEMORY");
        return text != nullptr && *text != '\0' && *text != '0';
    }();
    return on;
}
inline bool debugs_memory() { return memory_debugging(); }

inline constexpr unsigned char unwritten = 0xA5;
inline constexpr std::size_t guard_bytes = 64;

// What is added to a piece of memory.
inline std::size_t guard_size() { return debugs_memory() ? guard_bytes : 0; }

template <class T>
void fill_unwritten(T* p, std::size_t n) {
    if constexpr (std::is_floating_point_v<T> && std::numeric_limits<T>::has_signaling_NaN) {
        T const nan = std::numeric_limits<T>::signaling_NaN();
        for (std::size_t i = 0; i < n; ++i) std::memcpy(p + i, &nan, sizeof nan);
    } else {
        std::memset(static_cast<void*>(p), unwritten, n * sizeof(T));
    }
}

// Of elements of any type: a NaN as a float, and as a double.
inline void fill_unwritten_bytes(void* p, std::size_t bytes) {
    constexpr std::uint32_t nan = 0x7FF0DEAD;
    for (std::size_t i = 0; i < bytes; i += sizeof nan)
        std::memcpy(static_cast<char*>(p) + i, &nan, std::min(sizeof nan, bytes - i));
}

// The guard is what lies behind `bytes` bytes at p.
inline void put_guard(void* p, std::size_t bytes) {
    if (debugs_memory()) std::memset(static_cast<char*>(p) + bytes, unwritten, guard_bytes);
}
inline bool is_guard_whole(void const* p, std::size_t bytes) {
    auto const* const guard = static_cast<unsigned char const*>(p) + bytes;
    for (std::size_t i = 0; i < guard_bytes; ++i) {
        if (guard[i] != unwritten) return false;
    }
    return true;
}
inline void check_guard(void const* p, std::size_t bytes, char const* what) {
    if (!debugs_memory() || is_guard_whole(p, bytes)) return;
    std::fprintf(stderr, "felt: what lies behind %s of %zu bytes at %p was written\n", what, bytes,
                 p);
    std::abort();
}

}  // namespace felt::inline FELT_ABI::detail

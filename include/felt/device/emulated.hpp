// SPDX-License-Identifier: BSD-3-Clause
//
// Device under a host compiler: its memory is the host's, its streams do at once what they are
// asked for, its threads are those of Thrust's system (OpenMP, TBB or none).
#pragma once
#include <felt/tensor/storage.hpp>
#include <thrust/execution_policy.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace felt::inline FELT_ABI::device {

// Whether the host's loops can run over a device's memory.
inline constexpr bool is_host_memory = true;

inline constexpr char const* system_name =
    THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP   ? "OpenMP"
    : THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB ? "TBB"
                                                       : "plain C++";

inline bool has_gpu() { return false; }

// Of OpenMP, for what this thread asks from now on; by itself it takes all processors.
inline void use_threads([[maybe_unused]] int n) {
#if defined(_OPENMP)
    omp_set_num_threads(n);
#endif
}

struct stream_handle {
    bool operator==(stream_handle const&) const = default;
};

inline void* allocate(index_t bytes, stream_handle) {
    return felt::detail::allocate_bytes(static_cast<std::size_t>(bytes));
}
inline void release(void* p, index_t bytes, stream_handle) noexcept {
    felt::detail::free_bytes(p, static_cast<std::size_t>(bytes));
}
inline void copy_bytes(void* to, void const* from, index_t bytes, stream_handle) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void copy_within(void* to, void const* from, index_t bytes, stream_handle s) {
    copy_bytes(to, from, bytes, s);
}
inline void clear_bytes(void* p, index_t bytes, stream_handle) {
    std::memset(p, 0, static_cast<std::size_t>(bytes));
}
inline stream_handle make_stream() { return {}; }
inline void destroy(stream_handle) noexcept {}
inline void wait_for(stream_handle, char const*) {}
inline void order(stream_handle, stream_handle) {}
inline void note(char const*) {}

// A template, so that a program may prefer a policy of its own.
template <class Stream>
auto policy(Stream) {
    return thrust::device;
}

// f, whose arguments may be copies of elements.
template <class F>
F copyable(F const& f) {
    return f;
}

}  // namespace felt::inline FELT_ABI::device

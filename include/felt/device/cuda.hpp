// SPDX-License-Identifier: BSD-3-Clause
//
// Device under nvcc: memory of the GPU from the driver's pool, in the order of a stream.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/core/extents.hpp>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>

namespace felt::device {

inline constexpr bool is_host_memory = false;

using stream_handle = cudaStream_t;

inline void check(cudaError_t e, char const* operation) {
    if (e == cudaSuccess) return;
    throw device_error(std::string(operation) + ": " + cudaGetErrorString(e));
}

// The pool keeps what was given back: by itself it returns memory at every synchronisation.
inline void keep_pool() {
    static bool const once = [] {
        int number = 0;
        check(cudaGetDevice(&number), "cudaGetDevice");
        cudaMemPool_t pool;
        check(cudaDeviceGetDefaultMemPool(&pool, number), "cudaDeviceGetDefaultMemPool");
        std::uint64_t all = ~std::uint64_t{0};
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all),
              "cudaMemPoolSetAttribute");
        return true;
    }();
    (void)once;
}

inline void* allocate(index_t bytes, stream_handle s) {
    keep_pool();
    void* p = nullptr;
    check(cudaMallocAsync(&p, static_cast<std::size_t>(bytes), s), "allocate");
    return p;
}
inline void release(void* p, index_t, stream_handle s) noexcept { (void)cudaFreeAsync(p, s); }

// Between any two memories; the host's may be read, or given away, when this returns.
inline void copy_bytes(void* to, void const* from, index_t bytes, stream_handle s) {
    auto const n = static_cast<std::size_t>(bytes);
    check(cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s), "copy");
    check(cudaStreamSynchronize(s), "copy");
}
inline void clear_bytes(void* p, index_t bytes, stream_handle s) {
    check(cudaMemsetAsync(p, 0, static_cast<std::size_t>(bytes), s), "clear");
}
inline stream_handle make_stream() {
    stream_handle s;
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "stream");
    return s;
}
inline void destroy(stream_handle s) noexcept {
    if (s != nullptr) (void)cudaStreamDestroy(s);
}
inline void wait_for(stream_handle s, char const* operation) {
    check(cudaStreamSynchronize(s), operation);
}

inline auto policy(stream_handle s) { return thrust::cuda::par_nosync.on(s); }

}  // namespace felt::device

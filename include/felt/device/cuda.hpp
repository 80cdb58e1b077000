// SPDX-License-Identifier: BSD-3-Clause
//
// Device under nvcc: memory of the GPU from the driver's pool, in the order of a stream.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/core/extents.hpp>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>
#include <cuda/functional>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// Older ones have no cp.async, by which operands of products come; ptxas would say so line by line.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "felt/device.hpp needs a GPU of compute capability 8.0: nvcc -arch=sm_80, or a later one"
#endif

namespace felt::inline FELT_ABI::device {

inline constexpr bool is_host_memory = false;

inline constexpr char const* system_name = "CUDA";

inline bool has_gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count > 0;
    (void)cudaGetLastError();
    return false;
}

inline void use_threads(int) {}  // of the host: there are none

using stream_handle = cudaStream_t;

// CUDA keeps the last error until it is asked for it, and CUB would take it for its own.
inline void check(cudaError_t e, char const* operation) {
    if (e == cudaSuccess) return;
    (void)cudaGetLastError();
    throw device_error(std::string(operation) + ": " + cudaGetErrorString(e));
}

// What this thread has asked a stream for last, which may be what fails while it waits.
inline char const*& latest() {
    thread_local char const* operation = "nothing";
    return operation;
}
// Is told, if there is one, each operation that this thread is about to ask a stream for.
inline auto& launch_watcher() {
    thread_local void (*watcher)(char const* operation) = nullptr;
    return watcher;
}
inline void note(char const* operation) {
    latest() = operation;
    if (auto const watcher = launch_watcher()) watcher(operation);
}

// The pool of this thread's GPU keeps what was given back: by itself it returns memory at every
// synchronisation.
inline void keep_pool() {
    thread_local int kept = -1;
    int number = 0;
    check(cudaGetDevice(&number), "cudaGetDevice");
    if (number == kept) return;
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, number), "cudaDeviceGetDefaultMemPool");
    std::uint64_t all = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all),
          "cudaMemPoolSetAttribute");
    kept = number;
}

inline void* allocate(index_t bytes, stream_handle s) {
    keep_pool();
    void* p = nullptr;
    check(cudaMallocAsync(&p, static_cast<std::size_t>(bytes), s), "allocate");
    return p;
}
// Destructors call it: what fails here is not what the next call is to be blamed for.
inline void release(void* p, index_t, stream_handle s) noexcept {
    if (cudaFreeAsync(p, s) != cudaSuccess) (void)cudaGetLastError();
}

inline void wait_for(stream_handle s, char const* operation) {
    cudaError_t const e = cudaStreamSynchronize(s);
    if (e != cudaSuccess) check(e, (operation + (", after " + std::string(latest()))).c_str());
}

// Within the device, and not waited for.
inline void copy_within(void* to, void const* from, index_t bytes, stream_handle s) {
    note("copy");
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, s), "copy");
}
// Between any two memories; the host's may be read, or given away, when this returns.
inline void copy_bytes(void* to, void const* from, index_t bytes, stream_handle s) {
    copy_within(to, from, bytes, s);
    wait_for(s, "copy");
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
    if (s != nullptr && cudaStreamDestroy(s) != cudaSuccess) (void)cudaGetLastError();
}
// What `next` is asked for from now on begins after what `before` has been asked for.
inline void order(stream_handle before, stream_handle next) {
    cudaEvent_t all;
    check(cudaEventCreateWithFlags(&all, cudaEventDisableTiming), "stream");
    cudaError_t const recorded = cudaEventRecord(all, before);
    cudaError_t const waits = cudaStreamWaitEvent(next, all, 0);
    (void)cudaEventDestroy(all);  // once it has happened
    check(recorded, "stream");
    check(waits, "stream");
}

inline auto policy(stream_handle s) { return thrust::cuda::par_nosync.on(s); }

// f, whose arguments may be copies of elements: they come to the kernel in bulk.
template <class F>
auto copyable(F const& f) {
    return cuda::proclaim_copyable_arguments(f);
}

// Reductions of CUB: f(bytes, memory) is called for the memory that it needs, and with it.
template <class F>
void with_workspace(stream_handle s, char const* operation, F const& f) {
    std::size_t bytes = 0;
    note(operation);
    check(f(nullptr, bytes), operation);
    void* const memory = allocate(static_cast<index_t>(std::max<std::size_t>(bytes, 1)), s);
    cudaError_t const e = f(memory, bytes);
    release(memory, static_cast<index_t>(bytes), s);
    check(e, operation);
}

struct row_begin {
    int length;

    FELT_FN int operator()(std::int64_t row) const { return static_cast<int>(row) * length; }
};

// to[k] = x(k n) op ... op x(k n + n - 1) for the rows k; at most 2^31 - 1 terms. CUB would begin
// with an element of the type of `to`, whatever the identity is, if `to` were a pointer.
template <class T, class X, class Op, class I>
void fold_rows(T* to, X const& x, index_t rows, index_t n, Op op, I identity, stream_handle s,
               char const* operation) {
    auto const terms = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), x);
    auto const begin = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                       row_begin{static_cast<int>(n)});
    cub::CacheModifiedOutputIterator<cub::STORE_DEFAULT, T> const results(to);
    with_workspace(s, operation, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Reduce(memory, bytes, terms, results, rows, begin,
                                                  begin + 1, op, identity, s);
    });
}
template <class T, class X, class Op, class I>
void fold_all(T* to, X const& x, index_t n, Op op, I identity, stream_handle s,
              char const* operation) {
    auto const terms = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), x);
    with_workspace(s, operation, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, terms, to, static_cast<int>(n), op,
                                         identity, s);
    });
}

}  // namespace felt::inline FELT_ABI::device

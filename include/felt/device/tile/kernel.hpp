// SPDX-License-Identifier: BSD-3-Clause
//
// The tile program on a GPU. Under nvcc alone.
#pragma once
#include <felt/device/memory.hpp>
#include <felt/device/tile/mma.hpp>
#include <felt/device/tile/product.hpp>

namespace felt::inline FELT_ABI::device {

// What a tile program asks of its block.
class gpu_block {
public:
    __device__ int thread() const { return static_cast<int>(threadIdx.x); }
    __device__ int number() const { return static_cast<int>(blockIdx.x); }
    __device__ void sync() const { __syncthreads(); }

    // Copies that pass the registers by; where nothing is there, zeros.
    template <class T>
    __device__ void copy_value(T* to, T const* from, bool there) const {
        asm volatile(
            "{ .reg .pred none; setp.eq.s32 none, %3, 0;\n"
            "  cp.async.ca.shared.global [%0], [%1], %2, none; }" ::"r"(shared_address(to)),
            "l"(from), "n"(sizeof(T)), "r"(static_cast<int>(there)));
    }
    template <class T>
    __device__ void copy_packet(T* to, T const* from, bool there) const {
        FELT_UNROLL
        for (int i = 0; i < packet_size; i += 16 / static_cast<int>(sizeof(T))) {
            asm volatile(
                "{ .reg .pred none; setp.eq.s32 none, %2, 0;\n"
                "  cp.async.cg.shared.global [%0], [%1], 16, none; }" ::"r"(shared_address(to + i)),
                "l"(from + i), "r"(static_cast<int>(there)));
        }
    }
    // What has been asked for since is one group; wait until all but the last N of them are there.
    __device__ void commit() const { asm volatile("cp.async.commit_group;"); }
    template <int N>
    __device__ void wait() const {
        asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
    }

    // c += a b for each pair of fragments.
    template <class Atom, int M, int N>
    __device__ void mma(float (&c)[M][N][4], std::uint32_t const (&a)[M][4],
                        std::uint32_t const (&b)[N][2]) const {
        FELT_UNROLL
        for (int i = 0; i < M; ++i) {
            FELT_UNROLL
            for (int j = 0; j < N; ++j) Atom::multiply(c[i][j], a[i], b[j]);
        }
    }

    // Between blocks.
    __device__ void fence() const { __threadfence(); }
    __device__ unsigned add_one(unsigned* counter) const { return atomicAdd(counter, 1U); }
    template <class T>
    __device__ void put(T& to, T x) const {
        to = x;
    }
    template <class T>
    __device__ T fresh(T const& x) const {
        return __ldcg(&x);
    }

private:
    __device__ static unsigned shared_address(void const* to) {
        return static_cast<unsigned>(__cvta_generic_to_shared(to));
    }
};

template <class Work>
__global__ void __launch_bounds__(Work::way::threads, Work::resident)
    tile_kernel(__grid_constant__ Work const work) {
    extern __shared__ __align__(32) char shared[];
    gpu_block block;
    work(block, *reinterpret_cast<typename Work::memory*>(shared));
}

// Runs work on this thread's stream.
template <class Work>
void launch_tiles(Work work, char const* operation) {
    using memory = typename Work::memory;
    note(operation);
    storage<typename Work::way::T, Device> const parts(work.number_of_parts(), false);
    storage<unsigned, Device> const counters(work.number_of_counters(), true);
    work.parts = parts.data();
    work.counters = counters.data();
    auto const kernel = tile_kernel<Work>;
    int const bytes = static_cast<int>(sizeof(memory));
    if (bytes > 48 * 1024) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              operation);
    }
    kernel<<<static_cast<unsigned>(work.grid.blocks()), Work::way::threads, bytes,
             stream_of_this_thread()>>>(work);
    check(cudaGetLastError(), operation);
}

}  // namespace felt::inline FELT_ABI::device

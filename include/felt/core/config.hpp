// SPDX-License-Identifier: BSD-3-Clause
//
// What differs between compilers, in one place. FELT_FN marks what may run inside a kernel;
// FELT_CALLS_EITHER in front of it, that it calls what it is given: on the host, a host's function.
#pragma once
#include <felt/core/version.hpp>

#if defined(__CUDACC__)
#define FELT_FN __host__ __device__ constexpr
#define FELT_HOST_DEVICE __host__ __device__
#define FELT_CALLS_EITHER _Pragma("nv_exec_check_disable")
#else
#define FELT_FN constexpr
#define FELT_HOST_DEVICE
#define FELT_CALLS_EITHER
#endif

// A type that only says what is to be computed: dropped, it has done nothing. (The words of an
// attribute are a literal: no constant can hold them.)
#define FELT_LAZY [[nodiscard("it computes nothing until it has a destination: y = e, or eval(e)")]]

// The inner functions of a loop nest: a call that is not inlined spills every register.
#define FELT_INLINE inline __attribute__((always_inline))

// Lanes of two vectors in a new order, given as numbers. g++ and clang share no builtin for it
// that nvcc, which stands on g++, passes on: it loses the dots of a pack in the other one.
#if __has_builtin(__builtin_shuffle)
#define FELT_SHUFFLE(a, b, order, ...) __builtin_shuffle(a, b, order{__VA_ARGS__})
#else
#define FELT_SHUFFLE(a, b, order, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

// The loop that follows becomes a sequence in a kernel: arrays that it indexes stay in registers.
#if defined(__CUDACC__)
#define FELT_UNROLL _Pragma("unroll")
#else
#define FELT_UNROLL
#endif

// The loop that follows becomes a sequence: what its arrays hold stays in registers. Cheaper to
// compile than a pack of indices with a function for each. (nvcc passes the words on unread.)
#if defined(__CUDACC__)
#define FELT_UNROLL_HOST \
    _Pragma("nv_diag_suppress 1675") _Pragma("GCC unroll 16") _Pragma("nv_diag_default 1675")
#else
#define FELT_UNROLL_HOST _Pragma("GCC unroll 16")
#endif

// What plans a statement is compiled once, not wherever it is called. Small statements take little
// longer than their planning: it is compiled for speed but for what only groups and words need.
#define FELT_PLANNING [[gnu::noinline]]
#define FELT_PLANNING_SELDOM [[gnu::cold, gnu::noinline]]

// Planning and what carries out plans know no expression. A program compiles them in each source
// that runs statements, or once in the library felt::compiled, which defines FELT_COMPILED for
// whoever links it: felt.hpp then ends with declarations instead of bodies.
#if defined(FELT_COMPILED)
#define FELT_ONCE
#define FELT_ENGINE <felt/compiled.hpp>
#else
#define FELT_ONCE inline
#define FELT_ENGINE <felt/engine.hpp>
#endif

// Planning takes microseconds, and half of what a source compiles that links no felt::compiled: g++
// compiles it there with fewer passes (a fifth less time for a small program, -O3).
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(FELT_COMPILED)
#define FELT_PLANNING_BEGINS _Pragma("GCC push_options") _Pragma("GCC optimize(\"O1\")")
#define FELT_PLANNING_ENDS _Pragma("GCC pop_options")
#else
#define FELT_PLANNING_BEGINS
#define FELT_PLANNING_ENDS
#endif

#if defined(_OPENMP)
#define FELT_THREADED true
#define FELT_PRAGMA(text) _Pragma(#text)
#define FELT_PRAGMA_PARALLEL_FOR(count) \
    FELT_PRAGMA(omp parallel for schedule(static) num_threads(count))
#else
#define FELT_THREADED false
#define FELT_PRAGMA_PARALLEL_FOR(count)
#endif

// Large tensors ask for large pages: a transposed or strided walk then misses fewer translations.
#if defined(__linux__)
#include <sys/mman.h>
#define FELT_ADVISE_LARGE_PAGES(p, n) (void)::madvise(p, n, MADV_HUGEPAGE)
#else
#define FELT_ADVISE_LARGE_PAGES(p, n) (void)0
#endif

// Scratch that nobody has taken, and so many bytes behind each piece, are forbidden memory to the
// address sanitizer of g++.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define FELT_SCRATCH_GUARD 256
#define FELT_FORBID_MEMORY(p, n) __asan_poison_memory_region(p, n)
#define FELT_ALLOW_MEMORY(p, n) __asan_unpoison_memory_region(p, n)
#else
#define FELT_SCRATCH_GUARD 0
#define FELT_FORBID_MEMORY(p, n) (void)0
#define FELT_ALLOW_MEMORY(p, n) (void)0
#endif

// Numbers of 16 bits without a sign as 32 bits each, and back, to type To. (g++ 12 makes five
// instructions of the general form.)
#if defined(__AVX512F__) && !defined(__CUDACC__)
#define FELT_WIDEN_16(To, x) (To) _mm512_cvtepu16_epi32((__m256i)(x))
#define FELT_NARROW_32(To, x) (To) _mm512_cvtepi32_epi16((__m512i)(x))
#else
#define FELT_WIDEN_16(To, x) __builtin_convertvector(x, To)
#define FELT_NARROW_32(To, x) __builtin_convertvector(x, To)
#endif

// sum[l] += a[2 l] b[2 l] + a[2 l + 1] b[2 l + 1] of 32 numbers of 16 bits in each register, where
// the processor has that; else nobody calls it.
#if defined(__AVX512BF16__) && !defined(__CUDACC__)
#define FELT_BFLOAT16_DOTS true
#define FELT_DOT_BFLOAT16(sum, a, b) \
    _mm512_dpbf16_ps(sum, (__m512bh)(__m512i)(a), (__m512bh)(__m512i)(b))
#else
#define FELT_BFLOAT16_DOTS false
#define FELT_DOT_BFLOAT16(sum, a, b) ((void)(a), (void)(b), (sum))
#endif
// The same of four numbers of 8 bits, of which those of a have no sign, and those of b have one.
#if defined(__AVX512VNNI__) && !defined(__CUDACC__)
#define FELT_BYTE_DOTS true
#define FELT_DOT_BYTES(sum, a, b) _mm512_dpbusd_epi32(sum, a, b)
#else
#define FELT_BYTE_DOTS false
#define FELT_DOT_BYTES(sum, a, b) ((void)(a), (void)(b), (sum))
#endif

#if defined(NDEBUG)
#define FELT_CHECKED false  // element access checks its indices
#else
#define FELT_CHECKED true
#endif

// nvcc reads a source twice. In its pass for the device __CUDA_ARCH__ is defined, and SIMD types
// are errors there in every function that is marked for both. What leads into plans and into host/
// is empty in that pass, so that nothing below it is instantiated.
namespace felt::inline FELT_ABI {
#if defined(__CUDA_ARCH__)
inline constexpr bool host_pass = false;
#else
inline constexpr bool host_pass = true;
#endif
}  // namespace felt::inline FELT_ABI

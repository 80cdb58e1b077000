// SPDX-License-Identifier: BSD-3-Clause
//
// What differs between compilers, in one place. FELT_FN marks what may run inside a kernel.
#pragma once

#if defined(__CUDACC__)
#define FELT_FN __host__ __device__ constexpr
#define FELT_HOST_DEVICE __host__ __device__
#else
#define FELT_FN constexpr
#define FELT_HOST_DEVICE
#endif

// The inner functions of a loop nest: a call that is not inlined spills every register.
#define FELT_INLINE inline __attribute__((always_inline))

// Planning runs once per statement: small code matters more than fast code there.
#define FELT_PLANNING [[gnu::cold, gnu::noinline]]

#if defined(_OPENMP)
#define FELT_PRAGMA(text) _Pragma(#text)
#define FELT_PRAGMA_PARALLEL_FOR(count) \
    FELT_PRAGMA(omp parallel for schedule(static) num_threads(count))
#else
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

#if defined(NDEBUG)
#define FELT_CHECKED false  // element access checks its indices
#else
#define FELT_CHECKED true
#endif

#define FELT_VERSION "0.1.0"

// SPDX-License-Identifier: BSD-3-Clause
//
// What this core and its memory can do at best, measured in the program that compares with it:
// multiply-adds a second; bytes a second of y = x, by the best of memcpy, a plain loop and a loop
// with streaming stores; bytes a second read.
#pragma once
#include "contest.hpp"
#include <felt/tensor/storage.hpp>
#include <xsimd/xsimd.hpp>
#include <algorithm>
#include <cstring>
#include <map>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace bench {

using felt::index_t;

// 12 chains hide a latency of 4 cycles at up to 3 multiply-adds a cycle.
template <class T>
__attribute__((noinline)) T multiply_adds(index_t n) {
    using B = xsimd::batch<T>;
    B sum[12];
    for (int i = 0; i < 12; ++i) sum[i] = B(T(i));
    B x(T(0.999)), y(T(0.001));
    benchmark::DoNotOptimize(x);
    benchmark::DoNotOptimize(y);
    for (index_t k = 0; k < n; ++k) {
#pragma GCC unroll 12
        for (int i = 0; i < 12; ++i) sum[i] = xsimd::fma(sum[i], x, y);
    }
    for (int i = 1; i < 12; ++i) sum[0] += sum[i];
    return xsimd::hadd(sum[0]);
}

template <class T>
double flops_per_second() {
    static double const rate = [] {
        index_t const n = 200'000;
        double const flops = 2. * 12 * static_cast<double>(xsimd::batch<T>::size * n);
        double best = 1e30;
        auto const once = [] { benchmark::DoNotOptimize(multiply_adds<T>(n)); };
        for (int i = 0; i < 10; ++i) best = std::min(best, quick_time(once));
        return flops / best;
    }();
    return rate;
}
template <class T>
roof arithmetic(double flops) {
    return {"flop", flops, flops_per_second<T>()};
}

__attribute__((noinline)) inline void copy_plainly(float const* __restrict x, float* __restrict y,
                                                   index_t n) {
    for (index_t i = 0; i < n; ++i) y[i] = x[i];
}

// n is a multiple of 16, y of 64 bytes.
__attribute__((noinline)) inline void copy_streaming(float const* x, float* y, index_t n) {
#if defined(__AVX512F__)
    for (index_t i = 0; i < n; i += 16) _mm512_stream_ps(y + i, _mm512_loadu_ps(x + i));
    _mm_sfence();
#elif defined(__AVX__)
    for (index_t i = 0; i < n; i += 8) _mm256_stream_ps(y + i, _mm256_loadu_ps(x + i));
    _mm_sfence();
#elif defined(__SSE2__)
    for (index_t i = 0; i < n; i += 4) _mm_stream_ps(y + i, _mm_loadu_ps(x + i));
    _mm_sfence();
#else
    copy_plainly(x, y, n);
#endif
}

__attribute__((noinline)) inline float add_up(float const* x, index_t n) {
    using B = xsimd::batch<float>;
    constexpr index_t w = static_cast<index_t>(B::size);
    B sum[8];
    for (B& s : sum) s = B(0.f);
    for (index_t i = 0; i + 8 * w <= n; i += 8 * w) {
#pragma GCC unroll 8
        for (index_t j = 0; j < 8; ++j) sum[j] += B::load_unaligned(x + i + j * w);
    }
    for (int j = 1; j < 8; ++j) sum[0] += sum[j];
    return xsimd::hadd(sum[0]);
}

struct bandwidth {
    double copy, read;  // bytes a second; a copy reads and writes
};

// Of arrays of n floats.
inline bandwidth bandwidth_of(index_t n) {
    static std::map<index_t, bandwidth> known;
    auto const [at, fresh] = known.try_emplace(n);
    if (fresh) {
        felt::storage<float, felt::Host> x(n, true), y(n, true);
        std::fill(x.data(), x.data() + n, 1.f);
        auto const size = static_cast<std::size_t>(n) * sizeof(float);
        double const bytes = static_cast<double>(size);
        double const copy = std::min({quick_time([&] { std::memcpy(y.data(), x.data(), size); }),
                                      quick_time([&] { copy_plainly(x.data(), y.data(), n); }),
                                      quick_time([&] { copy_streaming(x.data(), y.data(), n); })});
        double const read = quick_time([&] { benchmark::DoNotOptimize(add_up(x.data(), n)); });
        at->second = {2 * bytes / copy, bytes / read};
    }
    return at->second;
}
inline roof copying(index_t n) {
    return {"byte", 2. * sizeof(float) * static_cast<double>(n), bandwidth_of(n).copy};
}
inline roof reading(index_t n) {
    return {"byte", 1. * sizeof(float) * static_cast<double>(n), bandwidth_of(n).read};
}

}  // namespace bench

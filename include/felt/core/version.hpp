// SPDX-License-Identifier: BSD-3-Clause
//
// The version of Felt, and the namespace that keeps it apart from others in one program. All of
// Felt lies in felt::FELT_ABI, which is inline: one writes felt::Tensor and never sees it, but the
// linker does. Sources that are compiled for different instructions (-msse2, -mavx2 -mfma), or
// with different versions, share no function of Felt; else the linker would keep one of two.
#pragma once

#define FELT_VERSION_MAJOR 0
#define FELT_VERSION_MINOR 1
#define FELT_VERSION_PATCH 0
#define FELT_VERSION "0.1.0"

// The widest instructions that the compiler was told of. avx512 are those of x86-64-v4.
#if defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__) && defined(__FMA__)
#define FELT_ABI_WIDEST avx512
#elif defined(__AVX512BW__)
#define FELT_ABI_WIDEST avx512bw
#elif defined(__AVX512DQ__)
#define FELT_ABI_WIDEST avx512dq
#elif defined(__AVX512F__)
#define FELT_ABI_WIDEST avx512f
#elif defined(__AVX2__) && defined(__FMA__)
#define FELT_ABI_WIDEST avx2_fma
#elif defined(__AVX2__)
#define FELT_ABI_WIDEST avx2
#elif defined(__AVX__) && defined(__FMA__)
#define FELT_ABI_WIDEST avx_fma
#elif defined(__AVX__)
#define FELT_ABI_WIDEST avx
#elif defined(__SSE4_2__)
#define FELT_ABI_WIDEST sse4_2
#elif defined(__SSE4_1__)
#define FELT_ABI_WIDEST sse4_1
#elif defined(__SSSE3__)
#define FELT_ABI_WIDEST ssse3
#elif defined(__SSE3__)
#define FELT_ABI_WIDEST sse3
#elif defined(__SSE2__)
#define FELT_ABI_WIDEST sse2
#elif defined(__ARM_FEATURE_SVE)
#define FELT_ABI_WIDEST sve
#elif defined(__ARM_NEON)
#define FELT_ABI_WIDEST neon
#else
#define FELT_ABI_WIDEST any
#endif

// What some of a width have beside: _vbmi2 stands for all that came with Ice Lake.
#if defined(__AVX512VBMI2__)
#define FELT_ABI_VBMI2 _vbmi2
#else
#define FELT_ABI_VBMI2
#endif
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
#define FELT_ABI_VNNI _vnni
#else
#define FELT_ABI_VNNI
#endif
#if defined(__AVX512BF16__)
#define FELT_ABI_BF16 _bf16
#else
#define FELT_ABI_BF16
#endif
#if defined(__AVX512FP16__)
#define FELT_ABI_FP16 _fp16
#else
#define FELT_ABI_FP16
#endif

// v0_1_avx2_fma, v0_1_avx512_vbmi2_vnni_bf16: version and instructions. Below 1.0 minor versions
// differ in their functions; patches never do.
#define FELT_ABI_JOIN(major, minor, a, b, c, d, e) v##major##_##minor##_##a##b##c##d##e
#define FELT_ABI_NAME(...) FELT_ABI_JOIN(__VA_ARGS__)
#define FELT_ABI                                                                           \
    FELT_ABI_NAME(FELT_VERSION_MAJOR, FELT_VERSION_MINOR, FELT_ABI_WIDEST, FELT_ABI_VBMI2, \
                  FELT_ABI_VNNI, FELT_ABI_BF16, FELT_ABI_FP16)

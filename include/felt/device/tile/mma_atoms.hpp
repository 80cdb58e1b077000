// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers that tensor cores multiply, and how exactly: mma.sync of the PTX ISA, sections
// "Matrix fragments for mma.m16n8k8" and "..m16n8k16". A warp holds 16 x depth of a, depth x 8 of b
// and 16 x 8 sums; lane (g, t) = (lane / 4, lane % 4) holds of a rows g and g + 8, of b column g,
// of the sums columns 2 t and 2 t + 1. Which terms of the sum a lane's words are does not matter as
// long as a and b agree.
#pragma once
#include <felt/core/config.hpp>
#include <cstdint>
#include <cstring>

namespace felt::inline FELT_ABI::device {

FELT_HOST_DEVICE inline std::uint32_t bits_of(float x) {
    std::uint32_t u;
    memcpy(&u, &x, sizeof(u));
    return u;
}
FELT_HOST_DEVICE inline float float_of(std::uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof(x));
    return x;
}

// One number a word, its 10 highest bits of mantissa; 8 terms at once. Rounded to the nearest, of
// two to the even one; before sm_90 to the one further from 0, which takes three instructions
// there.
struct tf32 {
    static constexpr int depth = 8, per_word = 1;

    FELT_HOST_DEVICE static std::uint32_t word(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        std::uint32_t u;
        asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(u) : "f"(x));
        return u;
#elif defined(__CUDA_ARCH__)
        std::uint32_t u;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(x));
        return u;
#else
        std::uint32_t const u = bits_of(x);
        bool const finite = (u & 0x7f800000U) != 0x7f800000U;
        return finite ? (u + 0xfffU + (u >> 13 & 1U)) & ~0x1fffU : u;
#endif
    }
    FELT_HOST_DEVICE static std::uint32_t word(float const* from, int pitch) {
        (void)pitch;
        return word(*from);
    }
    static float value(std::uint32_t word, int) { return float_of(word & ~0x1fffU); }

    FELT_HOST_DEVICE static void multiply(float (&d)[4], std::uint32_t const (&a)[4],
                                          std::uint32_t const (&b)[2]) {
#if defined(__CUDA_ARCH__)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
            "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
        (void)d, (void)a, (void)b;
#endif
    }
};

// Two numbers a word, the upper halves of floats; 16 terms at once. A word's terms are 4 apart.
struct bf16 {
    static constexpr int depth = 16, per_word = 2;

    FELT_HOST_DEVICE static std::uint32_t word(float low, float high) {
#if defined(__CUDA_ARCH__)
        std::uint32_t u;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(high), "f"(low));
        return u;
#else
        return half(low) | half(high) << 16;
#endif
    }
    FELT_HOST_DEVICE static std::uint32_t word(float const* from, int pitch) {
        return word(from[0], from[4 * pitch]);
    }
    static float value(std::uint32_t word, int i) {
        return float_of(i == 0 ? word << 16 : word & 0xffff0000U);
    }

    FELT_HOST_DEVICE static void multiply(float (&d)[4], std::uint32_t const (&a)[4],
                                          std::uint32_t const (&b)[2]) {
#if defined(__CUDA_ARCH__)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
            "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
        (void)d, (void)a, (void)b;
#endif
    }

private:
    static std::uint32_t half(float x) {
        std::uint32_t const u = bits_of(x);
        if ((u & 0x7fffffffU) > 0x7f800000U) return u >> 16 | 0x40U;  // NaN stays one
        return (u + 0x7fffU + (u >> 16 & 1U)) >> 16;
    }
};

}  // namespace felt::inline FELT_ABI::device

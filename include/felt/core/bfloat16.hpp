// SPDX-License-Identifier: BSD-3-Clause
//
// bfloat16: a float's sign, exponent and first 7 bits of its mantissa. It is a type of elements in
// memory, half as large as float: whatever computes with them computes with floats, and a result
// is rounded when it is stored (to nearest, ties to even; NaN stays NaN).
#pragma once
#include <felt/core/config.hpp>
#include <concepts>
#include <cstdint>

namespace felt::inline FELT_ABI {

struct bfloat16 {
    std::uint16_t bits = 0;

    bfloat16() = default;
    FELT_FN bfloat16(float x) : bits(rounded(x)) {}
    FELT_FN operator float() const {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16U);
    }

private:
    FELT_FN static std::uint16_t rounded(float x) {
        auto const all = __builtin_bit_cast(std::uint32_t, x);
        if (x != x) return static_cast<std::uint16_t>(all >> 16U | 0x40U);
        return static_cast<std::uint16_t>((all + 0x7FFFU + (all >> 16U & 1U)) >> 16U);
    }
};

template <class T>
inline constexpr bool is_bfloat16 = std::same_as<T, bfloat16>;

namespace detail {
template <class T>
struct computed {
    using type = T;
};
template <>
struct computed<bfloat16> {
    using type = float;
};
}  // namespace detail

// The type in which elements T are computed with: T itself, but for bfloat16.
template <class T>
using computed_t = typename detail::computed<T>::type;

}  // namespace felt::inline FELT_ABI

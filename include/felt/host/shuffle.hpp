// SPDX-License-Identifier: BSD-3-Clause
//
// shuffle<I...>(a, b): lane l of the result is lane I[l] of a and b in a row.
#pragma once
#include <felt/core/config.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::host {

namespace detail {

template <int Bytes>
struct integer_of_size;
template <>
struct integer_of_size<1> {
    using type = std::int8_t;
};
template <>
struct integer_of_size<2> {
    using type = std::int16_t;
};
template <>
struct integer_of_size<4> {
    using type = std::int32_t;
};
template <>
struct integer_of_size<8> {
    using type = std::int64_t;
};

}  // namespace detail

// V is a vector of the compiler's, [[gnu::vector_size]], of as many lanes as there are numbers I.
template <int... I, class V>
FELT_INLINE V shuffle(V const& a, V const& b) {
    constexpr int lane_bytes = static_cast<int>(sizeof(V) / sizeof...(I));
    using integer = typename detail::integer_of_size<lane_bytes>::type;
    using order [[maybe_unused, gnu::vector_size(sizeof(V))]] = integer;
    return FELT_SHUFFLE(a, b, order, I...);
}

}  // namespace felt::inline FELT_ABI::host

// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of a kernel: which index element `number` of them has, in row-major order. A kernel
// counts in 32 bits, and divides by multiplying; what is larger runs in pieces.
#pragma once
#include <felt/core/extents.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::device {

// What a kernel counts in.
using count_t = std::int32_t;
inline constexpr index_t most_counted = 0x7FFFFFFF;

// Where R loops are, counted in I.
template <std::size_t R, class I = count_t>
struct place {
    I value[extents<R>::stored] = {};

    FELT_FN I& operator[](std::size_t l) { return value[l]; }
    FELT_FN I const& operator[](std::size_t l) const { return value[l]; }
};

namespace detail {
__extension__ typedef unsigned __int128 uint128;
}  // namespace detail

// n / by for n >= 0 and by > 0, in I. With 2^(bits - 1) < by <= 2^bits and numbers below 2^top,
// magic is 2^(top + bits) / by rounded up, and what that adds to n * magic is below 2^(top + bits)
// / by. Divisions of 64 bits are functions on a GPU, for which a kernel saves its registers.
template <class I = count_t>
struct divisor {
    static constexpr bool wide = sizeof(I) == 8;
    static constexpr int top = wide ? 63 : 31;
    using word = std::conditional_t<wide, std::uint64_t, std::uint32_t>;
    using product = std::conditional_t<wide, detail::uint128, std::uint64_t>;

    word by = 1, magic = word{1} << top;
    int shift = top;

    divisor() = default;
    explicit divisor(index_t n) : by(static_cast<word>(n)) {
        while ((product{1} << (shift - top)) < by) ++shift;
        magic = static_cast<word>(((product{1} << shift) + by - 1) / by);
    }
    FELT_FN I quotient(I n) const {
        return static_cast<I>(static_cast<product>(n) * magic >> shift);
    }
    FELT_FN I rest(I n, I quotient) const { return n - quotient * static_cast<I>(by); }
};

// The index of an element in R loops by its number, in row-major order.
template <std::size_t R, class I = count_t>
struct loops {
    divisor<I> extent[extents<R>::stored];
    int first = 0;  // the outermost loop of more than one index

    loops() = default;
    explicit loops(extents<R> const& e) {
        for (std::size_t l = 0; l != R; ++l) {
            if (e[l] > 0) extent[l] = divisor<I>(e[l]);
            if (e[l] == 1 && first == static_cast<int>(l)) ++first;
        }
    }
    FELT_FN place<R, I> operator()(I number) const {
        place<R, I> at;
        for (int l = static_cast<int>(R) - 1; l > 0; --l) {
            I const q = l > first ? extent[l].quotient(number) : 0;
            at[static_cast<std::size_t>(l)] = l > first ? extent[l].rest(number, q) : number;
            number = q;
        }
        if constexpr (R > 0) at[0] = number;  // there is nothing left to divide
        return at;
    }
};

template <std::size_t R>
FELT_FN index_t number_of(extents<R> const& at, extents<R> const& e) {
    index_t n = 0;
    for (std::size_t r = 0; r != R; ++r) n = n * e[r] + at[r];
    return n;
}

// The index along an axis that only the run knows. An array that is indexed by it would lie in
// memory, not in registers.
template <std::size_t R>
FELT_FN index_t index_along(extents<R> const& at, std::size_t axis) {
    index_t i = 0;
    FELT_UNROLL
    for (std::size_t a = 0; a != R; ++a) i = a == axis ? at[a] : i;
    return i;
}
template <std::size_t R>
FELT_FN extents<R> moved_to(extents<R> at, std::size_t axis, index_t i) {
    FELT_UNROLL
    for (std::size_t a = 0; a != R; ++a) at[a] = a == axis ? i : at[a];
    return at;
}

// How far `loop` moves what has these steps, in the numbers that the loops are counted in.
template <std::size_t R, class Loop>
FELT_FN index_t moved(extents<R> const& by, Loop const& loop) {
    using I = std::remove_cvref_t<decltype(loop[0])>;
    I n = 0;
    for (std::size_t l = 0; l != R; ++l) n += static_cast<I>(by[l]) * loop[l];
    return n;
}

}  // namespace felt::inline FELT_ABI::device

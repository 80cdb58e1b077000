// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of a kernel: which index element `number` of them has, in row-major order. A kernel
// counts in 32 bits, and divides by multiplying; what is larger runs in pieces.
#pragma once
#include <felt/core/extents.hpp>
#include <cstdint>

namespace felt::device {

// What a kernel counts in.
using count_t = std::int32_t;
inline constexpr index_t most_counted = 0x7FFFFFFF;

// Where R loops are.
template <std::size_t R>
struct place {
    count_t value[extents<R>::stored] = {};

    FELT_FN count_t& operator[](std::size_t l) { return value[l]; }
    FELT_FN count_t const& operator[](std::size_t l) const { return value[l]; }
};

// n / by for 0 <= n < 2^31 and by > 0: with 2^(bits - 1) < by <= 2^bits, magic is 2^(31 + bits) /
// by rounded up, and what that adds to n * magic stays below 2^(31 + bits) / by.
struct divisor {
    std::uint32_t by = 1, magic = 1U << 31;
    int shift = 31;

    divisor() = default;
    explicit divisor(index_t n) : by(static_cast<std::uint32_t>(n)) {
        while ((std::uint64_t{1} << (shift - 31)) < by) ++shift;
        magic = static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + by - 1) / by);
    }
    FELT_FN count_t quotient(count_t n) const {
        return static_cast<count_t>(static_cast<std::uint64_t>(n) * magic >> shift);
    }
    FELT_FN count_t remainder(count_t n, count_t quotient) const {
        return n - quotient * static_cast<count_t>(by);
    }
};

template <std::size_t R>
struct loops {
    divisor extent[extents<R>::stored];
    int first = 0;  // the outermost loop of more than one index

    loops() = default;
    explicit loops(extents<R> const& e) {
        for (std::size_t l = 0; l != R; ++l) {
            if (e[l] > 0) extent[l] = divisor(e[l]);
            if (e[l] == 1 && first == static_cast<int>(l)) ++first;
        }
    }
    FELT_FN place<R> operator()(count_t number) const {
        place<R> at;
        for (int l = static_cast<int>(R) - 1; l >= 0; --l) {
            count_t const q = l > first ? extent[l].quotient(number) : 0;
            at[static_cast<std::size_t>(l)] = l > first ? extent[l].remainder(number, q) : number;
            number = q;
        }
        return at;
    }
};

// The same for any number. It divides where it must: most numbers are of the innermost loop.
template <std::size_t R>
FELT_FN extents<R> index_of(index_t number, extents<R> const& e) {
    extents<R> at;
    for (std::size_t r = R; r != 0; --r) {
        bool const inside = number < e[r - 1];
        index_t const outer = inside ? 0 : number / e[r - 1];
        at[r - 1] = number - outer * e[r - 1];
        number = outer;
    }
    return at;
}
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
    for (std::size_t a = 0; a != R; ++a) i = a == axis ? at[a] : i;
    return i;
}
template <std::size_t R>
FELT_FN extents<R> moved_to(extents<R> at, std::size_t axis, index_t i) {
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

}  // namespace felt::device

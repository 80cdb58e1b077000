// SPDX-License-Identifier: BSD-3-Clause
//
// Loops inside of each other, with their trip counts, and how often something that moves with some
// of them is asked for anew.
#pragma once
#include <felt/core/version.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::planning::detail {

// Loops around something, from outside in. A set of them is a mask of bits.
struct loop_nest {
    static constexpr int most = 64;
    double trips[most];
    int count = 0;
    std::uint64_t anew = 0;  // those of which every step begins with nothing

    // A further loop inside; its bit, or none if it does not turn.
    std::uint64_t enter(double n) {
        if (n <= 1 || count == most) return 0;
        trips[count] = n;
        return std::uint64_t{1} << count++;
    }
    double turns(std::uint64_t mask) const {
        double n = 1;
        for (int i = 0; i < count; ++i) n *= (mask >> i & 1U) != 0 ? trips[i] : 1;
        return n;
    }
    // How often something that moves with the loops of a mask, and is kept until it is asked for
    // elsewhere, is asked for anew: loops inside of all that it moves with leave it where it is.
    double changes(std::uint64_t mask) const {
        double n = 1;
        for (int i = 0; i < depth(mask | anew); ++i) n *= trips[i];
        return n;
    }
    // What it is made of then runs inside of these loops alone.
    void keep_around(std::uint64_t mask) { count = depth(mask | anew); }

    // The mask of the n outermost loops.
    static std::uint64_t first(int n) {
        return n >= most ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    }
    // How many loops there are up to the innermost one of a mask.
    int depth(std::uint64_t mask) const {
        int n = count;
        while (n > 0 && (mask >> (n - 1) & 1U) == 0) --n;
        return n;
    }
};

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers that are the same with every compiler and library (std's distributions are not):
// number k of a stream is the splitmix64 hash of seed + k * 0x9e3779b97f4a7c15.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace support {

struct random_stream {
    std::uint64_t state = 0;  // the seed, and all there is to save

    std::uint64_t next() {
        state += 0x9e3779b97f4a7c15;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    // In [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    // One of 0 .. n-1.
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>(uniform() * static_cast<double>(n));
    }

    // Mean 0, variance 1, never beyond 6: a sum of twelve needs no libm, so no rounding differs.
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }
};

// A stream of its own for item i of a series, so that items can be made in any order.
inline random_stream stream_of(std::uint64_t seed, std::uint64_t item) {
    return {random_stream{seed ^ (item * 0xd1342543de82ef95)}.next()};
}

}  // namespace support

// SPDX-License-Identifier: BSD-3-Clause
//
// What a measurement has to be read with: instruction set, peak memory, time.
#pragma once
#include <sys/resource.h>
#include <xsimd/xsimd.hpp>
#include <chrono>
#include <cstdint>
#include <string>

namespace support {

// What the loops of this program were compiled for: "avx512bw, 16 floats a vector".
inline std::string instruction_set() {
    return std::string(xsimd::default_arch::name()) + ", " +
           std::to_string(xsimd::batch<float>::size) + " floats a vector";
}

// The most memory this process has held so far, in bytes.
inline std::uint64_t peak_memory() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<std::uint64_t>(use.ru_maxrss) * 1024;  // Linux counts in KiB
}

class stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace support

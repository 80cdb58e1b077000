// SPDX-License-Identifier: BSD-3-Clause
//
// The digits of a number by the extents of its places, the last place fastest. Kernels divide by
// extents that the host knows: by multiplication. (Granlund and Montgomery, "Division by invariant
// integers using multiplication", 1994.) Numbers have 31 bits.
#pragma once
#include <felt/core/extents.hpp>
#include <cstdint>

namespace felt::device {

struct divider {
    unsigned by = 1;
    unsigned factor = 1U << 31;
    int shift = 31;

    divider() = default;
    explicit divider(index_t d) : by(static_cast<unsigned>(d)) {
        while ((std::uint64_t{1} << (shift - 31)) < by) ++shift;
        factor = static_cast<unsigned>(((std::uint64_t{1} << shift) + by - 1) / by);
    }
    FELT_FN unsigned quotient(unsigned n) const {
        return static_cast<unsigned>((std::uint64_t{n} * factor) >> shift);
    }
};

template <int N>
struct digits {
    divider place[N];

    FELT_FN void of(int number, int (&digit)[N]) const {
        auto n = static_cast<unsigned>(number);
        FELT_UNROLL
        for (int r = N - 1; r > 0; --r) {
            unsigned const q = place[r].quotient(n);
            digit[r] = static_cast<int>(n - q * place[r].by);
            n = q;
        }
        digit[0] = static_cast<int>(n);
    }
};

}  // namespace felt::device

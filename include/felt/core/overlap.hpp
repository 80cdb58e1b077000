// SPDX-License-Identifier: BSD-3-Clause
//
// Whether strided arrays a and b share a byte: whether for some indices i, j and bytes k, l of an
// element
//
//     a + sum_r i_r s_r + k  =  b + sum_r j_r t_r + l
//
// A sum of strides times bounded indices is to be a given number (NumPy's shares_memory). By the
// largest stride first: what the smaller ones reach is bounded, which leaves few indices to try
// where the strides are those of arrays and their parts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <felt/core/extents.hpp>

namespace felt::inline FELT_ABI::detail {

struct strided_memory {
    std::uintptr_t data = 0;
    std::uintptr_t begin = 0, end = 0;  // of all bytes from the first to the last; of none: 0, 0
    int rank = 0;
    index_t value_bytes = 0;
    index_t extent[max_rank], stride[max_rank];  // in elements

    template <std::size_t R>
    strided_memory(void const* at, extents<R> const& e, extents<R> const& s, index_t bytes)
        : data(reinterpret_cast<std::uintptr_t>(at)), rank(R), value_bytes(bytes) {
        for (std::size_t r = 0; r != R; ++r) extent[r] = e[r], stride[r] = s[r];
        index_t lo = 0, hi = 1;
        for (int r = 0; r < rank; ++r) {
            if (extent[r] == 0) return;
            (stride[r] < 0 ? lo : hi) += stride[r] * (extent[r] - 1);
        }
        begin = data + static_cast<std::uintptr_t>(lo * bytes);
        end = data + static_cast<std::uintptr_t>(hi * bytes);
    }

    bool operator==(strided_memory const& o) const {
        return data == o.data && end == o.end && rank == o.rank && value_bytes == o.value_bytes &&
               std::equal(extent, extent + rank, o.extent) &&
               std::equal(stride, stride + rank, o.stride);
    }
};

// stride * index, for indices from least to most; stride > 0.
struct multiples {
    index_t stride, least, most;
};
struct sum_of_multiples {
    multiples of[2 * max_rank + 1];
    int count = 0;

    void add(index_t stride, index_t least, index_t most) {
        if (stride == 0 || (least == 0 && most == 0)) return;
        if (stride < 0) return add(-stride, -most, -least);
        for (int k = 0; k < count; ++k) {
            if (of[k].stride != stride) continue;
            of[k].least += least, of[k].most += most;
            return;
        }
        of[count++] = {stride, least, most};
    }
    void add_axes(strided_memory const& x, index_t sign) {
        for (int r = 0; r < x.rank; ++r)
            add(sign * x.stride[r] * x.value_bytes, 0, x.extent[r] - 1);
    }
    void largest_first() {
        std::sort(of, of + count, [](auto const& x, auto const& y) { return x.stride > y.stride; });
    }
};

// Rounded down; b > 0.
constexpr index_t floor_quotient(index_t a, index_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Whether the sum of those from `first` on can be this number.
FELT_PLANNING inline bool can_be(sum_of_multiples const& sum, int first, index_t number) {
    if (first == sum.count) return number == 0;
    multiples const& own = sum.of[first];
    index_t lo = 0, hi = 0;  // of all others
    for (int k = first + 1; k < sum.count; ++k) {
        lo += sum.of[k].stride * sum.of[k].least;
        hi += sum.of[k].stride * sum.of[k].most;
    }
    index_t const from = std::max(own.least, -floor_quotient(hi - number, own.stride));
    index_t const to = std::min(own.most, floor_quotient(number - lo, own.stride));
    for (index_t i = from; i <= to; ++i) {
        if (can_be(sum, first + 1, number - i * own.stride)) return true;
    }
    return false;
}

// i s - j t - (l - k) = b - a.
FELT_PLANNING inline bool elements_meet(strided_memory const& a, strided_memory const& b) {
    sum_of_multiples distance;
    distance.add_axes(a, 1);
    distance.add_axes(b, -1);
    distance.add(1, 1 - b.value_bytes, a.value_bytes - 1);
    distance.largest_first();
    return can_be(distance, 0, static_cast<index_t>(b.data - a.data));
}
inline bool share_memory(strided_memory const& a, strided_memory const& b) {
    return a.begin < b.end && b.begin < a.end && elements_meet(a, b);
}

}  // namespace felt::inline FELT_ABI::detail

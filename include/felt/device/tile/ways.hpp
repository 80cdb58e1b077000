// SPDX-License-Identifier: BSD-3-Clause
//
// The ways to multiply that a GPU is given: by element type and how exact it must be, in large
// tiles where there are enough of them to keep it busy.
#pragma once
#include <felt/device/precision.hpp>
#include <felt/device/tile/mma.hpp>
#include <felt/device/tile/product.hpp>

namespace felt::device {

template <class How, class T>
struct ways {
    using large = simt<T, 64, 64, 16, 4, 4>;
    using small = large;
};
template <class How>
struct ways<How, float> {
    using large = simt<float, 128, 128, 8, 8, 8>;
    using small = simt<float, 64, 64, 16, 4, 4>;
};
template <class Atom, bool Exact>
struct tensor_ways {
    using large = mma<Atom, Exact, 128, 128, 16, 64, 32, 4>;
    using small = mma<Atom, Exact, 64, 64, 16, 32, 32, 4>;
};
template <>
struct ways<tf32_t, float> : tensor_ways<device::tf32, false> {};
template <>
struct ways<bf16_t, float> : tensor_ways<device::bf16, false> {};
template <>
struct ways<tf32x3_t, float> : tensor_ways<device::tf32, true> {};

// where(work) for the way that suits a product of these extents.
template <class How, class A, class B, class E, class Where>
void by_a_way(Where const& where, index_t batches, index_t rows, index_t columns, index_t terms,
              A const& a, B const& b, E const& e) {
    using all = ways<How, typename A::value_type>;
    auto const large = grid_of<typename all::large>(batches, rows, columns, terms);
    auto const small = grid_of<typename all::small>(batches, rows, columns, terms);
    bool const busy = index_t{large.tiles()} * batches >= busy_blocks / 2;
    if (busy) where(make_work<typename all::large>(large, a, b, e));
    else where(make_work<typename all::small>(small, a, b, e));
}

}  // namespace felt::device

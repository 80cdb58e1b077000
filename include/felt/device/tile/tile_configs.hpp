// SPDX-License-Identifier: BSD-3-Clause
//
// The ways to multiply that a GPU is given: by element type and how exact it must be, in large
// tiles where there are enough of them to keep it busy.
#pragma once
#include <felt/device/precision.hpp>
#include <felt/device/tile/mma.hpp>
#include <felt/device/tile/product.hpp>

namespace felt::inline FELT_ABI::device {

template <class How, class T>
struct ways {
    using large = simt<T, 64, 64, 16, 4, 4>;
    using small = large;
    using gates = large;
};
template <class How>
struct ways<How, float> {
    using large = simt<float, 128, 128, 8, 8, 8>;
    using small = simt<float, 64, 64, 16, 4, 4>;
    using gates = simt<float, 64, 128, 16, 4, 16>;  // columns in fours
};
template <class Atom, bool Exact>
struct tensor_ways {
    using large = mma<Atom, Exact, 128, 128, 16, 64, 32, 4>;
    using small = mma<Atom, Exact, 64, 64, 16, 32, 32, 4>;
    using gates = large;
};
template <>
struct ways<tf32_t, float> : tensor_ways<device::tf32, false> {};
template <>
struct ways<bf16_t, float> : tensor_ways<device::bf16, false> {};
template <>
struct ways<tf32x3_t, float> : tensor_ways<device::tf32, true> {};

// runner(work) for the way that suits a product of these extents.
template <class How, class A, class B, class E, class Runner>
void by_a_way(Runner const& runner, index_t batches, index_t rows, index_t columns, index_t terms,
              A const& a, B const& b, E const& e) {
    using all = ways<How, typename A::value_type>;
    constexpr int down = A::run > 0 ? group_size : 1, across = B::run > 0 ? group_size : 1;
    auto const grid = [&]<class Way>(std::type_identity<Way>) {
        return grid_of<Way>(batches, rows, columns, terms, down, across);
    };
    if constexpr (B::run > 0) {
        using gates = typename all::gates;
        runner(make_work<gates>(grid(std::type_identity<gates>{}), a, b, e));
    } else {
        using small = typename all::small;
        constexpr bool fits = A::F + B::F <= all::large::numbers_at_one;
        using large = std::conditional_t<fits, typename all::large, small>;
        auto const g = grid(std::type_identity<large>{});
        bool const busy = index_t{g.tiles()} * batches >= busy_blocks / 2;
        if (busy) runner(make_work<large>(g, a, b, e));
        else runner(make_work<small>(grid(std::type_identity<small>{}), a, b, e));
    }
}

}  // namespace felt::inline FELT_ABI::device

// SPDX-License-Identifier: BSD-3-Clause
//
// Statements with a product by the tile program in an emulated block.
#pragma once
#include "tests/support/block.hpp"
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/product.hpp>

namespace test {

using felt::Device;
using felt::Host;
using felt::index_t;

template <class Layout>
auto random(felt::extent_arg const (&e)[2], std::uint64_t seed) {
    felt::Tensor<float, 2, Device, Layout> x(felt::make_extents(e));
    x = felt::normal<float>(felt::make_extents(e), seed);
    return x;
}

// Work in emulated blocks, in tiles of Way.
template <class Way, class Block>
struct emulated {
    unsigned seed;

    template <class A, class B, class E>
    void operator()(index_t batches, index_t rows, index_t columns, index_t terms, A const& a,
                    B const& b, E const& e) const {
        auto const g = felt::device::grid_of<Way>(batches, rows, columns, terms, A::run > 0 ? 4 : 1,
                                                  B::run > 0 ? 4 : 1);
        emulate<Block>(felt::device::make_work<Way>(g, a, b, e), seed);
    }
};

template <class T, std::size_t R, class E>
auto target_of(felt::statement<T, R, Device, E> const& s) {
    using target = felt::device::tile_target<T, R, E>;
    return felt::tuple<target>{{s.data, s.e, s.stride, s.expression}};
}
template <class P, std::size_t R>
auto product_at(P const& p, felt::device::axes<P::rank, R> const& m) {
    return felt::device::tile_product<P, R>{&p, m};
}

// y = n, which has one product; of a pool, in fours.
template <class Way, class Block = block, class Y, class E>
void by_tiles(Y& y, E const& expression, unsigned seed = 1) {
    using namespace felt::device;
    constexpr std::size_t R = felt::rank_of<Y>;
    auto const s = lower(assign(y, expression));
    emulated<Way, Block> const where{seed};
    int found = 0;
    for_each_product(s.expression, own_loops<R>(), [&]<class P, class M>(P const& p, M const& m) {
        if (found++ > 0) return;
        if constexpr (std::is_same_v<M, axes<P::rank, R + 2>>) {
            tile_product<P, R, 2> const four{&p, m, {{2, 2}}};
            CHECK(multiply<rows_in_fours<Way::row_run>>(where, target_of(s), four));
        } else {
            CHECK(multiply(where, target_of(s), product_at(p, m)));
        }
    });
    CHECK(found > 0);
}

using small_way = felt::device::simt<float, 64, 64, 16, 4, 4>;

// The values of n by tiles are those of the host.
template <class Way = small_way, class E>
void check_tiles(E const& n, double relative = 1e-5, double absolute = 1e-4) {
    felt::Tensor<felt::value_of<E>, felt::rank_of<E>, Device> y(n.extents()), want(n.extents());
    by_tiles<Way>(y, n);
    want = n;
    CHECK(felt::all_close(felt::to<Host>(y), felt::to<Host>(want), relative, absolute));
}

}  // namespace test

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
        auto const g = felt::device::grid_of<Way>(batches, rows, columns, terms);
        emulate<Block>(felt::device::make_work<Way>(g, a, b, e), seed);
    }
};

// y = n, which has one product.
template <class Way, class Block = block, class Y, class E>
void by_tiles(Y& y, E const& expression, unsigned seed = 1) {
    auto const s = lower(assign(y, expression));
    felt::device::for_each_product(
        s.expression, felt::device::own_loops<felt::rank_of<Y>>(),
        [&](auto const& p, auto const& m) {
            emulated<Way, Block> const where{seed};
            CHECK(felt::device::multiply(where, s.data, s.e, s.stride, s.expression, p, m));
        });
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

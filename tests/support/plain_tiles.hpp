// SPDX-License-Identifier: BSD-3-Clause
//
// Products of a device without a block of threads: -DFELT_TILE_RUNNER='"tests/support/
// plain_tiles.hpp"'. What a kernel is given, its operands, its grid and what becomes of the sums,
// is used element by element; the loops of the tile program are for block.hpp to run.
#pragma once
#include <felt/device/tile/product.hpp>
#include <vector>

namespace test {

using felt::index_t;

// c = a b, of (rows x terms) and (columns x terms), by loops that tests/by_device/sums.cpp
// compiles.
template <class T>
struct plain_product {
    static void compute(T const* a, T const* b, T* c, index_t rows, index_t columns, index_t terms);
};

// Which position of a tile has member m of group g.
template <int Run>
int position_of(int g, int m) {
    if constexpr (Run == 0) return g;
    else return g / Run * (felt::device::group_size * Run) + m * Run + g % Run;
}

// The elements of an operand, (rows x members x terms).
template <class X>
auto elements_of(X const& x, int batch, int rows, int terms) {
    constexpr int members = X::run > 0 ? felt::device::group_size : 1;
    std::vector<typename X::value_type> all;
    for (int g = 0; g < rows; ++g) {
        for (int m = 0; m < members; ++m) {
            auto const base = x.start(batch) + x.at_row(position_of<X::run>(g, m));
            for (int k = 0; k < terms; ++k) {
                auto const at = base + x.other.at(k);
                all.push_back(x.term.template value<0>(at.v, felt::device::no_sum{}));
            }
        }
    }
    return all;
}

template <class Work>
void run_plain(Work const& w, int batch) {
    namespace device = felt::device;
    using T = typename Work::way::T;
    constexpr bool down = decltype(w.a)::run > 0, across = decltype(w.b)::run > 0;
    constexpr int m = down ? device::group_size : 1, n = across ? device::group_size : 1;
    auto const& g = w.grid;
    auto const a = elements_of(w.a, batch, g.rows, g.terms);
    auto const b = elements_of(w.b, batch, g.columns, g.terms);
    index_t const rows = index_t{g.rows} * m, columns = index_t{g.columns} * n;
    std::vector<T> c(static_cast<std::size_t>(rows * columns));
    plain_product<T>::compute(a.data(), b.data(), c.data(), rows, columns, g.terms);
    auto const sum = [&](index_t i, index_t j) {
        return c[static_cast<std::size_t>(i * columns + j)];
    };
    for (int i = 0; i < g.rows; ++i) {
        for (int j = 0; j < g.columns; ++j) {
            auto const to = w.epilogue.start(batch) + w.epilogue.row.at(i) + w.epilogue.other.at(j);
            if constexpr (!down && !across) {
                w.epilogue.term.template store<0>(to.v, device::whole_sum<T>{sum(i, j)});
            } else {
                device::group_sums<T> four;
                for (int k = 0; k < device::group_size; ++k) {
                    four.sum[k] = down ? sum(i * m + k, j) : sum(i, j * n + k);
                }
                w.epilogue.term.template store<0>(to.v, four);
            }
        }
    }
}

}  // namespace test

namespace felt::inline FELT_ABI::device {

template <class Work>
void launch_tiles(Work const& work, char const*) {
    for (int batch = 0; batch < work.grid.batches; ++batch) test::run_plain(work, batch);
}

}  // namespace felt::inline FELT_ABI::device

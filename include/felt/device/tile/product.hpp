// SPDX-License-Identifier: BSD-3-Clause
//
// multiply(where, y, .., n): y holds expression n, which has a product, by the tile program.
// `where` runs it: a GPU, or the emulator of the tests.
#pragma once
#include <felt/device/tile/product_epilogue.hpp>
#include <felt/device/tile/program.hpp>
#include <felt/device/tile/roles.hpp>
#include <felt/device/tile/simt.hpp>
#include <optional>

namespace felt::device {

// How many blocks keep a GPU busy: two for each of about 130 multiprocessors.
inline constexpr index_t busy_blocks = 264;

// Of a product of these extents in tiles of Way: its sums are split where there are too few tiles.
template <class Way>
tile_grid grid_of(index_t batches, index_t rows, index_t columns, index_t terms) {
    auto const parts = [](index_t n, index_t each) { return (n + each - 1) / each; };
    index_t const down = parts(rows, Way::rows), across = parts(columns, Way::columns);
    index_t const tiles = batches * down * across, pieces = parts(terms, Way::depth);
    index_t const most = std::max<index_t>(pieces / 16, 1);  // each at least 16 steps long
    index_t const wanted = tiles >= busy_blocks / 2 ? 1 : busy_blocks / tiles;
    index_t const each = std::max<index_t>(parts(pieces, std::min(most, wanted)), 1) * Way::depth;
    auto const small = [](index_t n) { return static_cast<int>(n); };
    return {small(batches),
            small(rows),
            small(columns),
            small(terms),
            small(std::max<index_t>(parts(terms, each), 1)),
            small(each),
            small(down),
            small(across)};
}

// What the program needs, for those who run it.
template <class Way, class A, class B, class E>
struct tile_work {
    using way = Way;
    using memory = tile_memory<Way, A, B>;
    // Blocks that a multiprocessor is to have registers for, without spilling any.
    static constexpr int resident = A::F + B::F <= Way::numbers_at_two ? 2 : 1;
    tile_grid grid;
    A a;
    B b;
    E epilogue;
    typename Way::T* parts = nullptr;  // of split sums: one for each sum of each block
    unsigned* counters = nullptr;      // one for each tile, 0 before and after

    index_t number_of_parts() const {
        auto const sums = index_t{Way::rows} * Way::columns;
        return grid.splits > 1 ? grid.blocks() * sums : 0;
    }
    index_t number_of_counters() const {
        return grid.splits > 1 ? index_t{grid.tiles()} * grid.batches : 0;
    }
    template <class Block>
    FELT_HOST_DEVICE void operator()(Block& block, memory& m) const {
        tile_program<Way>(block, m, grid, a, b, epilogue, parts, counters);
    }
};

template <class Way, class A, class B, class E>
auto make_work(tile_grid const& g, A const& a, B const& b, E const& e) {
    return tile_work<Way, A, B, E>{g, a, b, e};
}

[[noreturn]] inline void too_large(char const* name) {
    throw device_error(std::string(name) + ": more than 2^30 elements in one operand or index");
}

// `where(work)` runs the program. Returns false, and has done nothing, if an operand has no forms.
template <class Where, class T, std::size_t R, class N, class P>
bool multiply(Where const& where, T* y, extents<R> const& e, extents<R> const& stride, N const& n,
              P const& product, axes<P::rank, R> const& at) {
    constexpr int places = R == 0 ? 1 : static_cast<int>(R);
    constexpr int summed = P::summed == 0 ? 1 : static_cast<int>(P::summed);
    auto loops = roles_of(product, at, e, stride);
    using found = decltype(loops);
    forms<found::L> of_a{loops.loops}, of_b{loops.loops};
    auto const a = term(product.x.head, loops.a, of_a);
    auto const b = term(product.x.tail.head, loops.b, of_b);
    forms<R> of_e{e};
    auto const result = felt::device::result(y, stride, n, of_e);
    if (!of_a.fits || !of_b.fits || !of_e.fits) return false;
    if (!is_small(of_a) || !is_small(of_b) || !is_small(of_e)) too_large(P{product}.name);
    order_terms(loops.terms, of_a, of_b);
    index_t const batches = extent_of(loops.batch, e), rows = extent_of(loops.rows, e);
    index_t const columns = extent_of(loops.columns, e);
    index_t const terms = extent_of(loops.terms, loops.loops);
    if (batches * rows * columns == 0) return true;
    auto const x = make_operand<places, summed>(a, of_a, loops.batch, loops.rows, loops.terms);
    auto const w = make_operand<places, summed>(b, of_b, loops.batch, loops.columns, loops.terms);
    auto const z =
        make_operand<places, places>(result, of_e, loops.batch, loops.rows, loops.columns);
    where(batches, rows, columns, terms, x, w, z);
    return true;
}

}  // namespace felt::device

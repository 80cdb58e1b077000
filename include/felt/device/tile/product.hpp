// SPDX-License-Identifier: BSD-3-Clause
//
// multiply(runner, targets, product): statements that hold a product, by the tile program, which
// `runner` runs: a GPU, or the emulator of the tests.
#pragma once
#include <felt/device/tile/product_epilogue.hpp>
#include <felt/device/tile/program.hpp>
#include <felt/device/tile/roles.hpp>
#include <felt/device/tile/simt.hpp>
#include <numeric>

namespace felt::inline FELT_ABI::device {

// How many blocks keep a GPU busy: two for each of about 130 multiprocessors.
inline constexpr index_t busy_blocks = 264;

// Of a product of these extents in tiles of Way: its sums are split where there are too few tiles.
template <class Way>
tile_grid grid_of(index_t batches, index_t rows, index_t columns, index_t terms, int per_row = 1,
                  int per_column = 1) {
    auto const parts = [](index_t n, index_t each) { return (n + each - 1) / each; };
    index_t const down = parts(rows, Way::rows / per_row);
    index_t const across = parts(columns, Way::columns / per_column);
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

// Sums come one by one, or rows or columns in fours, of which neighbours are Run groups of tiles.
struct one_by_one {
    static constexpr int row_run = 0, column_run = 0;
};
template <int Run>
struct rows_in_fours {
    static constexpr int row_run = Run, column_run = 0;
};
template <int Run>
struct columns_in_fours {
    static constexpr int row_run = 0, column_run = Run;
};

// The product of targets: its axes are at `at` of R loops of the target and of G that run over the
// members of a group, if sums come in groups.
template <class P, std::size_t R, std::size_t G = 0>
struct tile_product {
    P const* product;
    axes<P::rank, R + G> at;
    extents<G> members = {};
    group_slots slots = {};
};

// Takes the loops that run over members, all of them, out of an order. False if some are not there.
inline bool take_members(loop_order& order, std::size_t first, std::size_t count) {
    return std::erase_if(order, [&](std::size_t l) { return l >= first; }) == count;
}

// runner(batches, rows, columns, terms, a, b, epilogue) runs the program. Returns false, and has
// done nothing, if an operand has no forms or groups lie otherwise.
template <class Group = one_by_one, class Runner, class... Target, class P, std::size_t R,
          std::size_t G>
bool multiply(Runner const& runner, tuple<Target...> const& targets,
              tile_product<P, R, G> const& of) {
    constexpr int places = R == 0 ? 1 : static_cast<int>(R);
    constexpr int summed = P::summed == 0 ? 1 : static_cast<int>(P::summed);
    P const& product = *of.product;
    auto const& to = targets.head;  // the others have the same extents
    extents<R + G> e, stride;
    std::copy(to.e.begin(), to.e.end(), e.value);
    std::copy(to.stride.begin(), to.stride.end(), stride.value);
    std::copy(of.members.begin(), of.members.end(), e.value + R);
    auto loops = roles_of(product, of.at, e, stride);
    using found = decltype(loops);
    auto& grouped = Group::row_run > 0 ? loops.rows : loops.columns;
    if (!take_members(grouped, R, G)) return false;
    loop_order members(G);
    std::iota(members.begin(), members.end(), R);

    forms<found::L> of_a{loops.loops}, of_b{loops.loops};
    auto const a = term(product.x.head, loops.a, of_a);
    auto const b = term(product.x.tail.head, loops.b, of_b);
    forms<R> of_e{to.e, of.slots};
    auto const results = stored(targets, of_e);
    if (!of_a.fits || !of_b.fits || !of_e.fits) return false;
    if (!of_a.are_small() || !of_b.are_small() || !of_e.are_small()) too_large(product.name);
    order_terms(loops.terms, of_a, of_b);
    index_t const batches = extent_of(loops.batch, e), rows = extent_of(loops.rows, e);
    index_t const columns = extent_of(loops.columns, e);
    index_t const terms = extent_of(loops.terms, loops.loops);
    if (batches * rows * columns == 0) return true;
    runner(batches, rows, columns, terms,
           make_operand<places, summed, Group::row_run>(a, of_a, loops.batch, loops.rows,
                                                        loops.terms, members),
           make_operand<places, summed, Group::column_run>(b, of_b, loops.batch, loops.columns,
                                                           loops.terms, members),
           make_operand<places, places>(results, of_e, loops.batch, loops.rows, loops.columns));
    return true;
}

}  // namespace felt::inline FELT_ABI::device

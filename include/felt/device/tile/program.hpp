// SPDX-License-Identifier: BSD-3-Clause
//
// The tile program: a block of threads computes one tile of c = a b, (rows x columns), from tiles
// of a and b that pass through shared memory, and gives the sums to the epilogue, which stores what
// becomes of them. Sums over many terms are split among blocks: the last of them that arrives adds
// the parts up, in their order.
#pragma once
#include <felt/device/tile/program_load.hpp>

namespace felt::inline FELT_ABI::device {

struct tile_grid {
    int batches, rows, columns, terms;  // extents of the product; of groups, if these are fours
    int splits, terms_each;             // of the terms
    int tiles_down, tiles_across;

    FELT_HOST_DEVICE int tiles() const { return tiles_down * tiles_across; }
    FELT_HOST_DEVICE int blocks() const { return tiles() * batches * splits; }
};

// A block's work.
struct tile_task {
    int tile, batch, split, row, column, begin, end;

    // Neighbouring blocks share columns of b, and rows of a, in groups of so many tiles down.
    static constexpr int together = 8;

    FELT_HOST_DEVICE static tile_task of(tile_grid const& g, int block, int rows, int columns) {
        int const tile = block % g.tiles(), rest = block / g.tiles();
        int const group = tile / (together * g.tiles_across),
                  inside = tile % (together * g.tiles_across);
        int const left = g.tiles_down - group * together;
        int const down = left < together ? left : together;
        int const split = rest % g.splits, begin = split * g.terms_each;
        int const end = begin + g.terms_each < g.terms ? begin + g.terms_each : g.terms;
        return {tile,
                rest / g.splits,
                split,
                (group * together + inside % down) * rows,
                inside / down * columns,
                begin,
                end};
    }
};

// Tiles of both operands, `stages` of each: one is multiplied while the next ones come.
template <class Way, class A, class B>
struct tile_memory {
    using T = typename Way::T;
    using load_a = loader<A, Way::rows, Way::depth, Way::threads, Way::padding>;
    using load_b = loader<B, Way::columns, Way::depth, Way::threads, Way::padding>;
    alignas(32) T a[Way::stages][load_a::size];
    alignas(32) T b[Way::stages][load_b::size];
    int last;
};

// The sums of one tile over the terms of its task.
template <class Way, class Block, class A, class B>
FELT_HOST_DEVICE void sum_products(Block& block, tile_memory<Way, A, B>& m, tile_grid const& g,
                                   tile_task const& task, A const& a, B const& b,
                                   typename Way::sums& c) {
    using memory = tile_memory<Way, A, B>;
    constexpr int stages = Way::stages, ahead = stages - 1;
    int const thread = block.thread();
    typename memory::load_a from_a(a, thread, task.batch, task.row, g.rows);
    typename memory::load_b from_b(b, thread, task.batch, task.column, g.columns);
    auto const fetch = [&](int stage, int k) {
        from_a.fetch(block, a, m.a[stage], k, task.end);
        from_b.fetch(block, b, m.b[stage], k, task.end);
        block.commit();
    };
    auto const store = [&](int stage) {
        from_a.store(a, m.a[stage]);
        from_b.store(b, m.b[stage]);
    };
    for (int s = 0; s < ahead; ++s) {  // not unrolled: to fetch is most of what is compiled
        fetch(s, task.begin + s * Way::depth);
        store(s);
    }
    int now = 0, free = ahead;  // the stage to multiply, and the one that everybody is done with
    for (int k = task.begin; k < task.end; k += Way::depth) {
        block.template wait<stages - 2>();
        block.sync();
        fetch(free, k + ahead * Way::depth);
        Way::multiply(block, thread, m.a[now], memory::load_a::pitch, m.b[now],
                      memory::load_b::pitch, c);
        store(free);
        free = now;
        now = now + 1 == stages ? 0 : now + 1;
    }
    block.template wait<0>();
}

template <class Way>
FELT_HOST_DEVICE void clear(typename Way::sums& c) {
    FELT_UNROLL
    for (int i = 0; i < Way::own_rows; ++i) {
        FELT_UNROLL
        for (int j = 0; j < Way::own_columns; ++j) c.at(i, j) = typename Way::T(0);
    }
}

// Whether this block is the last of `total` that count themselves: then it reads what the others
// have put before, by fresh(). Each thread has put something and reads something, so each fences.
template <class Block>
FELT_HOST_DEVICE bool counts_last(Block& block, unsigned* counter, int total, int* slot) {
    block.fence();
    block.sync();
    if (block.thread() == 0) {
        *slot = block.add_one(counter) + 1U == static_cast<unsigned>(total);
        if (*slot) *counter = 0;
    }
    block.sync();
    block.fence();
    return *slot != 0;
}

// Whether this block has the whole sums, in c, when all parts of its tile have been counted.
template <class Way, class Block>
FELT_HOST_DEVICE bool join_parts(Block& block, tile_grid const& g, tile_task const& task,
                                 typename Way::T* parts, unsigned* counters, int* last,
                                 typename Way::sums& c) {
    constexpr int each = Way::own_rows * Way::own_columns;
    int const thread = block.thread(), number = task.batch * g.tiles() + task.tile;
    auto const part = [&](int split, int n) -> typename Way::T& {
        auto const before = static_cast<index_t>(number * g.splits + split) * each + n;
        return parts[before * Way::threads + thread];
    };
    FELT_UNROLL
    for (int n = 0; n < each; ++n) {
        block.put(part(task.split, n), c.at(n / Way::own_columns, n % Way::own_columns));
    }
    if (!counts_last(block, counters + number, g.splits, last)) return false;
    clear<Way>(c);
    for (int split = 0; split < g.splits; ++split) {
        FELT_UNROLL
        for (int n = 0; n < each; ++n) {
            c.at(n / Way::own_columns, n % Way::own_columns) += block.fresh(part(split, n));
        }
    }
    return true;
}

// Sum (i, j) of a thread, or the sums of group i of rows, j of columns.
template <class Way, int RowRun, int ColumnRun>
FELT_HOST_DEVICE auto sums_of(typename Way::sums& c, int i, int j) {
    using T = typename Way::T;
    if constexpr (RowRun + ColumnRun == 0) {
        return whole_sum<T>{c.at(i, j)};
    } else {
        group_sums<T> to;
        FELT_UNROLL
        for (int m = 0; m < group_size; ++m) {
            if constexpr (RowRun > 0) to.sum[m] = c.at(Way::row_of_group(i, m), j);
            else to.sum[m] = c.at(i, Way::column_of_group(j, m));
        }
        return to;
    }
}

template <class Way, class Block, class A, class B, class Epilogue>
FELT_HOST_DEVICE void tile_program(Block& block, tile_memory<Way, A, B>& m, tile_grid const& g,
                                   A const& a, B const& b, Epilogue const& e,
                                   typename Way::T* parts, unsigned* counters) {
    auto const task = tile_task::of(g, block.number(), Way::rows, Way::columns);
    typename Way::sums c;
    clear<Way>(c);
    sum_products<Way>(block, m, g, task, a, b, c);
    if (g.splits > 1 && !join_parts<Way>(block, g, task, parts, counters, &m.last, c)) return;
    auto const start = e.start(task.batch);
    constexpr int down = A::run > 0 ? group_size : 1, across = B::run > 0 ? group_size : 1;
    FELT_UNROLL
    for (int i = 0; i < Way::own_rows / down; ++i) {
        int const own = A::run > 0 ? Way::row_of_group(i, 0) : i;
        int const r = group_at<A::run>(task.row + Way::row(block.thread(), own));
        if (r >= g.rows) continue;
        auto const base = start + e.row.at(r);
        FELT_UNROLL
        for (int j = 0; j < Way::own_columns / across; ++j) {
            int const first = B::run > 0 ? Way::column_of_group(j, 0) : j;
            int const s = group_at<B::run>(task.column + Way::column(block.thread(), first));
            if (s < g.columns) {
                auto const n = base + e.other.at(s);
                e.term.template store<0>(n.v, sums_of<Way, A::run, B::run>(c, i, j));
            }
        }
    }
}

}  // namespace felt::inline FELT_ABI::device

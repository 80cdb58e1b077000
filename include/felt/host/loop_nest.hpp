// SPDX-License-Identifier: BSD-3-Clause
//
// A pass: the loops over a box, cut into blocks; each block is prepared and then read through
// once, row by row. evaluate() sends the values to memory.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/host/row_source.hpp>
#include <felt/host/streaming_stores.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::host {

// Calls f(block) for the blocks of `whole`, in the plan's order of loops.
[[gnu::noinline]] inline void for_each_block(loop_view const& loops, box const& whole,
                                             function_ref<void(box const&)> f) {
    box b = whole;
    for (int l = 0; l < whole.rank; ++l) {
        if (whole.hi[l] <= whole.lo[l]) return;
        b.hi[l] = std::min(whole.hi[l], whole.lo[l] + std::max<index_t>(loops.block[l], 1));
    }
    for (;;) {
        f(b);
        int i = loops.rank - 1;
        for (; i >= 0; --i) {
            int const l = loops.order[i];
            index_t const step = std::max<index_t>(loops.block[l], 1);
            b.lo[l] = b.hi[l];
            if (b.lo[l] < whole.hi[l]) {
                b.hi[l] = std::min(whole.hi[l], b.lo[l] + step);
                break;
            }
            b.lo[l] = whole.lo[l];
            b.hi[l] = std::min(whole.hi[l], whole.lo[l] + step);
        }
        if (i < 0) return;
    }
}

// The same for a square, which is cut into squares first: (i, j), then (j, i).
[[gnu::noinline]] inline void for_each_mirrored(loop_view const& loops, box const& whole,
                                                function_ref<void(box const&)> f) {
    index_t const n = whole.hi[0], step = loops.mirror;
    box b = whole;
    auto const one = [&](index_t i, index_t j) {
        b.lo[0] = i;
        b.lo[1] = j;
        b.hi[0] = std::min(n, i + step);
        b.hi[1] = std::min(n, j + step);
        for_each_block(loops, b, f);
    };
    for (index_t i = whole.lo[0]; i < n; i += step) {
        for (index_t j = i; j < n; j += step) {
            one(i, j);
            if (i != j) one(j, i);
        }
    }
}

inline bool is_square(box const& b) {
    return b.rank == 2 && b.lo[0] == b.lo[1] && b.hi[0] == b.hi[1];
}

// Where row `at` begins: its element at lane 0.
template <class T>
T* row_begin(strided<T> const& to, index_t const* at, loop_view const& loops) {
    T* p = to.data;
    for (int l = 0; l < loops.rank; ++l) {
        if (l != loops.lane) p += to.stride[l] * at[l];
    }
    return p;
}

// Rows of a block as long as they get: rows that follow each other in `to` and for x are one. `at`
// is the block without the loops that were taken in.
struct long_rows {
    box at;
    index_t length;
};
template <class T>
[[gnu::noinline]] long_rows join_rows(row_source<T> const& x, int lane, box const& b,
                                      index_t const* to) {
    constexpr index_t enough = 512;
    long_rows rows{b, lane < 0 ? 1 : b.extent(lane)};
    for (int l = 0; lane >= 0 && l < b.rank && rows.length < enough; ++l) {
        index_t const n = rows.at.extent(l);
        if (l == lane || n == 1 || to[l] != rows.length || !x.continues_row(l, rows.length))
            continue;
        rows.length *= n;
        rows.at.hi[l] = rows.at.lo[l] + 1;
        l = -1;  // another loop may follow on this one
    }
    return rows;
}

// Rows that are summed one after the other as one row, if they lie so whatever else the block has:
// sums must not depend on that. `mask`: the summed loops, a bit each.
template <class T>
[[gnu::noinline]] long_rows join_summed(long_rows rows, loop_view const& loops, unsigned mask,
                                        row_source<T> const& x) {
    constexpr index_t enough = 2048;
    for (int l = loops.rank - 1; loops.lane >= 0 && l >= 0 && rows.length < enough; --l) {
        if (l == loops.lane) continue;
        index_t const n = rows.at.extent(l);
        if ((mask >> l & 1U) == 0 || !x.continues_row(l, rows.length)) break;
        rows.length *= n;
        rows.at.hi[l] = rows.at.lo[l] + 1;
    }
    return rows;
}

// Values of the rows of x over a block that is prepared; `to` is where loops 0, 0, ... would lie.
template <class T>
void store_block(row_source<T> const& x, loop_view const& loops, box const& b,
                 strided<T> const& to) {
    int const lane = loops.lane;
    long_rows const rows = join_rows(x, lane, b, to.stride);
    index_t const n = rows.length, lo = lane < 0 ? 0 : b.lo[lane];
    planning::for_each_row(rows.at, lane, [&](index_t const* at) {
        T* const p = row_begin(to, at, loops) + lo;
        T const* const from = x.line(at, lo, lo + n, p);
        if (from != p) std::memmove(p, from, static_cast<std::size_t>(n) * sizeof(T));
    });
}

template <class T>
void invariant_values<T>::prepare(box const& b, row_source<T> const& values) {
    box const part = varying(b);
    if (!(here_ && env_->placed(id_).fixed && holds(part))) {
        here_ = false;
        strided<T> to{nullptr, {}};
        index_t const size = lay(part, to);
        if (size > capacity_) room_ = env_->scratch.template take<T>(capacity_ = size);
        to.data = room_;
        for (int l = 0; l < part.rank; ++l) to.data -= to.stride[l] * part.lo[l];
        read_.point_at(to.data, to.stride);
        // A row begins at its first lane, also where the values do not move with the lanes.
        int const lane = loops().lane;
        if (lane >= 0 && !follows(lane)) to.data -= part.lo[lane];
        store_block(values, loops(), part, to);
        held_ = part;
        here_ = true;
    }
    read_.prepare(b, env_->scratch);
}

// The same past the caches, piece by piece.
template <class T>
void store_block_streaming(row_source<T> const& x, loop_view const& loops, box const& b,
                           strided<T> const& to, arena& scratch) {
    constexpr index_t piece = 2048;
    scratch_scope const scope(scratch);
    T* const room = scratch.take<T>(piece);
    index_t const lo = b.lo[loops.lane], hi = b.hi[loops.lane];
    planning::for_each_row(b, loops.lane, [&](index_t const* at) {
        T* const p = row_begin(to, at, loops);
        if (x.stream_at != nullptr) {
            x.stream_at(x.self, at, lo, hi, p + lo);
            return;
        }
        for (index_t j = lo; j < hi; j += piece) {
            index_t const end = std::min(hi, j + piece);
            copy_streaming(p + j, x.line(at, j, end, room), end - j);
        }
    });
}

// Where the rows of x lie, if they lie in memory: then two along an axis tell where all are.
template <class T>
strided<T const> rows_in_memory(row_source<T> const& x, loop_view const& loops, box const& b,
                                int across, T* room) {
    constexpr index_t enough = 8;
    strided<T const> none{nullptr, {}};
    if (x.apart != nullptr || across < 0 || b.extent(across) < enough) return none;
    index_t at[max_axes] = {};
    std::copy(b.lo, b.lo + b.rank, at);
    index_t const lo = b.lo[loops.lane], hi = b.hi[loops.lane];
    T const* const first = x.line(at, lo, hi, room);
    if (first == room) return none;
    strided<T const> found{first, {}};
    for (int l = 0; l < b.rank; ++l) {
        if (l == loops.lane || b.extent(l) < 2) continue;
        ++at[l];
        found.stride[l] = x.line(at, lo, hi, room) - first;
        --at[l];
    }
    found.stride[loops.lane] = 1;
    return found;
}

// The same where the lanes of the destination are not contiguous: through a tile of scratch.
template <class T>
void store_block_across(row_source<T> const& x, loop_view const& loops, box const& b,
                        strided<T> const& to, arena& scratch) {
    scratch_scope const scope(scratch);
    index_t const limit = planning::staging_limit / static_cast<index_t>(sizeof(T));
    index_t const width = std::min<index_t>(b.extent(loops.lane), 128);
    T* const room = scratch.take<T>(std::max(limit, width));
    // A tile is a few rows of one other axis, the one along which `to` is contiguous if any.
    int across = -1;
    for (int l = 0; l < b.rank; ++l) {
        if (l != loops.lane && (across < 0 || to.stride[l] == 1)) across = l;
    }
    index_t block[max_axes];
    loop_view const cut = loops.by_blocks(block);
    strided<T> aside{room, {}};
    std::fill(block, block + b.rank, index_t{1});
    block[loops.lane] = width;
    aside.stride[loops.lane] = 1;
    // Rows that x has one behind the other are computed as one.
    index_t row = width;
    for (int l = b.rank - 1; l >= 0 && width == b.extent(loops.lane); --l) {
        if (l == loops.lane || l == across || !x.continues_row(l, row) || row * b.extent(l) > 512) {
            continue;
        }
        block[l] = b.extent(l);
        aside.stride[l] = row;
        row *= b.extent(l);
    }
    if (across >= 0) {
        block[across] = std::max<index_t>(1, limit / row);
        aside.stride[across] = row;
    }
    for_each_block(cut, b, [&](box const& part) {
        strided<T> base = aside, target = to;
        for (int l = 0; l < b.rank; ++l) {
            base.data -= aside.stride[l] * part.lo[l];
            target.data += to.stride[l] * part.lo[l];
        }
        strided<T const> from = rows_in_memory(x, loops, part, across, room);
        if (from.data == nullptr) {
            store_block(x, loops, part, base);
            from.data = room;
            std::copy(aside.stride, aside.stride + max_axes, from.stride);
        }
        copy_box(target, from, part);
    });
}

// Memory along whose elements the destination has no lanes but others: pieces of it in the order of
// memory, of which the squares are turned in registers. (4096 x 4096: through scratch 9.8 ms, 6.9;
// pieces of 256 x 256 8.) False if it is nothing like that.
template <class T>
bool store_transposed(strided<T const> const& from, loop_view const& loops, box const& whole,
                      strided<T> const& to, bool streaming) {
    constexpr index_t size = sizeof(T), piece = (index_t{1} << 18) / size, run = 4096 / size;
    int const lane = loops.lane, unit = detail::unit_axis(from.stride, whole);
    bool const straight = unit < 0 || from.stride[lane] == 1 || from.stride[lane] == 0;
    if (straight || to.stride[lane] != 1) return false;
    bool const few = whole.extent(unit) < detail::word_count<T>;
    if (few && detail::picks(from.stride[lane])) return false;
    index_t block[max_axes];
    std::fill(block, block + whole.rank, index_t{1});
    block[unit] = std::min(whole.extent(unit), run);
    block[lane] = std::min(whole.extent(lane), piece / block[unit]);
    block[unit] = std::min(whole.extent(unit), piece / block[lane]);
    for_each_block(loops.by_blocks(block), whole, [&](box const& b) {
        strided<T> t = to;
        strided<T const> f = from;
        for (int l = 0; l < b.rank; ++l) {
            t.data += to.stride[l] * b.lo[l];
            f.data += from.stride[l] * b.lo[l];
        }
        copy_box(t, f, b, streaming);
    });
    return true;
}

// All values of x over `whole` to memory; `streaming`: past the caches, lanes are contiguous.
template <class T>
void evaluate(row_source<T> const& x, loop_view const& loops, box const& whole,
              strided<T> const& to, arena& scratch, bool streaming = false) {
    bool const direct = loops.lane < 0 || to.stride[loops.lane] == 1;
    if (x.leaf != nullptr && loops.lane >= 0 && loops.mirror == 0 &&
        store_transposed(*x.leaf, loops, whole, to, streaming)) {
        if (streaming) streaming_ends();
        return;
    }
    auto const block = [&](box const& b) {
        x.prepare(b);
        if (streaming) store_block_streaming(x, loops, b, to, scratch);
        else if (direct) store_block(x, loops, b, to);
        else store_block_across(x, loops, b, to, scratch);
    };
    if (loops.mirror > 0 && is_square(whole)) for_each_mirrored(loops, whole, block);
    else for_each_block(loops, whole, block);
    if (streaming) streaming_ends();
}

}  // namespace felt::inline FELT_ABI::host

// SPDX-License-Identifier: BSD-3-Clause
//
// What each thread of a block brings of one operand to a tile in shared memory, (depth x rows) with
// rows side by side. What lies in memory as it is needed is copied there past the registers, and
// arrives when it is waited for; anything else is computed in registers and stored.
#pragma once
#include <felt/device/tile/operand.hpp>

namespace felt::inline FELT_ABI::device {

template <class X, int Rows, int Depth, int Threads, int Padding>
class loader {
    using T = typename X::value_type;
    static constexpr bool copied = is_copied<decltype(X::term)>;
    static constexpr int packets = Rows * Depth / packet_size / Threads;
    static_assert(packets * Threads * packet_size == Rows * Depth);
    // Packets along the rows. Along the terms two neighbours of threads bring a sector of memory,
    // if there are as many threads, and others the next rows, so that of the numbers that a warp
    // stores at once two at most are in one bank of shared memory. All packets of a thread are in
    // one row.
    static constexpr int across = Rows / packet_size, pair = Threads < 2 * Rows ? 1 : 2;
    static_assert(Threads % across == 0 && Depth % (pair * packet_size) == 0);
    static_assert(Threads % (pair * Rows) == 0 || packets == 1);

public:
    static constexpr int pitch = Rows + Padding;  // between rows of the tile in shared memory
    static constexpr int size = Depth * pitch;

    // Of rows from position `first` on, of `end` rows (or groups of them).
    FELT_HOST_DEVICE loader(X const& x, int thread, int batch, int first, int end)
        : thread_(thread),
          row_(first + spot_of(x, 0).row),
          left_(end - number(row_)),
          batch_(batch),
          base_(x.start(batch) + x.at_row(left_ > 0 ? row_ : 0)) {}

    // Begins to bring the terms from `from` on, up to `end`; store() is to follow.
    template <class Block>
    FELT_HOST_DEVICE void fetch(Block& block, X const& x, T* tile, int from, int end) {
        if constexpr (copied) {
            // All threads of all blocks agree.
            if (x.order == neighbour_order::packets)
                return fetch_packets(block, x, tile, from, end);
            if (x.order == neighbour_order::steps) return fetch_steps(block, x, tile, from, end);
        }
        FELT_UNROLL
        for (int i = 0; i < packets; ++i) {
            spot const at = spot_of(x, i);
            int const k = from + at.depth, rows = X::run == 1 ? packet_size : left_;
            int const inside = x.along_rows ? rows : end - k;
            int const count = left_ > 0 && k < end ? inside : 0;
            if constexpr (copied) copy_each(block, x, k, count, tile + place(at));
            else held_[i] = computed(x, k, count);
        }
    }
    FELT_HOST_DEVICE void store(X const& x, T* tile) const {
        if constexpr (!copied) {
            FELT_UNROLL
            for (int i = 0; i < packets; ++i) {
                T* const to = tile + place(spot_of(x, i));
                if (x.along_rows) {
                    store_packet(to, held_[i]);
                } else {
                    FELT_UNROLL
                    for (int j = 0; j < packet_size; ++j) to[j * pitch] = held_[i].v[j];
                }
            }
        }
    }

private:
    FELT_HOST_DEVICE static int number(int position) { return group_at<X::run>(position); }

    // The place of packet i of this thread in the tile: neighbours of threads along neighbours.
    struct spot {
        int row, depth;
    };
    template <bool AlongRows>
    FELT_HOST_DEVICE spot spot_of(int i) const {
        auto const t = static_cast<unsigned>(thread_);
        if constexpr (AlongRows) {
            return {static_cast<int>(t % across) * packet_size,
                    static_cast<int>(t / across) + i * (Threads / across)};
        } else {
            int const beside = static_cast<int>(t % pair),
                      next = static_cast<int>(t / (pair * Rows));
            return {static_cast<int>(t / pair % Rows),
                    (beside + (next + i * (Threads / (pair * Rows))) * pair) * packet_size};
        }
    }
    FELT_HOST_DEVICE spot spot_of(X const& x, int i) const {
        return x.along_rows ? spot_of<true>(i) : spot_of<false>(i);
    }
    FELT_HOST_DEVICE static int place(spot const& at) { return at.depth * pitch + at.row; }

    FELT_HOST_DEVICE packet<T> computed(X const& x, int k, int count) const {
        packet<T> p;
        if (count > 0) p = x.load(batch_, base_, row_, k, count);
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) {
            if (j >= count) p.v[j] = T(0);
        }
        return p;
    }
    template <class Block>
    FELT_HOST_DEVICE void fetch_packets(Block& block, X const& x, T* tile, int from, int end) {
        FELT_UNROLL
        for (int i = 0; i < packets; ++i) {
            spot const at = spot_of<true>(i);
            T* const to = tile + place(at);
            // Addresses are also found where nothing is.
            auto const x0 = only_if(left_ > 0 && from + at.depth < end, find(x, from + at.depth));
            if (x0.inside || x0.fill == T(0)) {
                block.copy_packet(to, x0.data, x0.inside);
            } else {
                store_packet(to, {{x0.fill, x0.fill, x0.fill, x0.fill}});
            }
        }
    }
    template <class Block>
    FELT_HOST_DEVICE void fetch_steps(Block& block, X const& x, T* tile, int from, int end) {
        int const step = x.term.template apart<0>(x.other.step());
        FELT_UNROLL
        for (int i = 0; i < packets; ++i) {
            spot const at = spot_of<false>(i);
            int const count = left_ > 0 ? end - from - at.depth : 0;
            auto const x0 = find(x, from + at.depth);
            FELT_UNROLL
            for (int j = 0; j < packet_size; ++j) {
                put(block, tile + place(at) + j * pitch,
                    only_if(j < count, {x0.data + j * step, x0.inside, x0.fill}));
            }
        }
    }
    FELT_HOST_DEVICE static source<T> only_if(bool there, source<T> const& from) {
        return {from.data, there && from.inside, there ? from.fill : T(0)};
    }
    // Term k of the first neighbour.
    FELT_HOST_DEVICE source<T> find(X const& x, int k) const {
        return x.term.template find<0>((base_ + x.other.at(k)).v);
    }
    template <class Block>
    FELT_HOST_DEVICE void copy_each(Block& block, X const& x, int k, int count, T* to) const {
        auto const far = x.along_rows ? 1 : pitch;
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) {
            source<T> from{x.term.data_of(), false, T(0)};
            if (j < count) from = x.term.template find<0>(x.place(batch_, base_, row_, k, j).v);
            put(block, to + j * far, from);
        }
    }
    template <class Block>
    FELT_HOST_DEVICE void put(Block& block, T* to, source<T> const& from) const {
        if (from.inside || from.fill == T(0)) block.copy_value(to, from.data, from.inside);
        else *to = from.fill;
    }

    int thread_, row_, left_, batch_;  // the thread's row, and how many rows there are from it on
    numbers<X::F> base_;               // what batch and row add
    packet<T> held_[copied ? 1 : packets];
};

}  // namespace felt::inline FELT_ABI::device

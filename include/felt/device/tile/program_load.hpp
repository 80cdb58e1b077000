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

public:
    static constexpr int pitch = Rows + Padding;  // between rows of the tile in shared memory
    static constexpr int size = Depth * pitch;

    // Of rows from position `first` on, of `end` rows (or groups of them).
    FELT_HOST_DEVICE loader(X const& x, int thread, int batch, int first, int end)
        : thread_(thread), first_row_(first), end_row_(end), batch_(batch) {
        FELT_UNROLL
        for (int i = 0; i < packets; ++i) {
            int const r = first + row(x, i);
            base_[i] = x.start(batch) + x.at_row(number(r) < end ? r : 0);
        }
    }

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
            int const r = first_row_ + row(x, i), k = from + depth(x, i);
            int const rows = X::run == 1 ? packet_size : end_row_ - number(r);
            int const inside = x.along_rows ? rows : end - k;
            int const count = number(r) < end_row_ && k < end ? inside : 0;
            if constexpr (copied) copy_each(block, x, i, r, k, count, tile + place(x, i));
            else held_[i] = computed(x, i, r, k, count);
        }
    }
    FELT_HOST_DEVICE void store(X const& x, T* tile) const {
        if constexpr (!copied) {
            FELT_UNROLL
            for (int i = 0; i < packets; ++i) {
                T* const to = tile + place(x, i);
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
    FELT_HOST_DEVICE int row(X const& x, int i) const {
        int const n = thread_ + i * Threads;
        return x.along_rows ? n % (Rows / packet_size) * packet_size : n / (Depth / packet_size);
    }
    FELT_HOST_DEVICE int depth(X const& x, int i) const {
        int const n = thread_ + i * Threads;
        return x.along_rows ? n / (Rows / packet_size) : n % (Depth / packet_size) * packet_size;
    }
    FELT_HOST_DEVICE int place(X const& x, int i) const { return depth(x, i) * pitch + row(x, i); }

    FELT_HOST_DEVICE packet<T> computed(X const& x, int i, int r, int k, int count) const {
        packet<T> p;
        if (count > 0) p = x.load(batch_, base_[i], r, k, count);
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
            int const n = thread_ + i * Threads;
            int const row = n % (Rows / packet_size) * packet_size, d = n / (Rows / packet_size);
            T* const to = tile + d * pitch + row;
            source<T> x0{x.term.data_of(), false, T(0)};
            if (number(first_row_ + row) < end_row_ && from + d < end) x0 = find(x, i, from + d);
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
            int const n = thread_ + i * Threads;
            int const row = n / (Depth / packet_size), d = n % (Depth / packet_size) * packet_size;
            int const count = number(first_row_ + row) < end_row_ ? end - from - d : 0;
            source<T> x0{x.term.data_of(), false, T(0)};
            if (count > 0) x0 = find(x, i, from + d);
            FELT_UNROLL
            for (int j = 0; j < packet_size; ++j) {
                bool const there = x0.inside && j < count;
                put(block, tile + (d + j) * pitch + row,
                    {there ? x0.data + j * step : x0.data, there, j < count ? x0.fill : T(0)});
            }
        }
    }
    // Term k of the first neighbour of packet i.
    FELT_HOST_DEVICE source<T> find(X const& x, int i, int k) const {
        return x.term.template find<0>((base_[i] + x.other.at(k)).v);
    }
    template <class Block>
    FELT_HOST_DEVICE void copy_each(Block& block, X const& x, int i, int r, int k, int count,
                                    T* to) const {
        auto const far = x.along_rows ? 1 : pitch;
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) {
            source<T> from{x.term.data_of(), false, T(0)};
            if (j < count) from = x.term.template find<0>(x.place(batch_, base_[i], r, k, j).v);
            put(block, to + j * far, from);
        }
    }
    template <class Block>
    FELT_HOST_DEVICE void put(Block& block, T* to, source<T> const& from) const {
        if (from.inside || from.fill == T(0)) block.copy_value(to, from.data, from.inside);
        else *to = from.fill;
    }

    int thread_, first_row_, end_row_, batch_;
    numbers<X::F> base_[packets];
    packet<T> held_[copied ? 1 : packets];
};

}  // namespace felt::inline FELT_ABI::device

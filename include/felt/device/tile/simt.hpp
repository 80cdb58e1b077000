// SPDX-License-Identifier: BSD-3-Clause
//
// The products of a tile by each thread's own multiplications: TM x TN sums a thread, in blocks of
// four rows and four columns, which it reads from shared memory at once.
#pragma once
#include <felt/device/packet.hpp>

namespace felt::inline FELT_ABI::device {

template <class Value, int BM, int BN, int BK, int TM, int TN>
struct simt {
    using T = Value;
    static constexpr int rows = BM, columns = BN, depth = BK;
    static constexpr int own_rows = TM, own_columns = TN;
    static constexpr int across = BN / TN;  // threads
    static constexpr int threads = BM / TM * across;
    static constexpr int stages = 2, padding = 4;
    // With operands of so many, two blocks fit, and one.
    static constexpr int numbers_at_two = 6, numbers_at_one = 16;

    struct sums {
        T v[TM][TN];

        FELT_HOST_DEVICE T& at(int i, int j) { return v[i][j]; }
    };

    // Rows in fours lie one after the other. So do columns, unless a thread's blocks of four
    // columns are four: then each block is a member, and neighbours stay neighbours.
    static constexpr int row_run = 1, column_run = TN == 16 ? BN / 4 : 1;
    FELT_HOST_DEVICE static int row_of_group(int i, int member) { return i * 4 + member; }
    FELT_HOST_DEVICE static int column_of_group(int j, int member) {
        return TN == 16 ? member * 4 + j : j * 4 + member;
    }

    // Which row and column of the tile sum (i, j) of a thread belongs to.
    FELT_HOST_DEVICE static int row(int thread, int i) {
        return i / 4 * (4 * (BM / TM)) + thread / across * 4 + i % 4;
    }
    FELT_HOST_DEVICE static int column(int thread, int j) {
        return j / 4 * (4 * across) + thread % across * 4 + j % 4;
    }

    // a: (depth x rows), b: (depth x columns), with pitches of their own.
    template <class Block>
    FELT_HOST_DEVICE static void multiply(Block&, int thread, T const* a, int pitch_a, T const* b,
                                          int pitch_b, sums& c) {
        FELT_UNROLL
        for (int k = 0; k < BK; ++k) {
            T x[TM], y[TN];
            FELT_UNROLL
            for (int i = 0; i < TM; i += 4) read(x + i, a + k * pitch_a + row(thread, i));
            FELT_UNROLL
            for (int j = 0; j < TN; j += 4) read(y + j, b + k * pitch_b + column(thread, j));
            FELT_UNROLL
            for (int i = 0; i < TM; ++i) {
                FELT_UNROLL
                for (int j = 0; j < TN; ++j) c.v[i][j] += x[i] * y[j];
            }
        }
    }

private:
    FELT_HOST_DEVICE static void read(T* to, T const* from) {
        auto const p = load_packet(from);
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) to[j] = p.v[j];
    }
};

}  // namespace felt::inline FELT_ABI::device

// SPDX-License-Identifier: BSD-3-Clause
//
// The products of a tile by tensor cores: WM x WN sums a warp. Exact<Atom> splits each float in two
// of the atom's numbers and leaves out only the product of the two remainders. (Ootomo and Yokota,
// "Recovering single precision accuracy from Tensor Cores", 2022.)
#pragma once
#include <felt/device/tile/mma_atoms.hpp>

namespace felt::inline FELT_ABI::device {

template <class Atom, bool Exact, int BM, int BN, int BK, int WM, int WN, int Stages>
struct mma {
    using T = float;
    static constexpr int rows = BM, columns = BN, depth = BK, stages = Stages;
    static constexpr int padding = 8;  // so that the lanes of a fragment fall into 32 banks
    static constexpr int down = BM / WM, threads = 32 * down * (BN / WN);
    static constexpr int MT = WM / 16, NT = WN / 8;  // fragments of a warp
    static constexpr int numbers_at_two = Exact ? 0 : 2, numbers_at_one = 16;
    static constexpr int own_rows = 2 * MT, own_columns = 2 * NT;

    struct sums {
        float v[MT][NT][4];

        FELT_HOST_DEVICE float& at(int i, int j) { return v[i / 2][j / 2][i % 2 * 2 + j % 2]; }
    };
    FELT_HOST_DEVICE static int row(int thread, int i) {
        return thread / 32 % down * WM + i / 2 * 16 + i % 2 * 8 + thread % 32 / 4;
    }
    FELT_HOST_DEVICE static int column(int thread, int j) {
        return thread / 32 / down * WN + j / 2 * 8 + thread % 4 * 2 + j % 2;
    }

    // A thread's rows are 8 apart; its columns come in twos that are 8 apart.
    static constexpr int row_run = 8, column_run = 8;
    FELT_HOST_DEVICE static int row_of_group(int i, int member) { return i * 4 + member; }
    FELT_HOST_DEVICE static int column_of_group(int j, int member) {
        return j / 2 * 8 + member * 2 + j % 2;
    }

    template <class Block>
    FELT_HOST_DEVICE static void multiply(Block& block, int thread, float const* a, int pitch_a,
                                          float const* b, int pitch_b, sums& c) {
        int const g = thread % 32 / 4, t = thread % 4;
        float const* const x = a + t * pitch_a + thread / 32 % down * WM + g;
        float const* const y = b + t * pitch_b + thread / 32 / down * WN + g;
        FELT_UNROLL
        for (int k = 0; k < BK; k += Atom::depth) {
            fragments big;
            big.read(x + k * pitch_a, pitch_a, y + k * pitch_b, pitch_b);
            if constexpr (Exact) {
                fragments small;
                small.read_rest(x + k * pitch_a, pitch_a, y + k * pitch_b, pitch_b);
                block.template mma<Atom>(c.v, small.a, big.b);
                block.template mma<Atom>(c.v, big.a, small.b);
            }
            block.template mma<Atom>(c.v, big.a, big.b);
        }
    }

private:
    static constexpr int step = Atom::depth / 2;  // terms between the words of a lane

    struct fragments {
        std::uint32_t a[MT][4], b[NT][2];

        template <class F>
        FELT_HOST_DEVICE void each(float const* x, int pitch_a, float const* y, int pitch_b,
                                   F const& word) {
            FELT_UNROLL
            for (int i = 0; i < MT; ++i) {
                FELT_UNROLL
                for (int r = 0; r < 4; ++r) {
                    a[i][r] = word(x + r / 2 * step * pitch_a + i * 16 + r % 2 * 8, pitch_a);
                }
            }
            FELT_UNROLL
            for (int j = 0; j < NT; ++j) {
                FELT_UNROLL
                for (int r = 0; r < 2; ++r) b[j][r] = word(y + r * step * pitch_b + j * 8, pitch_b);
            }
        }
        FELT_HOST_DEVICE void read(float const* x, int pitch_a, float const* y, int pitch_b) {
            each(x, pitch_a, y, pitch_b,
                 [](float const* from, int pitch) { return Atom::word(from, pitch); });
        }
        // What the words above leave of each number.
        FELT_HOST_DEVICE void read_rest(float const* x, int pitch_a, float const* y, int pitch_b) {
            each(x, pitch_a, y, pitch_b, [](float const* from, int) {
                return Atom::word(*from - float_of(Atom::word(*from)));
            });
        }
    };
};

}  // namespace felt::inline FELT_ABI::device

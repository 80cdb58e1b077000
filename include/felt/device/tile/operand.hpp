// SPDX-License-Identifier: BSD-3-Clause
//
// An operand of the tile program, or its epilogue: a term whose numbers are parted into what the
// batch, what the row and what the other index (the column, or the place in the sum) add to them.
#pragma once
#include <felt/device/loops.hpp>
#include <felt/device/tile/term_forms.hpp>

namespace felt::inline FELT_ABI::device {

template <int F>
struct numbers {
    int v[F];

    FELT_HOST_DEVICE numbers operator+(numbers const& x) const {
        numbers to;
        FELT_UNROLL
        for (int f = 0; f < F; ++f) to.v[f] = v[f] + x.v[f];
        return to;
    }
};

// A number that runs over at most N loops: its digits, and what each adds to F numbers.
template <int N, int F>
struct index_steps {
    loops<N> digits;
    int by[N][F];

    FELT_HOST_DEVICE numbers<F> at(int number) const {
        auto const digit = digits(number);
        numbers<F> to;
        FELT_UNROLL
        for (int f = 0; f < F; ++f) {
            to.v[f] = 0;
            FELT_UNROLL
            for (int r = 0; r < N; ++r) to.v[f] += digit[static_cast<std::size_t>(r)] * by[r][f];
        }
        return to;
    }
    // Of the digit that runs fastest.
    FELT_HOST_DEVICE int const (&step() const)[F] { return by[N - 1]; }
};

// Rows may come in fours, which one thread has the sums of: the windows of a pool, the gates of a
// recurrent layer. Then position p of a tile is a member of a group, and neighbours in groups of
// Run are the same member of different groups.
inline constexpr int group_size = 4;

template <int Run>
FELT_HOST_DEVICE int group_at(int p) {
    if constexpr (Run == 0) return p;
    else return p / (group_size * Run) * Run + p % Run;
}

// Whether neighbours pass the registers by.
template <class Term>
inline constexpr bool is_copied = false;
template <class T>
inline constexpr bool is_copied<leaf_term<T>> = sizeof(T) == 4 || sizeof(T) == 8;
template <class T, int Checked>
inline constexpr bool is_copied<window_term<leaf_term<T>, Checked>> = is_copied<leaf_term<T>>;

// How neighbours that lie in memory as they are needed come to a tile: as packets along the rows,
// in equal steps of memory along the other index, or each by itself.
enum class neighbour_order { packets, steps, each };

template <class Term, int R, int S, int Run = 0>
struct operand {
    using value_type = typename Term::value_type;
    static constexpr int run = Run;
    static constexpr int F = Term::numbers == 0 ? 1 : Term::numbers;

    Term term;
    numbers<F> begin;
    index_steps<R, F> batch, row;
    index_steps<S, F> other;
    int member[Run == 0 ? 1 : group_size][F];  // what a member of a group adds
    bool along_rows;                           // neighbours lie so, else along the other index
    bool whole;                                // no neighbours straddle two digits
    neighbour_order order = neighbour_order::each;

    FELT_HOST_DEVICE numbers<F> start(int number) const { return begin + batch.at(number); }

    // What the row at position p adds.
    FELT_HOST_DEVICE numbers<F> at_row(int p) const {
        auto n = row.at(group_at<Run>(p));
        if constexpr (Run != 0) {
            FELT_UNROLL
            for (int f = 0; f < F; ++f) n.v[f] += member[p / Run % group_size][f];
        }
        return n;
    }
    // What neighbours add to the numbers.
    FELT_HOST_DEVICE int const (&step() const)[F] { return along_rows ? row.step() : other.step(); }
    // Where neighbour j of (r, k) in batch b is. `base`: what the batch and row r add.
    FELT_HOST_DEVICE numbers<F> place(int b, numbers<F> const& base, int r, int k, int j) const {
        if (!whole) {
            return along_rows ? start(b) + at_row(r + j) + other.at(k) : base + other.at(k + j);
        }
        auto n = base + other.at(k);
        FELT_UNROLL
        for (int f = 0; f < F; ++f) n.v[f] += j * step()[f];
        return n;
    }

    // The neighbours from (r, k) on, of which `count` exist.
    FELT_HOST_DEVICE packet<value_type> load(int b, numbers<F> const& base, int r, int k,
                                             int count) const {
        if (whole) {
            auto const n = base + other.at(k);
            return term.template load<0>(n.v, step(), count);
        }
        packet<value_type> p;
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) {
            p.v[j] = value_type(0);
            if (j >= count) continue;
            p.v[j] = term.template value<0>(place(b, base, r, k, j).v, no_sum{});
        }
        return p;
    }
};

}  // namespace felt::inline FELT_ABI::device

// SPDX-License-Identifier: BSD-3-Clause
//
// How a contraction is computed, as a value: which of its labels are the rows (M), the columns (N)
// and the terms (K) of a matrix product, and how its loops are blocked for the caches.
#pragma once
#include <felt/plan/box.hpp>
#include <felt/plan/short_list.hpp>
#include <felt/plan/special_case.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

// Labels of a contraction, outermost first.
struct label_list {
    label_id label[max_axes] = {};
    int count = 0;

    label_id const* begin() const { return label; }
    label_id const* end() const { return label + count; }
    label_id operator[](int i) const { return label[i]; }
    label_id last() const { return count > 0 ? label[count - 1] : label_id(); }
    bool has(label_id l) const { return std::find(begin(), end(), l) != end(); }
    void add(label_id l) { label[count++] = l; }
    // l moves to the end, if it is one of them.
    void put_last(label_id l) {
        label_id* const at = std::find(label, label + count, l);
        if (at != end()) std::rotate(at, at + 1, label + count);
    }
    // The product of these labels' extents.
    index_t points(index_t const* extent) const {
        index_t n = 1;
        for (label_id l : *this) n *= extent[l];
        return n;
    }
};

// How the labels divide. The last column is contiguous in the product's scratch. The shared label
// of a block-diagonal operand (block_diagonal.hpp) is in none of the lists.
struct contraction_axes {
    label_list batch, m, n, k;
};

// An axis along which the left operand is 0 between or beyond elements (zero_terms.hpp).
struct zero_axis {
    label_id row, term;
    index_t offset = 0, by_row = 0, by_term = 0, apart = 1, extent = 0;
    bool by_term_alone = false;  // strips go along its rows: each of its terms has its own

    // Whether term t of row i is an element,
    bool meets(index_t i, index_t t) const {
        index_t const at = offset + by_row * i + by_term * t;
        return at >= 0 && at % apart == 0 && at / apart < extent;
    }
    // or would be one if there were more.
    bool is_whole(index_t i, index_t t) const {
        return (offset + by_row * i + by_term * t) % apart == 0;
    }
};
using zero_axes = short_list<zero_axis, 3>;  // of images and volumes; others are not made use of

// How products that are convolutions can be computed faster (2_orientation/fast_convolution.hpp):
// from tiles of side x side elements, by so many products of numbers for each channel.
struct convolution_algorithm : special_case {
    int side, points;
    int least_taps, most_taps;
    double transforms;  // what they take, in those of Winograd's

    bool suits(index_t taps) const { return taps >= least_taps && taps <= most_taps; }
    int results(index_t taps) const { return side + 1 - static_cast<int>(taps); }
};
inline constexpr convolution_algorithm winograd_2{
    {"Winograd F(2 x 2, 3 x 3)",
     "a convolution by 3 x 3 filters is expected to take less than 0.9 of its products' time", 1.4,
     "convolution_ways/3x3"},
    4,
    16,
    3,
    3,
    1};
inline constexpr convolution_algorithm winograd_4{
    {"Winograd F(4 x 4, 3 x 3)",
     "a convolution by 3 x 3 filters is expected to take less than 0.9 of its products' time", 2.3,
     "convolution_ways/3x3"},
    6,
    36,
    3,
    3,
    1};
inline constexpr convolution_algorithm fft_16{
    {"FFT of 16 x 16",
     "a convolution by 4 x 4 to 9 x 9 filters is expected to take less than 0.9 of its products' "
     "time",
     2.0, "convolution_ways/5x5"},
    16,
    382,
    4,
    9,
    1.6};

// An axis of images along which filters have so many taps: element offset + row + term is one if it
// is 0 .. extent - 1. Where terms are reversed the first of them is the last tap.
struct image_axis {
    label_id row, term;
    index_t offset = 0, extent = 0;
    int taps = 0;
    bool reversed = false;
};
struct convolution_schedule {
    convolution_algorithm const* by = nullptr;  // null: as a product
    image_axis along[2] = {};
    label_id channel;
    index_t tiles = 0;  // at a time
};

// A type that holds all values of an operand, which are computed with as wider numbers.
enum class narrow_type : unsigned char { none, bfloat16, int8, uint8 };

inline constexpr index_t all_terms = index_t{1} << 40;

// The numbers of BLIS: mc rows, nc columns and kc terms are packed at a time.
struct product_schedule {
    contraction_axes axes;
    int rows_from = 0;  // the operand that gives the rows: 0 or 1
    index_t mc = 0, nc = 0, kc = 0;
    index_t k_step[max_axes] = {};   // of each shared label: how much of it is in kc
    index_t most_terms = all_terms;  // for kc
    bool direct = false;             // at the root: written straight to the destination
    bool left_in_place = false, right_in_place = false;  // operands that are not packed
    bool left_boxed = false;       // the left one lies in a box of scratch, which is made ready
    bool left_bordered = false;    // it lies in memory, but for what is beyond its border
    unsigned boxed_whole = 0;      // for all of these shared labels, a bit each
    int rows_apart = 0;            // so many row labels, the outermost, are gone through one by one
    zero_axes zeros;               // of its left operand
    bool streams_right = false;    // of few rows: the right operand is streamed as it lies
    bool computes_left = false;    // rows of the left operand are computed, not packed
    bool carries_softmax = false;  // they are scores, and become weights
    // What the factors are, where the processor multiplies several of their terms at a time.
    narrow_type factor[2] = {narrow_type::none, narrow_type::none};
    convolution_schedule fast;

    // The side of the matrix product that an operand is on.
    bool is_left(int operand) const { return operand == rows_from; }
    bool multiplies_words() const { return factor[0] != narrow_type::none; }
};

}  // namespace felt::inline FELT_ABI::planning

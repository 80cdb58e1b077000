// SPDX-License-Identifier: BSD-3-Clause
//
// Every constant of the machine and of the cost model, with the arithmetic or the benchmark that
// gave it. Where neither is named it is a choice. tests/plan/constants.cpp holds how they hang
// together.
#pragma once
#include <felt/core/extents.hpp>

namespace felt::inline FELT_ABI::planning {

// The machine that the numbers below are of: a core of about 4 GHz with AVX-512, of which the
// caches hold this much. The last one is a core's share.
inline constexpr double first_cache = 32e3, second_cache = 1e6, last_cache = 8e6;
inline constexpr index_t page = 4096;  // rows so far apart fall into the same few sets of a cache

// ---- Scratch ----

// Of one thread, in bytes, whatever the extents are: as much for boxes as for packed operands
// (pack_bytes).
inline constexpr index_t scratch_limit = index_t{2} << 20;

// Values that are computed first and are no larger do not count as intermediates: an eighth of what
// every statement may have in scratch.
inline constexpr index_t uncounted_bytes = scratch_limit / 8;

// Elements of transposed or scattered leaves wait near the first cache, as values of invariants do.
inline constexpr index_t staging_limit = index_t{64} << 10;
inline constexpr index_t most_kept_bytes = staging_limit;

// A row of at most so many elements that all others repeat is read as so many elements at most: 4
// KiB of float, which stay in the first cache.
inline constexpr index_t repeated_row = 64, repeated_elements = 1024;

// Tiles without products shrink until what they need is no more than this, an eighth of the second
// cache: a box takes as long to begin as 2 KiB of it to be read. (16384 rows of 1024 standardised:
// 32 KiB 12.1 ms, 128 KiB 7.1, 256 KiB 7.4.)
inline constexpr index_t tile_bytes = index_t{128} << 10;

// ---- Vectors ----

// Loops too short for this leave lanes empty: the floats of a register of 512 bits.
inline constexpr index_t full_lanes = 16;

// A loop is cut along lanes in steps of four registers, and to no less.
inline constexpr index_t lane_step = 4 * full_lanes;

// Where nothing forces them to be shorter, pieces of rows are no shorter than this: to begin a row
// (row_start) then takes less than an operation for each element.
inline constexpr index_t long_piece = 512;

// Registers serve elements that are one value, contiguous, backwards or up to so far apart.
inline constexpr index_t widest_step = 4;

// ---- Products: BLIS's blocking for the caches above ----

// Rows (mc) x shared terms (kc) of the left operand and columns (nc) x kc of the right one are
// taken at a time. kc nc: half of a second cache of 2 MiB, which is a whole one of 1 MiB that rows
// pass through; mc is 12 tiles of 14 rows. A shorter kc costs a pass over the results for every
// piece. (Van Zee and van de Geijn, BLIS: A Framework for Rapidly Instantiating BLAS
// Functionality.)
inline constexpr index_t most_mc = 168, most_nc = 768, most_kc = 256;
inline constexpr index_t pack_bytes = index_t{1} << 20;

// With one row nothing is used again, and long runs are what memory likes. (2 x 60483 by 60483 x
// 2000: streamed row by row 42 ms, in tiles 25.) A right operand that lies along the terms would
// have to be transposed: fewer rows than lanes are dot products with it, a row for so many terms,
// for lanes are added up at the end. (8 x 2048 by 2048 x 26752: 49 ms, by dot products 25.)
inline constexpr index_t few_rows = 1, terms_of_few_rows = 16 * most_kc;
inline constexpr index_t few_dot_rows = 15, terms_of_a_dot_row = 64, any_dot_rows = 2;
// Columns so narrow that there is room for more terms; more than a page of them gives nothing.
inline constexpr index_t most_term_bytes = page;

// Rows of scores that become weights of a product are no longer than this: mc of them, and what
// they are computed from, then are 700 KB, which the second cache holds. (Attention of 4096 keys by
// 64: 48 ms; twice as long 54; half as long 50.)
inline constexpr index_t score_bytes = 2048;

// Rows and columns of the largest tile of a micro-kernel, to which packed operands are rounded up.
inline constexpr index_t most_mr = 32, most_nr = 64;

// Rows of an operand that is computed and would lie half a page apart, or several, lie that far
// from each other's ends: one line of a cache, so that they do not fall into the same sets. Others
// follow each other, and are computed as one where their operands do. (1600 rows of 64, x - row,
// times 8 columns: 85 us apart, 66 together.)
inline constexpr index_t row_padding = 16;

// An operand whose rows are a page apart is packed if more than so many rows or columns of the
// other one read it: to pack it takes a pass over it, and each strip of rows or columns another
// one.
inline constexpr index_t many_rows = 256, many_columns = 32;

// Padded images are read where they lie, and each term of a filter's rows takes strips of its own,
// where more than this share of their terms is zeros; `terms` terms that are added together take
// zeros_for_strips / terms of them to pay for the strips. (Results of benchmarks/convolve,
// "Convolutions of padded images".) Other strips go along rows of memory, no shorter than this.
inline constexpr double least_zeros = 0.01, zeros_for_strips = 9;
inline constexpr index_t least_rows_of_strip = full_lanes;

// What a product computes in vain beside its rows and columns: it takes about 1 + 8 / rows + 16 /
// columns of the time of a large one, half a tile each.
inline constexpr double idle_rows = 8, idle_columns = 16;

// One element transposed takes as long as so many terms of a product: price.staged / price.terms
// is 8.
inline constexpr double terms_per_element = 10;
// Fewer columns than these do not get a product of windows turned.
inline constexpr index_t least_turned_lanes = full_lanes / 2;
// One that is copied within its row, in elements transposed.
inline constexpr double row_copied = 0.3;
// One of windows that is packed. (256 digits by 8 filters of 9 x 9: packed 8 to 9 ms, where half of
// the lanes are empty instead 3.7.)
inline constexpr double window_packed = 1.6;
// With fewer columns than this a tile's are partly empty.
inline constexpr double turned_columns = 32;
// Products of fewer rows times terms do not pay for turning their operands.
inline constexpr double turned_terms = 1 << 16;

// Values wanted across lanes of fewer columns are read across them: then functions run along rows.
inline constexpr index_t short_lanes = 64;

// A product whose operands are computed takes no fewer shared terms than this at a time.
inline constexpr index_t least_terms = 64;

// Packing anew for each strip of a pass is paid for by so many columns of a product.
inline constexpr index_t least_strip_columns = 512;

// ---- Convolutions by transforms ----

// Nanoseconds for a transformed element of filters, of images and of results, what these take more
// where the last cache does not hold them, and what it takes to begin and store a product's result,
// in terms; fitted to 42 layers (benchmarks/convolution_ways). Fewer channels or columns than lanes
// leave these empty.
inline constexpr double price_of_filter = 0.2, price_of_image = 0.25;
inline constexpr double price_of_far_filter = 0.8, price_of_far_image = 0.2;
inline constexpr double terms_per_result = 6;
inline constexpr index_t least_channels = full_lanes;
// It must be expected to take less than this share of the time of the products as they are.
inline constexpr double fast_convolution_margin = 0.9;
// Tiles at a time: two strips of rows, or one where their values, images' and results', are more
// bytes than this. (64 channels of 56 x 56: 28 tiles of 4 x 4 14.1 ms, 392 tiles 16.2.)
inline constexpr index_t most_tiles = 28, least_tiles = 14, tiles_bytes = index_t{4} << 20;

// ---- Orientation ----

// Leaves vote for lanes with their bytes, and the destination with one and a half of its own, which
// are read before they are written but where stores go past the caches. The lanes that suit a
// reader win among equals: its vote is less than that of an element.
inline constexpr double destination_votes = 1.5, reader_votes = 0.5;

// Other lanes than the voted ones must move less than this share of the elements: how far apart
// they lie is not counted.
inline constexpr double better_lanes = 0.7;

// ---- Blocks ----

// The margins by which a candidate must win. Among equal works a loop that is cut stands outside
// of those that are whole (1.0001), a longer loop is cut (1e-3 / length), and one along which
// something was reduced stays whole (1e-2), so that a row is read once.
inline constexpr double order_margin = 1.0001, equal_work = 0.99999;
inline constexpr double longer_loop = 1e-3, reduced_loop = 1e-2;

// Blocks that fit may shrink on to fit a nearer cache as long as that adds no more than this to the
// work, or this where they are read from memory again and again.
inline constexpr double shrinking = 1.005, shrinking_from_memory = 1.02;

// Shorter blocks that let equal nodes share their boxes may take so much more work: sharing moves
// less.
inline constexpr double most_for_sharing = 1.3;

// The tiles of a product in scratch are too small if they are so much less full than of the whole.
inline constexpr double tiles_too_small = 1.1;

// What it takes to begin a row, in operations on an element: price.rows / price.operations is 300.
inline constexpr double row_start = 400;

// Functions of numbers take so many times the time of functions of a batch, by the element: the
// floats of a register. A scan along its lanes waits as long for the element before.
inline constexpr double by_element = 16;

// A value that is loaded instead of computed, in vector instructions by the element: price.points /
// price.operations.
inline constexpr double load_cost = 2;

// What is computed more often is computed first, as a whole (rule 4 of docs/04).
inline constexpr double most_times = 1.5;

// A plan that computes more first must be expected to take less than this share of the time, for
// the estimate is rough (benchmarks/never_slower). Statements of fewer nanoseconds or operations
// are not worth another plan, which takes as long (benchmarks/planning).
inline constexpr double better_plan = 0.85, small_time = 20e3, tiny_work = 1e5;

// Rounding is carried where more sums than this meet in a result: 128 additions of float are off by
// less than 128 * 2^-24 = 1e-5 of the sum of the absolute values.
inline constexpr index_t few_sums = 128;

// ---- Prices ----

// What a schedule does, counted, and what that takes.
struct work_counts {
    double operations = 0;  // vector instructions, by the element of a float
    double by_element = 0;  // operations of functions of numbers
    double points = 0;      // elements loaded or stored in a cache
    double packed = 0;      // elements packed
    double staged = 0;      // elements transposed on the way in
    double rows = 0;        // rows begun
    double boxes = 0;       // boxes asked for
    double products = 0;    // products begun
    double terms = 0;       // multiplications with their additions
    double near_bytes = 0;  // bytes moved between a cache and the next one
    double far_bytes = 0;   // bytes moved to or from memory

    work_counts& operator+=(work_counts const& o);
    work_counts operator*(double n) const;
    double nanoseconds() const;
};

namespace detail {

inline constexpr double work_counts::* counted[] = {
    &work_counts::operations, &work_counts::by_element, &work_counts::points,
    &work_counts::packed,     &work_counts::staged,     &work_counts::rows,
    &work_counts::boxes,      &work_counts::products,   &work_counts::terms,
    &work_counts::near_bytes, &work_counts::far_bytes};

}  // namespace detail

// Nanoseconds of one core of the machine above, fitted to the times of benchmarks/never_slower;
// what counts are their ratios.
inline constexpr work_counts price{.operations = 0.02,
                                   .by_element = 1.0,
                                   .points = 0.035,
                                   .packed = 0.2,
                                   .staged = 0.15,
                                   .rows = 6,
                                   .boxes = 300,
                                   .products = 250,
                                   .terms = 0.018,
                                   .near_bytes = 0.025,
                                   .far_bytes = 0.075};

inline work_counts& work_counts::operator+=(work_counts const& o) {
    for (auto const member : detail::counted) this->*member += o.*member;
    return *this;
}
inline work_counts work_counts::operator*(double n) const {
    work_counts c;
    for (auto const member : detail::counted) c.*member = this->*member * n;
    return c;
}
inline double work_counts::nanoseconds() const {
    double sum = 0;
    for (auto const member : detail::counted) sum += this->*member * price.*member;
    return sum;
}

// ---- Common sub-expressions ----

// Rows in scratch shorter than this cost more than they spare; a longer one need not be whole.
inline constexpr index_t short_row = 64, long_row = 512;
// Cheaper functions, in operations by the element, are shared only where their values are in a
// cache anyway.
inline constexpr double shared_cost = 24;
inline constexpr index_t shared_in_cache = index_t{1} << 20;

// ---- Destinations ----

// Results larger than this leave the last cache anyway, whoever shares it: they are written past
// the caches (benchmarks/stream).
inline constexpr index_t streaming_limit = index_t{32} << 20;

// Bytes of a row of squares of blocks; narrow ones where rows meet in few sets of a cache.
inline constexpr index_t mirrored_bytes = 1024, mirrored_in_few_sets = 512;

// ---- Tasks and parts ----

// Operations that are worth a task: 5 us at price.operations.
inline constexpr index_t part_work = index_t{1} << 18;
// A task has no fewer elements than this if they are cheap: 128 KiB of float.
inline constexpr index_t task_elements = 32768;
// Lanes of a task: of rows of memory that are reduced, and no fewer where that makes few tasks; of
// others. (16384 rows of 1000 standardised by columns, two threads: 12 ms by 1024, by 512 6.5.)
inline constexpr index_t reduced_task_lanes = 1024, least_reduced_lanes = 512, task_lanes = 64;
// Fewer tasks do not pay for waking threads, which takes some microseconds.
inline constexpr index_t least_tasks = 4;
// So many rows are shared out as a whole, whatever the order of the loops.
inline constexpr index_t shared_rows = 64;

// Sums that grow are cut into so many parts at most, which may take so many bytes; of a sum that is
// computed first no more results, or it would be an intermediate.
inline constexpr int most_parts = 16;
inline constexpr index_t part_bytes = index_t{16} << 20, ahead_bytes = scratch_limit / 8;
// What every part does once more, or moves, may take a twentieth.
inline constexpr double part_overhead = 20;
// The terms of a part: of a product that it is worth writing and adding up, of lanes and of rows.
inline constexpr index_t product_part = 1024, lanes_part = 2048, least_row_part = 64;

// The widest strip of a pass.
inline constexpr index_t widest_strip = 4096;

}  // namespace felt::inline FELT_ABI::planning

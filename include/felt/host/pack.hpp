// SPDX-License-Identifier: BSD-3-Clause
//
// pack: an operand of a product, evaluated over a box and laid out in strips as the
// micro-kernel reads them: strip s holds, for each shared term k, `width` neighbours.
//
//     to[s * pitch + k * width + i] = x[neighbour s * width + i, term k]
//
// An operand whose lanes run along the neighbours is stored as it comes, and so are rows of terms
// in strips of one; else one whose lanes run along the shared axis goes through W x W transposes.
#pragma once
#include <felt/host/loop_nest.hpp>
#include <felt/plan/2_orientation/contraction_axes.hpp>

namespace felt::inline FELT_ABI::host {

// Which loops of a box are neighbours and which are shared terms, each in order of flattening.
struct pack_axes {
    planning::label_id const* neighbour;
    int neighbours;
    planning::label_id const* shared;
    int shareds;
};

struct strips {
    int width;        // neighbours in a strip; the last strip may have fewer
    index_t pitch;    // elements from strip to strip
    bool narrow_end;  // the last strip is stored as narrow as it is, else padded with zeros
};

namespace detail {

inline index_t extent_of(box const& b, planning::label_id const* axes, int count) {
    index_t n = 1;
    for (int i = 0; i < count; ++i) n *= b.extent(axes[i]);
    return n;
}

// b reduced to the axes given; all others stay at their first index.
inline box only(box b, box const& of, planning::label_id const* axes, int count) {
    for (int l = 0; l < b.rank; ++l) b.hi[l] = b.lo[l] + 1;
    for (int i = 0; i < count; ++i) b.hi[axes[i]] = of.hi[axes[i]];
    return b;
}

}  // namespace detail

template <class T>
class packer {
    static constexpr int W = batch_size<T>;

public:
    packer(row_source<T> const& x, loop_view const& loops, pack_axes const& axes, box const& b,
           strips to)
        : x_(x),
          loops_(loops),
          axes_(axes),
          box_(b),
          to_(to),
          count_(detail::extent_of(b, axes.neighbour, axes.neighbours)),
          terms_(detail::extent_of(b, axes.shared, axes.shareds)) {}

    void pack(T* to, arena& scratch) {
        scratch_scope const scope(scratch);
        bool const along =
            axes_.neighbours > 0 && loops_.lane == axes_.neighbour[axes_.neighbours - 1];
        bool const rows = to_.width == 1 && axes_.shareds == 1 && loops_.lane == axes_.shared[0];
        if (rows) pack_rows(to);
        else if (along) pack_along(to, scratch);
        else pack_across(to, scratch);
    }

private:
    index_t strips_count() const { return (count_ + to_.width - 1) / to_.width; }
    int width_of(index_t strip) const {
        index_t const left = count_ - strip * to_.width;
        return to_.narrow_end && left < to_.width ? static_cast<int>(left) : to_.width;
    }

    // Strips of one neighbour, whose terms are a row of the operand.
    void pack_rows(T* to) {
        index_t const lo = box_.lo[loops_.lane], hi = box_.hi[loops_.lane];
        for_each_point(box_, axes_.neighbour, axes_.neighbours, -1, [&](index_t const* at) {
            T const* const from = x_.line(at, lo, hi, to);
            if (from != to) std::copy(from, from + terms_, to);
            to += to_.pitch;
        });
    }

    // One row of neighbours for each term.
    void pack_along(T* to, arena& scratch) {
        int const lane = loops_.lane;
        index_t const lo = box_.lo[lane], run = box_.extent(lane);
        T* const room = scratch.take<T>(count_);
        index_t const* by_loop = nullptr;
        bool const lies = x_.memory(&by_loop) != nullptr && axes_.shareds > 0;
        index_t const later = lies ? 4 * by_loop[axes_.shared[axes_.shareds - 1]] : 0;
        index_t k = 0;
        for_each_point(box_, axes_.shared, axes_.shareds, -1, [&](index_t* at) {
            T const* row = nullptr;
            if (run == count_) {
                row = x_.line(at, lo, lo + run, room);
            } else {
                gather_runs(at, lo, run, room);
                row = room;
            }
            store_strips(to, k++, row, later);
        });
    }

    // Several axes of neighbours: their runs one behind the other.
    void gather_runs(index_t* at, index_t lo, index_t run, T* room) {
        for_each_point(box_, axes_.neighbour, axes_.neighbours, loops_.lane,
                       [&](index_t const* point) {
                           for (int i = 0; i < axes_.neighbours; ++i) {
                               at[axes_.neighbour[i]] = point[axes_.neighbour[i]];
                           }
                           T const* const from = x_.line(at, lo, lo + run, room);
                           if (from != room) std::copy(from, from + run, room);
                           room += run;
                       });
    }

    // A store of W lanes may run over the end of its row; the next term overwrites that, and
    // the pitch leaves room for the last. What lies `later` elements on is fetched meanwhile.
    void store_strips(T* to, index_t k, T const* row, index_t later) {
        index_t f = 0;
        for (index_t s = 0; f < count_; ++s, f += to_.width) {
            int const width = width_of(s);
            T* const p = to + s * to_.pitch + k * width;
            for (int i = 0; i < width; i += W) {
                index_t const left = count_ - f - i;
                if (left >= W) {
                    __builtin_prefetch(row + f + i + later);
                    lanes<T, W>::load(row + f + i, full{}).store(p + i, full{});
                } else if (left > 0) {
                    auto const rest = first{static_cast<int>(left)};
                    lanes<T, W>::load(row + f + i, rest).store(p + i, full{});
                } else {
                    lanes<T, W>::broadcast(T(0)).store(p + i, full{});
                }
            }
        }
    }

    // Shared labels that are one run of an operand's elements, in the operand's own order.
    struct own_run {
        int label[max_axes] = {};  // innermost first
        int labels = 0;
        index_t length = 1;
        index_t* term = nullptr;  // which shared term element j of the run is
        bool ascending = true;
    };

    // Without memory the lanes only; else all labels that go on where those before them end.
    own_run find_run(index_t const* by_loop, index_t const* weight, arena& scratch) const {
        own_run r;
        if (loops_.lane >= 0) r.label[r.labels++] = loops_.lane;
        for (int i = 0; i < r.labels; ++i) {
            r.length *= box_.extent(r.label[i]);
            if (by_loop == nullptr) break;
            for (int s = 0; s < axes_.shareds; ++s) {
                int const l = axes_.shared[s];
                bool const taken = std::find(r.label, r.label + r.labels, l) != r.label + r.labels;
                if (taken || by_loop[l] != r.length) continue;
                r.label[r.labels++] = l;
                break;
            }
        }
        r.term = scratch.take<index_t>(r.length);
        for (index_t j = 0; j < r.length; ++j) {
            index_t rest = j;
            r.term[j] = 0;
            for (int i = 0; i < r.labels; ++i) {
                index_t const n = box_.extent(r.label[i]);
                r.term[j] += rest % n * weight[r.label[i]];
                rest /= n;
            }
            r.ascending = r.ascending && r.term[j] == j;
        }
        return r;
    }

    // W neighbours at a time, each read along shared axes, then transposed.
    void pack_across(T* to, arena& scratch) {
        int const lane = loops_.lane;
        index_t const* by_loop = nullptr;
        T const* const memory = lane < 0 ? nullptr : x_.memory(&by_loop);
        index_t weight[max_axes] = {}, terms = 1;
        for (int i = axes_.shareds - 1; i >= 0; --i) {
            weight[axes_.shared[i]] = terms;
            terms *= box_.extent(axes_.shared[i]);
        }
        own_run const run = find_run(memory == nullptr ? nullptr : by_loop, weight, scratch);
        int other[max_axes], others = 0;
        for (int i = 0; i < axes_.shareds; ++i) {
            int const* const end = run.label + run.labels;
            int const l = axes_.shared[i];
            if (std::find(run.label, end, l) == end) other[others++] = l;
        }
        index_t const reach = run.length + W, lo = lane < 0 ? 0 : box_.lo[lane];
        T* const room = scratch.take<T>(W * reach);
        T const* rows[W];
        for_each_point(box_, other, others, -1, [&](index_t const* outer) {
            index_t f = 0, k = 0;
            int filled = 0;
            for (int i = 0; i < others; ++i) {
                k += weight[other[i]] * (outer[other[i]] - box_.lo[other[i]]);
            }
            index_t at[max_axes] = {};
            std::copy(outer, outer + box_.rank, at);
            for_each_point(box_, axes_.neighbour, axes_.neighbours, -1, [&](index_t const* point) {
                for (int i = 0; i < axes_.neighbours; ++i) {
                    at[axes_.neighbour[i]] = point[axes_.neighbour[i]];
                }
                rows[filled] = memory != nullptr
                                   ? memory + offset_of(by_loop, at, box_.rank)
                                   : x_.line(at, lo, lo + run.length, room + filled * reach);
                ++f;
                if (++filled == W || f % to_.width == 0 || f == count_) {
                    transpose_strip(to, k, f - filled, filled, rows, run);
                    filled = 0;
                }
            });
        });
        clear_end(to);
    }

    // rows[i][j] is neighbour f + i, term k + run.term[j]: all neighbours lie in one strip.
    void transpose_strip(T* to, index_t k, index_t f, int filled, T const* const* rows,
                         own_run const& run) {
        index_t const s = f / to_.width;
        int const width = width_of(s);
        T* const p = to + s * to_.pitch + k * width + f % to_.width;
        index_t j = 0;
        if constexpr (sizeof(T) >= 4) {
            // A store that runs over the end of its row must come before that of the next term.
            bool const within = f % to_.width + W <= width;
            bool const whole = run.ascending ? filled == W || f % to_.width == 0 : within;
            for (; j + W <= run.length; j += W) {
                xsimd::batch<T> block[W];
                for (int i = 0; i < W; ++i) {
                    block[i] = xsimd::batch<T>::load_unaligned(rows[i < filled ? i : 0] + j);
                }
                transpose<T, W>(block);
                for (int t = 0; t < W; ++t) {
                    T* const row = p + run.term[j + t] * width;
                    if (whole) block[t].store_unaligned(row);
                    else lanes<T, W>{{block[t]}}.store(row, first{filled});
                }
            }
        }
        for (; j < run.length; ++j) {
            T* const row = p + run.term[j] * width;
            for (int i = 0; i < filled; ++i) row[i] = rows[i][j];
        }
    }

    // Columns past the end are zero. Stores of whole batches ran over them.
    void clear_end(T* to) {
        index_t const s = strips_count() - 1;
        index_t const used = count_ - s * to_.width;
        int const width = width_of(s);
        for (index_t k = 0; k < terms_ && used < width; ++k) {
            T* const p = to + s * to_.pitch + k * width;
            std::fill(p + used, p + width, T(0));
        }
    }

    row_source<T> const& x_;
    loop_view loops_;
    pack_axes const& axes_;
    box const& box_;
    strips to_;
    index_t count_, terms_;
};

}  // namespace felt::inline FELT_ABI::host

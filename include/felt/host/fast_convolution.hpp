// SPDX-License-Identifier: BSD-3-Clause
//
// A product that is a convolution, by Winograd's algorithm or Fourier transforms
// (plan/2_orientation/fast_convolution.hpp): filters are transformed first, once for a statement;
// then, some tiles of images at a time, these are transformed, each point of them is a product of
// tiles x channels by channels x columns, and the points of a tile are transformed to its results.
//
// Tiles of m results begin at multiples of m in all of a statement, and read all elements that they
// are made of, so that no bit of a result depends on the box that it is computed in.
#pragma once
#include <felt/host/fft_tile.hpp>
#include <felt/host/gemm_packing.hpp>
#include <felt/host/winograd_tile.hpp>
#include <vector>

namespace felt::inline FELT_ABI::host {

// The type of values that it is taken for.
template <class T>
inline constexpr bool has_fast_convolution = std::is_same_v<T, float>;

template <class T>
class fast_convolution {
    using V = xsimd::batch<T>;
    using geometry = tile<T>;
    static constexpr int W = geometry::width, nr = geometry::nr;

public:
    fast_convolution(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]), fast_(&how_->fast) {}

    // Transforms all filters, those of the right operand; false if there is nothing left to do. The
    // scratch that they are computed in stays: where results are not finite they are asked for
    // again.
    bool make_ready(row_source<T> const& filters) {
        if (fast_->by == nullptr || env_->at(id_).filters != nullptr) return false;
        loop_view const in = inner();
        box const all = without(planning::whole_box(in.extent, in.rank), axes().m);
        gemm_packing<T> packing(*env_, id_);
        right_strips<T> const packed = packing.right(filters, all);
        auto const bytes = (points() * point_step() + nr) * static_cast<index_t>(sizeof(T));
        T* const to = static_cast<T*>(env_->buffers.take(bytes));
        env_->at(id_).filters = to;
        with_algorithm([&](auto const& by) { transform_filters(by, packed, all, to); });
        return true;
    }

    // The product over a box of results and all terms to memory. False if it was not computed, or
    // is not finite: then elements that are not have come between others.
    bool product(box const& own, strided<T> const& to, row_source<T> const& images) {
        T const* const filters = static_cast<T const*>(env_->at(id_).filters);
        if (filters == nullptr || !find_columns(own)) return false;
        find_images(own, images);
        scratch_scope const scope(env_->scratch);
        bool finite = false;
        with_algorithm([&](auto const& by) { finite = multiply(by, own, to, filters); });
        return finite;
    }

private:
    // A tile of results: its place along both axes of an image, and where that image and its
    // results begin.
    struct place {
        index_t at[2];
        T const* image;
        T* result;
    };

    planning::contraction_axes const& axes() const { return how_->axes; }
    loop_view inner() const { return env_->loops(env_->described(id_).inner); }
    index_t channels() const { return inner().extent[fast_->channel]; }
    index_t points() const { return fast_->by->points; }
    template <class F>
    void with_algorithm(F const& f) const {
        if (fast_->by == &planning::winograd_2) f(winograd_convolution<2>());
        else if (fast_->by == &planning::winograd_4) f(winograd_convolution<4>());
        else f(fft_convolution(fast_->along[0].taps, fast_->along[1].taps));
    }
    index_t strips() const {
        index_t const n = axes().n.points(inner().extent);
        return (n + nr - 1) / nr;
    }
    // From one point to the next; not a power of two, or all would fall into one set of a cache.
    index_t point_step() const { return strips() * channels() * nr + W; }

    template <class By>
    void transform_filters(By const& by, right_strips<T> const& packed, box const& all,
                           T* to) const {
        index_t stride[max_axes], tap[By::most_taps * By::most_taps];
        strides_of_packed(all, axes().k, packed.row, stride);
        int const taps = by.taps(0) * by.taps(1);
        for (int k = 0; k < taps; ++k) {
            index_t const at[2] = {k / by.taps(1), k % by.taps(1)};
            tap[k] = 0;
            for (int a = 0; a < 2; ++a) {
                planning::image_axis const& axis = fast_->along[a];
                tap[k] += stride[axis.term] * (axis.reversed ? axis.taps - 1 - at[a] : at[a]);
            }
        }
        index_t const depth = channels(), between = point_step();
        for (index_t s = 0; s < strips(); ++s) {
            for (index_t c = 0; c < depth; ++c) {
                for (int v = 0; v < nr; v += W) {
                    T const* const from =
                        packed.data + s * packed.pitch + c * stride[fast_->channel] + v;
                    T* const at = to + (s * depth + c) * nr + v;
                    V g[By::most_taps * By::most_taps], u[By::points];
                    for (int k = 0; k < taps; ++k) g[k] = V::load_unaligned(from + tap[k]);
                    by.filter(g, u);
                    for (int p = 0; p < By::points; ++p) u[p].store_unaligned(at + p * between);
                }
            }
        }
    }

    // The columns of a box are one run of all; those of the first strip may begin before them.
    bool find_columns(box const& own) {
        index_t first = 0;
        label_list const& n = axes().n;
        for (int i = 0; i < n.count; ++i) {
            index_t const all = inner().extent[n[i]];
            if (i > 0 && own.extent(n[i]) != all) return false;
            first = first * all + own.lo[n[i]];
        }
        columns_ = count(own, n);
        before_ = first % nr;
        first_strip_ = first / nr;
        return columns_ >= W;
    }

    void find_images(box const& own, row_source<T> const& images) {
        box all = own;
        for (int l = 0; l < inner().rank; ++l) all.lo[l] = 0;
        all.rank = inner().rank;
        if (how_->left_bordered) {
            planning::graph const& g = env_->p.g;
            bordered_ = {g, g.operand(id_, how_->rows_from)};
            images_ = bordered_.at(all);
        } else {
            images_ = find_in_memory(images, all);
        }
        // Of reversed terms the last one is the first tap.
        for (int a = 0; a < 2; ++a)
            images_.data -= fast_->along[a].reversed ? (fast_->along[a].taps - 1) * step_of(a) : 0;
    }

    // Where the first element of a window along an axis of images lies.
    index_t step_of(int axis) const { return images_.stride[fast_->along[axis].row]; }

    template <class By>
    bool multiply(By const& by, box const& own, strided<T> const& to, T const* filters) {
        find_tiles(by.results(0), by.results(1), own, to);
        index_t const all = static_cast<index_t>(tiles_.size()), most = fast_->tiles;
        index_t const pieces = (all + most - 1) / most, rows = (all + pieces - 1) / pieces;
        constexpr index_t pad = planning::row_padding;
        image_row_ = channels() + pad;
        result_row_ = (before_ + columns_ + nr - 1) / nr * nr + pad;
        T* const transformed = env_->scratch.template take<T>(points() * rows * image_row_);
        T* const products = env_->scratch.template take<T>(points() * rows * result_row_ + nr);
        V rest(T(0));
        for (index_t i = 0; i < all; i += rows) {
            index_t const n = std::min(rows, all - i);
            for (index_t t = 0; t < n; ++t)
                transform_image(by, tile_at(i + t), transformed + t * image_row_, n);
            multiply_points(filters, transformed, products, n);
            for (index_t t = 0; t < n; ++t)
                transform_result(by, tile_at(i + t), own, to, products + t * result_row_, n, rest);
        }
        return fold<W / 2, monoid::sum>(rest) == T(0);
    }

    place const& tile_at(index_t t) const { return tiles_[static_cast<std::size_t>(t)]; }
    void find_tiles(index_t rows, index_t across, box const& own, strided<T> const& to) {
        planning::image_axis const *y = fast_->along, *x = y + 1;
        box images = own;
        for (auto const* a : {y, x}) images.lo[a->row] = 0, images.hi[a->row] = 1;
        tiles_.clear();
        T* result = to.data;
        for (int l : axes().n) result += to.stride[l] * own.lo[l];
        for (int l : axes().batch) result += to.stride[l] * own.lo[l];
        for_each_point(images, axes().m.label, axes().m.count, -1, [&](index_t const* at) {
            place now{{}, images_.data, result};
            for (int l : axes().m) {
                now.image += images_.stride[l] * at[l];
                now.result += to.stride[l] * at[l];
            }
            index_t const first = own.lo[y->row] / rows * rows;
            for (index_t i = first; i < own.hi[y->row]; i += rows) {
                for (index_t j = own.lo[x->row] / across * across; j < own.hi[x->row];
                     j += across) {
                    now.at[0] = i, now.at[1] = j;
                    tiles_.push_back(now);
                }
            }
        });
    }

    // Elements beyond the border of an image are 0.
    template <class By>
    void transform_image(By const& by, place const& tile, T* to, index_t tiles) const {
        constexpr int S = By::side;
        T const* from[S * S];
        for (int i = 0; i < S; ++i) {
            for (int j = 0; j < S; ++j) {
                index_t const y = tile.at[0] + i, x = tile.at[1] + j;
                bool const inside = is_inside(0, y) && is_inside(1, x);
                from[i * S + j] = inside ? tile.image + y * step_of(0) + x * step_of(1) : nullptr;
            }
        }
        index_t const depth = channels(), between = tiles * image_row_;
        for (index_t c = 0; c < depth; c += W) {
            index_t const at = std::min(c, depth - W);
            V d[S * S], t[By::points];
            for (int k = 0; k < S * S; ++k)
                d[k] = from[k] != nullptr ? V::load_unaligned(from[k] + at) : V(T(0));
            by.image(d, t);
            for (int k = 0; k < By::points; ++k) t[k].store_unaligned(to + k * between + at);
        }
    }
    bool is_inside(int axis, index_t i) const {
        planning::image_axis const& a = fast_->along[axis];
        index_t const e = a.offset + i;
        return e >= 0 && e < a.extent;
    }

    void multiply_points(T const* filters, T const* images, T* products, index_t rows) {
        walk_.clear();
        int const height = row_walk::height_of(rows, geometry::mr);
        for (index_t i = 0; i < rows; i += height)
            walk_.push_back({i * image_row_, i * result_row_,
                             static_cast<int>(std::min<index_t>(height, rows - i))});
        index_t const depth = channels();
        for (index_t p = 0; p < points(); ++p) {
            left_strips<T> const left{images + p * rows * image_row_,
                                      walk_.data(),
                                      static_cast<index_t>(walk_.size()),
                                      image_row_,
                                      false,
                                      1};
            right_strips<T> const right{filters + p * point_step() + first_strip_ * depth * nr,
                                        depth * nr, nr};
            multiply_tiles(before_ + columns_, {depth}, left, right,
                           {products + p * rows * result_row_, result_row_, true, false});
        }
    }

    // What of a tile belongs to the box. `rest` stays 0 as long as all is finite.
    template <class By>
    void transform_result(By const& by, place const& tile, box const& own, strided<T> const& to,
                          T const* from, index_t tiles, V& rest) const {
        index_t lo[2], hi[2], step[2];
        for (int a = 0; a < 2; ++a) {
            int const l = fast_->along[a].row;
            step[a] = to.stride[l];
            lo[a] = std::max(own.lo[l], tile.at[a]),
            hi[a] = std::min(own.hi[l], tile.at[a] + by.results(a));
        }
        index_t const between = tiles * result_row_;
        for (index_t c = 0; c < columns_; c += W) {
            index_t const at = std::min(c, columns_ - W);
            V m[By::points], y[By::side * By::side];
            for (int k = 0; k < By::points; ++k)
                m[k] = V::load_unaligned(from + k * between + before_ + at);
            by.result(m, y);
            for (index_t i = lo[0]; i < hi[0]; ++i) {
                for (index_t j = lo[1]; j < hi[1]; ++j) {
                    V const value = y[(i - tile.at[0]) * by.results(1) + (j - tile.at[1])];
                    rest = rest + (value - value);
                    value.store_unaligned(tile.result + i * step[0] + j * step[1] + at);
                }
            }
        }
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    planning::convolution_schedule const* fast_;
    bordered_memory<T> bordered_;
    in_memory<T> images_;
    std::vector<place> tiles_;
    std::vector<row_strip> walk_;
    index_t columns_ = 0, before_ = 0, first_strip_ = 0;  // of a box
    index_t image_row_ = 0, result_row_ = 0;              // of scratch
};

}  // namespace felt::inline FELT_ABI::host

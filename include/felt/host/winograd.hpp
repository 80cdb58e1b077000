// SPDX-License-Identifier: BSD-3-Clause
//
// A product that is a convolution, by Winograd's algorithm (plan/2_orientation/winograd.hpp):
// filters are transformed first, once for a statement; then, some tiles of results at a time,
// images are transformed, each of the (m + 2) (m + 2) points is a product of tiles x channels by
// channels x columns, and these are transformed to m x m results.
//
// Tiles begin at multiples of m in all of a statement, and read all elements that they are made of,
// so that no bit of a result depends on the box that it is computed in.
#pragma once
#include <felt/host/gemm_packing.hpp>
#include <felt/host/winograd_tile.hpp>
#include <vector>

namespace felt::host {

// The type of values that it is taken for.
template <class T>
inline constexpr bool has_winograd = std::is_same_v<T, float>;

template <class T>
class winograd {
    using V = xsimd::batch<T>;
    using geometry = tile<T>;
    static constexpr int W = geometry::width, nr = geometry::nr;

public:
    winograd(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]), fast_(&how_->winograd) {}

    // Transforms all filters, those of the right operand; false if there is nothing left to do.
    bool make_ready(row_source<T> const& filters) {
        if (fast_->m == 0 || env_->at(id_).filters != nullptr) return false;
        scratch_scope const scope(env_->scratch);
        loop_view const in = inner();
        box const all = without(planning::whole_box(in.extent, in.rank), axes().m);
        gemm_packing<T> packing(*env_, id_);
        right_strips<T> const packed = packing.right(filters, all);
        auto const bytes = (points() * point_step() + nr) * static_cast<index_t>(sizeof(T));
        T* const to = static_cast<T*>(env_->buffers.take(bytes));
        env_->at(id_).filters = to;
        if (fast_->m == 2) transform_filters<2>(packed, all, to);
        else transform_filters<4>(packed, all, to);
        return true;
    }

    // The product over a box of results and all terms to memory. False if it was not computed, or
    // is not finite: then elements that are not have come between others.
    bool product(box const& own, strided<T> const& to, row_source<T> const& images) {
        T const* const filters = static_cast<T const*>(env_->at(id_).filters);
        if (filters == nullptr || !find_columns(own)) return false;
        find_images(own, images);
        scratch_scope const scope(env_->scratch);
        return fast_->m == 2 ? multiply<2>(own, to, filters) : multiply<4>(own, to, filters);
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
    index_t points() const { return (fast_->m + 2) * (fast_->m + 2); }
    index_t strips() const {
        index_t const n = axes().n.points(inner().extent);
        return (n + nr - 1) / nr;
    }
    // From one point to the next; not a power of two, or all would fall into one set of a cache.
    index_t point_step() const { return strips() * channels() * nr + W; }

    template <int M>
    void transform_filters(right_strips<T> const& packed, box const& all, T* to) const {
        using F = winograd_transform<M>;
        constexpr int P = M + 2;
        index_t stride[max_axes];
        strides_of_packed(all, axes().k, packed.row, stride);
        index_t tap[9];
        for (int k = 0; k < 9; ++k) {
            index_t const at[2] = {k / 3, k % 3};
            tap[k] = 0;
            for (int a = 0; a < 2; ++a) {
                planning::winograd_axis const& axis = fast_->along[a];
                tap[k] += stride[axis.term] * (axis.reversed ? 2 - at[a] : at[a]);
            }
        }
        index_t const depth = channels(), between = point_step();
        for (index_t s = 0; s < strips(); ++s) {
            for (index_t c = 0; c < depth; ++c) {
                for (int v = 0; v < nr; v += W) {
                    T const* const from =
                        packed.data + s * packed.pitch + c * stride[fast_->channel] + v;
                    T* const at = to + (s * depth + c) * nr + v;
                    V g[9], u[P * P], half[P * 3];
                    for (int k = 0; k < 9; ++k) g[k] = V::load_unaligned(from + tap[k]);
                    for (int j = 0; j < 3; ++j) F::filter(g + j, 3, half + j, 3);
                    for (int i = 0; i < P; ++i) F::filter(half + 3 * i, 1, u + P * i, 1);
                    for (int p = 0; p < P * P; ++p) u[p].store_unaligned(at + p * between);
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
            images_.data -=
                fast_->along[a].reversed ? (planning::winograd_taps - 1) * step_of(a) : 0;
    }

    // Where the first element of a window along an axis of images lies.
    index_t step_of(int axis) const { return images_.stride[fast_->along[axis].row]; }

    template <int M>
    bool multiply(box const& own, strided<T> const& to, T const* filters) {
        find_tiles<M>(own, to);
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
                transform_image<M>(tiles_[i + t], transformed + t * image_row_, n);
            multiply_points(filters, transformed, products, n);
            for (index_t t = 0; t < n; ++t)
                transform_result<M>(tiles_[i + t], own, to, products + t * result_row_, n, rest);
        }
        return fold<W / 2, monoid::sum>(rest) == T(0);
    }

    template <int M>
    void find_tiles(box const& own, strided<T> const& to) {
        planning::winograd_axis const *y = fast_->along, *x = y + 1;
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
            for (index_t i = own.lo[y->row] / M * M; i < own.hi[y->row]; i += M) {
                for (index_t j = own.lo[x->row] / M * M; j < own.hi[x->row]; j += M) {
                    now.at[0] = i, now.at[1] = j;
                    tiles_.push_back(now);
                }
            }
        });
    }

    // Elements beyond the border of an image are 0.
    template <int M>
    void transform_image(place const& tile, T* to, index_t tiles) const {
        constexpr int P = M + 2;
        T const* from[P * P];
        for (int i = 0; i < P; ++i) {
            for (int j = 0; j < P; ++j) {
                index_t const y = tile.at[0] + i, x = tile.at[1] + j;
                bool const inside = is_inside(0, y) && is_inside(1, x);
                from[i * P + j] = inside ? tile.image + y * step_of(0) + x * step_of(1) : nullptr;
            }
        }
        index_t const depth = channels(), between = tiles * image_row_;
        for (index_t c = 0; c < depth; c += W) {
            index_t const at = std::min(c, depth - W);
            V d[P * P], t[P * P];
            for (int k = 0; k < P * P; ++k)
                d[k] = from[k] != nullptr ? V::load_unaligned(from[k] + at) : V(T(0));
            transform_both<P, P>(d, t, [](auto... x) { winograd_transform<M>::image(x...); });
            for (int k = 0; k < P * P; ++k) t[k].store_unaligned(to + k * between + at);
        }
    }
    bool is_inside(int axis, index_t i) const {
        planning::winograd_axis const& a = fast_->along[axis];
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
    template <int M>
    void transform_result(place const& tile, box const& own, strided<T> const& to, T const* from,
                          index_t tiles, V& rest) const {
        constexpr int P = M + 2;
        index_t lo[2], hi[2], step[2];
        for (int a = 0; a < 2; ++a) {
            int const l = fast_->along[a].row;
            step[a] = to.stride[l];
            lo[a] = std::max(own.lo[l], tile.at[a]), hi[a] = std::min(own.hi[l], tile.at[a] + M);
        }
        index_t const between = tiles * result_row_;
        for (index_t c = 0; c < columns_; c += W) {
            index_t const at = std::min(c, columns_ - W);
            V m[P * P], y[M * M], half[M * P];
            for (int k = 0; k < P * P; ++k)
                m[k] = V::load_unaligned(from + k * between + before_ + at);
            for (int j = 0; j < P; ++j) winograd_transform<M>::result(m + j, P, half + j, P);
            for (int i = 0; i < M; ++i)
                winograd_transform<M>::result(half + i * P, 1, y + i * M, 1);
            for (index_t i = lo[0]; i < hi[0]; ++i) {
                for (index_t j = lo[1]; j < hi[1]; ++j) {
                    V const value = y[(i - tile.at[0]) * M + (j - tile.at[1])];
                    rest = rest + (value - value);
                    value.store_unaligned(tile.result + i * step[0] + j * step[1] + at);
                }
            }
        }
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    planning::winograd_schedule const* fast_;
    bordered_memory<T> bordered_;
    in_memory<T> images_;
    std::vector<place> tiles_;
    std::vector<row_strip> walk_;
    index_t columns_ = 0, before_ = 0, first_strip_ = 0;  // of a box
    index_t image_row_ = 0, result_row_ = 0;              // of scratch
};

}  // namespace felt::host

// SPDX-License-Identifier: BSD-3-Clause
//
// viewed<T>: everything of a view but the type of its source. The box that is asked for is copied
// from the source, with the fill value around it; a folded view's piece by piece.
#pragma once
#include <felt/host/fill_around.hpp>
#include <felt/host/materialize_operand.hpp>
#include <felt/host/view_pieces.hpp>
#include <felt/host/view_repeat.hpp>
#include <felt/plan/1_analysis/queries.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class viewed : public materialized<T> {
public:
    viewed(environment& env, node_id id, T fill)
        : materialized<T>(env, id),
          rule_(env.described(id).rule),
          axes_(env.described(id + 1).rank),
          fill_(fill) {
        for (int a = 0; a < axes_; ++a) folds_ = folds_ || rule_[a].mode != pad_mode::constant;
        if (folds_) rule_ = std::copy(rule_, rule_ + axes_, here_) - axes_;
    }

protected:
    // x: the source, and its rows.
    [[gnu::noinline]] void prepare_values(box const& b, materialized_operand<T>& x,
                                          row_source<T> const& rows);

private:
    // The source, and its rows; where its elements lie, once a box of them is there.
    struct operand {
        materialized_operand<T>& memory;
        row_source<T> const& rows;
        strided<T const> there = {nullptr, {}};

        strided<T const> elements(box const& b) const {
            return there.data != nullptr ? there : memory.elements(b, rows);
        }
    };

    void compute(box const& own, operand const& x) {
        T* const data = this->room(own, this->lane_axis());
        if (folds_) {
            box all;
            all.rank = 0;
            fold(0, own, [&](box const& part) { join(all, part); });
            operand const at_once{x.memory, x.rows, is_planned(all) ? x.elements(all) : x.there};
            fold(0, own, [&](box const& part) { fill_box(part, own, data, at_once); });
            return this->stored();
        }
        box inside = own;
        if (reach(own, inside) && planning::detail::shifts(this->described(), axes_)) {
            shift(own, inside, data, x);
        } else {
            fill_box(own, own, data, x);
        }
        this->stored();
    }

    // f of those of `part`, cut so that on source axis a and all after it each cut is read as one
    // piece.
    void fold(int a, box const& part, function_ref<void(box const&)> f) {
        if (a == axes_) return f(part);
        axis_rule const& r = this->described().rule[a];
        if (r.mode == pad_mode::constant) return fold(a + 1, part, f);
        box cut = part;
        while (cut.lo[r.out1] < part.hi[r.out1]) {
            index_t const end = part.hi[r.out1];
            cut.hi[r.out1] = detail::piece_at(r, extent(a), cut.lo[r.out1], end, here_[a]);
            fold(a + 1, cut, f);
            cut.lo[r.out1] = cut.hi[r.out1];
        }
    }

    // `all` becomes the box around it and what `part` reads.
    void join(box& all, box const& part) const {
        box b;
        if (!reach(part, b)) return;
        for (int a = 0; a < all.rank; ++a) {
            b.lo[a] = std::min(b.lo[a], all.lo[a]), b.hi[a] = std::max(b.hi[a], all.hi[a]);
        }
        all = b;
    }
    // Whether the plan has room for it: then pieces that overlap are read from what is there once.
    bool is_planned(box const& all) const {
        loop_view const in = this->inner();
        bool fits = all.rank == axes_;
        for (int a = 0; fits && a < axes_; ++a) fits = all.extent(a) <= in.block[a];
        return fits;
    }

    // The elements of `own`, which lies in a box that begins at data.
    void fill_box(box const& own, box const& whole, T* data, operand const& x) {
        int const last = this->lane_axis();
        slot const& s = this->own();
        box inside = own;
        bool const some = reach(own, inside);
        for (int a = 0; a < own.rank; ++a) data += (own.lo[a] - whole.lo[a]) * s.stride[a];
        strided<T const> from{nullptr, {}};
        if (some) from = x.elements(inside);
        index_t times[max_axes] = {};
        for (int a = 0; a < own.rank; ++a) times[a] = repeats(a);
        planning::for_each_row(own, last, [&](index_t const* at) {
            T* p = data;
            index_t back = 0;
            for (int a = 0; a < own.rank; ++a) {
                if (a == last) continue;
                p += (at[a] - own.lo[a]) * s.stride[a];
                if (times[a] > 1 && at[a] > own.lo[a] && at[a] % times[a] != 0) back = s.stride[a];
            }
            if (back == 0) fill_row(p, at, last, own, some, from);
            else std::memcpy(p, p - back, sizeof(T) * static_cast<std::size_t>(own.extent(last)));
        });
    }

    // How often elements come one after the other along an axis, from index 0 on.
    index_t repeats(int axis) const {
        index_t times = 0;
        for (int a = 0; a < axes_; ++a) {
            axis_rule const& r = rule_[a];
            if (r.out1 != axis && r.out2 != axis) continue;
            bool const plain = r.out2 < 0 && r.stride == 1 && r.offset == 0 && !r.exact;
            if (times > 0 || !plain) return 1;
            times = r.divide;
        }
        return std::max<index_t>(times, 1);
    }

    // The source's elements, all at once, where they belong: computed there, or copied.
    void shift(box const& own, box const& inside, T* data, operand const& x) {
        strided<T> to{data, {}};
        box filled = own;  // where the source's elements go, if they lie side by side
        for (int a = 0; a < axes_; ++a) {
            axis_rule const& r = rule_[a];
            int const axis = planning::detail::followed_axis(this->described(), a);
            index_t const first = r.offset + (axis < 0 ? 0 : own.lo[axis]);
            if (axis >= 0) {
                to.stride[a] = this->own().stride[axis];
                bool const dense = r.divide == 1;
                filled.lo[axis] = dense ? inside.lo[a] - r.offset : own.lo[axis];
                filled.hi[axis] = dense ? inside.hi[a] - r.offset : own.lo[axis];
            }
            to.data -= to.stride[a] * first;
            to.stride[a] *= r.divide;
        }
        if (!filled.contains(own))
            fill_around(data, this->own().stride, own, filled, this->lane_axis(), fill_);
        if (this->placed().computes_source) {
            evaluate(x.rows, this->inner(), inside, to, this->scratch());
            return;
        }
        strided<T const> from = x.elements(inside);
        for (int a = 0; a < axes_; ++a) {
            from.data += from.stride[a] * inside.lo[a];
            to.data += to.stride[a] * inside.lo[a];
        }
        copy_box(to, from, inside, this->past_caches());
    }

    index_t extent(int axis) const { return this->graph_of()[this->source_id()].extent[axis]; }

    // The box of the source that is read; false if all of it is outside.
    bool reach(box const& own, box& inside) const {
        inside.rank = axes_;
        bool some = true;
        for (int a = 0; a < axes_; ++a) {
            axis_rule const& r = rule_[a];
            index_t lo = r.offset, hi = r.offset;
            for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
                if (out < 0) continue;
                lo += c * (c > 0 ? own.lo[out] : own.hi[out] - 1);
                hi += c * (c > 0 ? own.hi[out] - 1 : own.lo[out]);
            }
            if (r.exact && lo > 0) lo += r.divide - 1;
            inside.lo[a] = lo < 0 ? 0 : lo / r.divide;
            inside.hi[a] = hi < 0 ? 0 : std::min(extent(a), hi / r.divide + 1);
            some = some && inside.lo[a] < inside.hi[a];
        }
        return some;
    }

    // Elements own.lo[last] .. of one row: source index (step * j + start) / divide on the axis
    // that moves, if one does; fixed on the others.
    void fill_row(T* p, index_t const* at, int last, box const& own, bool some,
                  strided<T const> const& from) {
        index_t const n = last < 0 ? 1 : own.extent(last);
        T const* f = from.data;
        int moving = -1, moves = 0;
        index_t step = 0, start = 0;
        for (int a = 0; a < axes_ && some; ++a) {
            axis_rule const& r = rule_[a];
            index_t i = r.offset, c = 0;
            for (auto [out, k] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
                if (out < 0) continue;
                i += k * (out == last ? own.lo[last] : at[out]);
                if (out == last) c += k;
            }
            if (c != 0) {
                ++moves;
                moving = a;
                step = c;
                start = i;
            } else {
                index_t const k = detail::quotient(i, r.divide);
                if (i < 0 || k >= extent(a) || (r.exact && k * r.divide != i)) some = false;
                else f += from.stride[a] * k;
            }
        }
        if (!some) {
            std::fill(p, p + n, fill_);
        } else if (moving < 0) {
            std::fill(p, p + n, *f);
        } else if (moves > 1) {
            diagonal_row(p, n, at, last, own.lo[last], from);
        } else {
            axis_rule const& r = rule_[moving];
            if (step == 1 && r.exact && r.divide > 1) {
                spread_row(p, n, f, from.stride[moving], start, r.divide, extent(moving));
            } else if (step < 1 || (step > 1 && r.divide > 1)) {
                for (index_t j = 0; j < n; ++j) {
                    index_t const i = start + step * j, k = i / r.divide;
                    bool const outside =
                        i < 0 || k >= extent(moving) || (r.exact && k * r.divide != i);
                    p[j] = outside ? fill_ : f[k * from.stride[moving]];
                }
            } else {
                moving_row(p, n, f, from.stride[moving], step, start, r.divide, extent(moving));
            }
        }
    }

    // Every `divide`th element is one of the source's.
    void spread_row(T* p, index_t n, T const* f, index_t stride, index_t start, index_t divide,
                    index_t limit) const {
        std::fill(p, p + n, fill_);
        index_t const first = start >= 0 ? (divide - start % divide) % divide : -start;
        index_t k = (start + first) / divide;
        for (index_t j = first; j < n && k < limit; j += divide, ++k) p[j] = f[k * stride];
    }

    // Several axes move at once.
    void diagonal_row(T* p, index_t n, index_t const* at, int last, index_t first,
                      strided<T const> const& from) const {
        for (index_t j = 0; j < n; ++j) {
            T const* f = from.data;
            for (int a = 0; a < axes_ && f != nullptr; ++a) {
                axis_rule const& r = rule_[a];
                index_t i = r.offset;
                for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
                    if (out >= 0) i += c * (out == last ? first + j : at[out]);
                }
                bool const outside =
                    i < 0 || i / r.divide >= extent(a) || (r.exact && i % r.divide != 0);
                f = outside ? nullptr : f + from.stride[a] * (i / r.divide);
            }
            p[j] = f == nullptr ? fill_ : *f;
        }
    }

    // Edges, and between them elements at steps or, step by step, each of them `divide` times.
    void moving_row(T* p, index_t n, T const* f, index_t stride, index_t step, index_t start,
                    index_t divide, index_t limit) const {
        auto const steps_to = [=](index_t i) {
            return i <= start ? 0 : detail::quotient(i - start - 1, step) + 1;
        };
        index_t const lo = std::min(n, steps_to(0)), hi = std::min(n, steps_to(limit * divide));
        std::fill(p, p + lo, fill_);
        if (divide > 1) {
            detail::repeat(p + lo, hi - lo, f, stride, start + lo, divide);
        } else {
            f += (start + step * lo) * stride;
            detail::copy_row(p + lo, index_t{1}, f, stride * step, hi - lo, this->past_caches());
        }
        std::fill(p + hi, p + n, fill_);
    }

    axis_rule const* rule_;
    int axes_;  // of the source
    T fill_;
    bool folds_ = false;
    axis_rule here_[max_axes];  // the rules of a piece
};

template <class T>
void viewed<T>::prepare_values(box const& b, materialized_operand<T>& x,
                               row_source<T> const& rows) {
    this->ready(b, [&](box const& own) { compute(own, {x, rows}); });
}

}  // namespace felt::inline FELT_ABI::host

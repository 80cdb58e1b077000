// SPDX-License-Identifier: BSD-3-Clause
//
// Views that are not just other strides: pad, upsample, windows past an edge, reshape of an
// expression, concat, gather. Each copies the box that is asked for; its source is read where
// it lies in memory, or evaluated into scratch box by box.
#pragma once
#include <felt/host/boxed.hpp>

namespace felt::host {

// The elements of an operand over a box of its axes, in memory.
template <class N>
class source {
    using T = typename N::value_type;

public:
    source(N const& n, environment& env, int id)
        : x_(n, env, id), env_(&env), space_(env.p.at(id).space) {
        node_facts const& f = env.p.at(id);
        if (f.what == kind::leaf) {
            direct_ = static_cast<T const*>(f.data) + f.offset;
            by_axis_ = f.by_loop;
        }
    }

    // Element i... of the operand is at data[sum i * stride], for i inside b.
    strided<T const> elements(box const& b) {
        strided<T const> out{direct_, {}};
        int const rank = b.rank;
        if (direct_ != nullptr) {
            std::copy(by_axis_, by_axis_ + rank, out.stride);
            return out;
        }
        loop_space const& in = env_->p.loop(space_);
        strided<T> to{nullptr, {}};
        index_t size = in.lane < 0 ? 1 : b.extent(in.lane);
        if (in.lane >= 0) to.stride[in.lane] = 1;
        for (int a = rank - 1; a >= 0; --a) {
            if (a == in.lane) continue;
            to.stride[a] = size;
            size *= b.extent(a);
        }
        if (size > capacity_) {
            room_ = env_->scratch.template take<T>(size);
            capacity_ = size;
        }
        to.data = room_;
        for (int a = 0; a < rank; ++a) to.data -= to.stride[a] * b.lo[a];
        if (!(held_ && box_.contains(b) && b.contains(box_))) {
            evaluate(x_, in, b, to, env_->scratch);
            box_ = b;
            held_ = true;
        }
        out.data = to.data;
        std::copy(to.stride, to.stride + max_axes, out.stride);
        return out;
    }

private:
    bound<N> x_;
    environment* env_;
    int space_;
    T const* direct_ = nullptr;
    index_t const* by_axis_ = nullptr;
    T* room_ = nullptr;
    index_t capacity_ = 0;
    bool held_ = false;
    box box_;
};

template <class X, std::size_t R>
class bound<view_node<view_kind::general, X, R>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;
    static constexpr int sources = static_cast<int>(X::rank);

public:
    bound(view_node<view_kind::general, X, R> const& n, environment& env, int id)
        : boxed<T>(env, id), fill_(n.fill), rule_(env.p.at(id).rule), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    void compute(box const& own) {
        int const last = this->lane_axis();
        T* const data = this->room(own, last);
        slot const& s = this->own();
        box inside;
        bool const some = reach(own, inside);
        strided<T const> from{nullptr, {}};
        if (some) from = x_.elements(inside);
        planning::for_each_row(own, last, [&](index_t const* at) {
            T* p = data;
            for (int a = 0; a < own.rank; ++a) {
                if (a != last) p += (at[a] - own.lo[a]) * s.stride[a];
            }
            row(p, at, last, own, some, from);
        });
    }

    index_t extent(int axis) const { return this->plan_of().at(this->source_id()).extent[axis]; }

    // The box of the source that is read; false if all of it is outside.
    bool reach(box const& own, box& inside) const {
        inside.rank = sources;
        bool some = true;
        for (int a = 0; a < sources; ++a) {
            axis_rule const& r = rule_[a];
            index_t lo = r.offset, hi = r.offset;
            for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
                if (out < 0) continue;
                lo += c * (c > 0 ? own.lo[out] : own.hi[out] - 1);
                hi += c * (c > 0 ? own.hi[out] - 1 : own.lo[out]);
            }
            inside.lo[a] = std::max<index_t>(0, lo < 0 ? 0 : lo / r.divide);
            inside.hi[a] = hi < 0 ? 0 : std::min(extent(a), hi / r.divide + 1);
            some = some && inside.lo[a] < inside.hi[a];
        }
        return some;
    }

    // Elements own.lo[last] .. of one row: source index (step * j + start) / divide on the axis
    // that moves, if one does; fixed on the others.
    void row(T* p, index_t const* at, int last, box const& own, bool some,
             strided<T const> const& from) {
        index_t const n = last < 0 ? 1 : own.extent(last);
        T const* f = from.data;
        int moving = -1;
        index_t step = 0, start = 0;
        for (int a = 0; a < sources && some; ++a) {
            axis_rule const& r = rule_[a];
            index_t i = r.offset, c = 0;
            for (auto [out, k] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
                if (out < 0) continue;
                i += k * (out == last ? own.lo[last] : at[out]);
                if (out == last) c += k;
            }
            if (c != 0) {
                moving = a;
                step = c;
                start = i;
            } else if (i < 0 || i / r.divide >= extent(a)) {
                some = false;
            } else {
                f += from.stride[a] * (i / r.divide);
            }
        }
        if (!some) {
            std::fill(p, p + n, fill_);
        } else if (moving < 0) {
            std::fill(p, p + n, *f);
        } else {
            moving_row(p, n, f, from.stride[moving], step, start, rule_[moving].divide,
                       extent(moving));
        }
    }

    void moving_row(T* p, index_t n, T const* f, index_t stride, index_t step, index_t start,
                    index_t divide, index_t limit) const {
        if (divide == 1 && step == 1) {  // edges, and a plain copy between them
            index_t const lo = std::min(n, std::max<index_t>(0, -start));
            index_t const hi = std::max(lo, std::min(n, limit - start));
            std::fill(p, p + lo, fill_);
            detail::copy_row(p + lo, index_t{1}, f + (start + lo) * stride, stride, hi - lo);
            std::fill(p + hi, p + n, fill_);
            return;
        }
        for (index_t j = 0; j < n; ++j) {
            index_t const i = start + step * j;
            p[j] = i < 0 || i / divide >= limit ? fill_ : f[i / divide * stride];
        }
    }

    T fill_;
    axis_rule const* rule_;
    source<X> x_;
};

template <class X, std::size_t R>
class bound<reshape_node<X, R>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;
    static constexpr int sources = static_cast<int>(X::rank);

public:
    bound(reshape_node<X, R> const& n, environment& env, int id)
        : boxed<T>(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    // Elements keep their row-major number; runs of them are copied.
    void compute(box const& own) {
        node_facts const& to = this->facts();
        node_facts const& source_facts = this->plan_of().at(this->source_id());
        int const last = own.rank - 1;
        T* p = this->room(own, last);
        auto number = [&](index_t const* at) {
            index_t i = 0;
            for (int a = 0; a < own.rank; ++a) i = i * to.extent[a] + at[a];
            return i;
        };
        index_t top[max_axes];
        for (int a = 0; a < own.rank; ++a) top[a] = own.hi[a] - 1;
        box const inside = spanned(source_facts, number(own.lo), number(top));
        auto const from = x_.elements(inside);
        planning::for_each_row(own, last, [&](index_t const* at) {
            index_t i = number(at);
            for (index_t left = last < 0 ? 1 : own.extent(last); left > 0;) {
                T const* f = from.data;
                index_t rest = i, run = left;
                for (int a = sources - 1; a >= 0; --a) {
                    index_t const e = source_facts.extent[a], x = rest % e;
                    rest /= e;
                    f += from.stride[a] * x;
                    if (a == sources - 1) run = std::min(left, e - x);
                }
                detail::copy_row(p, index_t{1}, f, sources > 0 ? from.stride[sources - 1] : 0, run);
                p += run;
                i += run;
                left -= run;
            }
        });
    }

    // The smallest box of the source that has the elements first .. last.
    static box spanned(node_facts const& f, index_t first_one, index_t last_one) {
        box b = planning::whole_box(f.extent, f.rank);
        index_t inner = 1;
        for (int a = 0; a < f.rank; ++a) inner *= f.extent[a];
        for (int a = 0; a < f.rank; ++a) {
            inner /= f.extent[a];
            index_t const lo = first_one / inner, hi = last_one / inner;
            b.lo[a] = lo % f.extent[a];
            b.hi[a] = hi % f.extent[a] + 1;
            if (lo != hi) break;
        }
        return b;
    }

    source<X> x_;
};

template <class X, class Y>
class bound<concat_node<X, Y>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(concat_node<X, Y> const& n, environment& env, int id)
        : boxed<T>(env, id), axis_(n.axis),
          seam_(n.x.head.extents()[static_cast<std::size_t>(n.axis)]), x_(n.x.head, env, id + 1),
          y_(n.x.tail.head, env, env.p.at(id + 1).end) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) {
            T* const data = this->room(own, this->lane_axis());
            box part = own;
            part.hi[axis_] = std::min(own.hi[axis_], seam_);
            copy(x_, part, 0, own, data);
            part = own;
            part.lo[axis_] = std::max(own.lo[axis_], seam_);
            copy(y_, part, seam_, own, data);
        });
    }

private:
    template <class S>
    void copy(S& x, box const& part, index_t shift, box const& own, T* data) {
        if (part.extent(axis_) <= 0) return;
        box inside = part;
        inside.lo[axis_] -= shift;
        inside.hi[axis_] -= shift;
        auto from = x.elements(inside);
        strided<T> to{data, {}};
        for (int a = 0; a < own.rank; ++a) {
            to.stride[a] = this->own().stride[a];
            to.data += to.stride[a] * (part.lo[a] - own.lo[a]);
            from.data += from.stride[a] * inside.lo[a];
        }
        copy_box(to, from, inside);
    }

    int axis_;
    index_t seam_;
    source<X> x_;
    source<Y> y_;
};

template <class X, class I>
class bound<gather_node<X, I>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(gather_node<X, I> const& n, environment& env, int id)
        : boxed<T>(env, id), axis_(n.axis), x_(n.x.head, env, id + 1),
          indices_(n.x.tail.head, env, env.p.at(id + 1).end) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    void compute(box const& own) {
        T* const data = this->room(own, this->lane_axis());
        box which;
        which.rank = 1;
        which.lo[0] = own.lo[axis_];
        which.hi[0] = own.hi[axis_];
        auto const index = indices_.elements(which);
        index_t lowest = 0, highest = -1;
        for (index_t i = which.lo[0]; i < which.hi[0]; ++i) {
            auto const v = static_cast<index_t>(index.data[i * index.stride[0]]);
            lowest = i == which.lo[0] ? v : std::min(lowest, v);
            highest = std::max(highest, v);
        }
        box inside = own;
        inside.lo[axis_] = lowest;
        inside.hi[axis_] = highest + 1;
        auto const from = x_.elements(inside);
        box one = own;
        for (index_t i = which.lo[0]; i < which.hi[0]; ++i) {
            auto const v = static_cast<index_t>(index.data[i * index.stride[0]]);
            strided<T> to{data, {}};
            strided<T const> f = from;
            for (int a = 0; a < own.rank; ++a) {
                to.stride[a] = this->own().stride[a];
                if (a != axis_) f.data += f.stride[a] * own.lo[a];
            }
            to.data += to.stride[axis_] * (i - which.lo[0]);
            f.data += f.stride[axis_] * v;
            one.lo[axis_] = 0;
            one.hi[axis_] = 1;
            copy_box(to, f, one);
        }
    }

    int axis_;
    source<X> x_;
    source<I> indices_;
};

}  // namespace felt::host

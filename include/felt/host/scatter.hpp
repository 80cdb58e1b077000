// SPDX-License-Identifier: BSD-3-Clause
//
// scatter_add: slices are added one after the other, so that sums are the same every time.
#pragma once
#include <felt/host/materialize_operand.hpp>

namespace felt::inline FELT_ABI::host {

template <class X, class I>
class bound<scatter_node<X, I>> : public materialized<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(scatter_node<X, I> const& n, environment& env, node_id id)
        : materialized<T>(env, id),
          axis_(n.axis),
          count_(n.x.tail.head.extents()[0]),
          x_(n.x.head, env, id + 1),
          indices_(n.x.tail.head, env, env.p.g.operand(id, 1)) {
        this->offer(*this);
    }

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    void compute(box const& own) {
        T* const data = this->room(own, this->lane_axis());
        std::fill(data, data + own.size(), T(0));
        if (count_ == 0) return;
        box which;
        which.rank = 1;
        which.lo[0] = 0;
        which.hi[0] = count_;
        auto const index = indices_.elements(which);
        box inside = own;
        inside.lo[axis_] = 0;
        inside.hi[axis_] = count_;
        auto const from = x_.elements(inside);
        if (this->lane_axis() == axis_) {
            add_lanes(data, own, index, from);
            return;
        }
        for (index_t i = 0; i < count_; ++i) {
            auto const v = static_cast<index_t>(index.data[i * index.stride[0]]);
            if (v >= own.lo[axis_] && v < own.hi[axis_]) add_slice(data, own, v, from, i);
        }
    }

    // Row by row, an element for each index.
    void add_lanes(T* data, box const& own, strided<typename I::value_type const> const& index,
                   strided<T const> const& from) {
        slot const& s = this->own();
        planning::for_each_row(own, axis_, [&](index_t const* at) {
            T* to = data - own.lo[axis_];
            T const* f = from.data;
            for (int a = 0; a < own.rank; ++a) {
                if (a == axis_) continue;
                to += (at[a] - own.lo[a]) * s.stride[a];
                f += at[a] * from.stride[a];
            }
            for (index_t i = 0; i < count_; ++i) {
                auto const v = static_cast<index_t>(index.data[i * index.stride[0]]);
                if (v >= own.lo[axis_] && v < own.hi[axis_]) {
                    to[v] = static_cast<T>(to[v] + f[i * from.stride[axis_]]);
                }
            }
        });
    }

    // The lanes run along another axis: row onto row.
    void add_slice(T* data, box const& own, index_t v, strided<T const> const& from, index_t i) {
        int const last = this->lane_axis();
        slot const& s = this->own();
        box slice = own;
        slice.lo[axis_] = v;
        slice.hi[axis_] = v + 1;
        planning::for_each_row(slice, last, [&](index_t const* at) {
            T* to = data;
            T const* f = from.data;
            for (int a = 0; a < own.rank; ++a) {
                index_t const here = a == last ? slice.lo[a] : at[a];
                to += (here - own.lo[a]) * s.stride[a];
                f += (a == axis_ ? i : here) * from.stride[a];
            }
            add_row(to, f, from.stride[last], slice.extent(last));
        });
    }

    static void add_row(T* to, T const* from, index_t step, index_t n) {
        index_t j = 0;
        if constexpr (!std::is_same_v<T, bool> && !is_complex<T>) {
            constexpr int N = batch_size<T>;
            using batch = xsimd::batch<T>;
            for (; step == 1 && j + N <= n; j += N) {
                auto const grown = batch::load_unaligned(to + j) + batch::load_unaligned(from + j);
                grown.store_unaligned(to + j);
            }
        }
        for (; j < n; ++j) to[j] = static_cast<T>(to[j] + from[j * step]);
    }

    int axis_;
    index_t count_;
    source<X> x_;
    source<I> indices_;
};

}  // namespace felt::inline FELT_ABI::host

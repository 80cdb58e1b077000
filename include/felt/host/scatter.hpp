// SPDX-License-Identifier: BSD-3-Clause
//
// scatter_add: slices are added one after the other, so that sums are the same every time.
#pragma once
#include <felt/host/source.hpp>

namespace felt::host {

template <class X, class I>
class bound<scatter_node<X, I>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(scatter_node<X, I> const& n, environment& env, int id)
        : boxed<T>(env, id), axis_(n.axis), count_(n.x.tail.head.extents()[0]),
          x_(n.x.head, env, id + 1), indices_(n.x.tail.head, env, env.p.at(id + 1).end) {}

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
        for (index_t i = 0; i < count_; ++i) {
            auto const v = static_cast<index_t>(index.data[i * index.stride[0]]);
            if (v >= own.lo[axis_] && v < own.hi[axis_]) add_slice(data, own, v, from, i);
        }
    }

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
            index_t const step = last == axis_ ? 0 : from.stride[last];
            for (index_t j = 0; j < slice.extent(last); ++j) to[j] += f[j * step];
        });
    }

    int axis_;
    index_t count_;
    source<X> x_;
    source<I> indices_;
};

}  // namespace felt::host

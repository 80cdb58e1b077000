// SPDX-License-Identifier: BSD-3-Clause
//
// Views that join or pick: concat copies a part of each operand, gather a slice for each index.
#pragma once
#include <felt/expr/views/slice.hpp>
#include <felt/host/materialize_operand.hpp>

namespace felt::inline FELT_ABI::host {

namespace detail {

template <class N>
inline constexpr bool is_gather = requires(N const& n) { n.limit(); };

template <class... X>
consteval bool any_gathers(tuple<X...> const*);
template <class N>
consteval bool gathers() {
    using O = std::remove_cvref_t<decltype(std::declval<N const&>().operands())>;
    return is_gather<N> || any_gathers(static_cast<O const*>(nullptr));
}
template <class... X>
consteval bool any_gathers(tuple<X...> const*) {
    return (gathers<X>() || ...);
}

// Calls f for every element of x; those of an expression are computed a piece at a time.
template <class X, class F>
void for_each_index(X const& x, F&& f) {
    index_t const n = x.extents()[0];
    if constexpr (requires { x.view.data[x.view.stride[0]]; }) {
        for_each_index(x.view, f);
    } else if constexpr (requires { x.data[x.stride[0]]; }) {
        for (index_t k = 0; k < n; ++k) f(x.data[k * x.stride[0]]);
    } else {
        constexpr index_t piece = 8192;
        for (index_t lo = 0; lo < n; lo += piece) {
            Tensor<typename X::value_type, 1> const part =
                slice(x, range(lo, std::min(n, lo + piece)));
            for (index_t k = 0; k < part.size(); ++k) f(part.data()[k]);
        }
    }
}

}  // namespace detail

// Throws shape_error if any gather in n has an index outside; called before anything is written.
template <class N>
void check_indices(N const& n) {
    if constexpr (detail::gathers<N>()) {
        apply([](auto const&... x) { (check_indices(x), ...); }, n.operands());
        if constexpr (detail::is_gather<N>) {
            watch const apart;  // of a plan of their own
            index_t const limit = n.limit();
            detail::for_each_index(n.x.tail.head, [&](auto value) {
                auto const i = static_cast<index_t>(value);
                if (i >= 0 && i < limit) return;
                throw shape_error(std::string(N::name) + ": index " + std::to_string(i) +
                                  " is outside axis " + std::to_string(n.axis) + " of extent " +
                                  std::to_string(limit));
            });
        }
    }
}

template <class X, class Y>
class bound<concat_node<X, Y>> : public materialized<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(concat_node<X, Y> const& n, environment& env, node_id id)
        : materialized<T>(env, id),
          axis_(n.axis),
          seam_(n.x.head.extents()[static_cast<std::size_t>(n.axis)]),
          x_(n.x.head, env, id + 1),
          y_(n.x.tail.head, env, env.p.g.operand(id, 1)) {}

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
        strided<T> to{data, {}};
        for (int a = 0; a < own.rank; ++a) {
            to.stride[a] = this->own().stride[a];
            to.data += to.stride[a] * (part.lo[a] - own.lo[a] - inside.lo[a]);
        }
        x.put(inside, to, this->past_caches());
    }

    int axis_;
    index_t seam_;
    source<X> x_;
    source<Y> y_;
};

template <class X, class I>
class bound<gather_node<X, I>> : public materialized<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(gather_node<X, I> const& n, environment& env, node_id id)
        : materialized<T>(env, id),
          axis_(n.axis),
          x_(n.x.head, env, id + 1),
          indices_(n.x.tail.head, env, env.p.g.operand(id, 1)) {}

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
        index_t const all = this->graph_of()[this->source_id()].extent[axis_];
        bool const most = 2 * (highest - lowest) > all;  // others below may want them too
        inside.lo[axis_] = most ? 0 : lowest;
        inside.hi[axis_] = most ? all : highest + 1;
        auto const from = x_.elements(inside);
        if (this->lane_axis() == axis_) pick_lanes(own, data, from, index);
        else pick_slices(own, data, from, index);
    }

    // A slice for each index.
    void pick_slices(box const& own, T* data, strided<T const> const& from,
                     strided<typename I::value_type const> const& index) {
        box one = own;
        one.lo[axis_] = 0;
        one.hi[axis_] = 1;
        strided<T> to{data, {}};
        std::copy(this->own().stride, this->own().stride + own.rank, to.stride);
        for (index_t i = own.lo[axis_]; i < own.hi[axis_]; ++i) {
            strided<T const> f = from;
            for (int a = 0; a < own.rank; ++a) {
                if (a != axis_) f.data += f.stride[a] * own.lo[a];
            }
            f.data += f.stride[axis_] * static_cast<index_t>(index.data[i * index.stride[0]]);
            copy_box(to, f, one, this->past_caches());
            to.data += to.stride[axis_];
        }
        this->stored();
    }

    // An element for each index, row by row; offsets are worked out once for all rows.
    void pick_lanes(box const& own, T* data, strided<T const> const& from,
                    strided<typename I::value_type const> const& index) {
        constexpr index_t piece = 256;
        index_t offset[piece];
        slot const& s = this->own();
        for (index_t lo = own.lo[axis_]; lo < own.hi[axis_]; lo += piece) {
            index_t const n = std::min(piece, own.hi[axis_] - lo);
            for (index_t j = 0; j < n; ++j) {
                offset[j] = from.stride[axis_] *
                            static_cast<index_t>(index.data[(lo + j) * index.stride[0]]);
            }
            planning::for_each_row(own, axis_, [&](index_t const* at) {
                T* to = data + (lo - own.lo[axis_]);
                T const* f = from.data;
                for (int a = 0; a < own.rank; ++a) {
                    if (a == axis_) continue;
                    to += (at[a] - own.lo[a]) * s.stride[a];
                    f += at[a] * from.stride[a];
                }
                for (index_t j = 0; j < n; ++j) to[j] = f[offset[j]];
            });
        }
    }

    int axis_;
    source<X> x_;
    source<I> indices_;
};

}  // namespace felt::inline FELT_ABI::host

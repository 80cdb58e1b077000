// SPDX-License-Identifier: BSD-3-Clause
//
// reader(n, m): what computes the elements of streaming expression n, whose axes are at m, from the
// indices of the loops: a tree of plain values, which goes into a kernel. Affine views and
// broadcasting are no longer there, they are in the steps of the leaves.
#pragma once
#include <felt/device/axes.hpp>
#include <felt/device/host_apply.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/lower.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/gather.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI::device {

template <class T, std::size_t R>
struct leaf_reader {
    T const* data;  // where all loops are at 0
    extents<R> by;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        return data[moved(by, loop)];
    }
};

template <class T>
struct scalar_reader {
    T value;

    template <class Loop>
    FELT_FN T operator()(Loop const&) const {
        return value;
    }
};

template <class G, class T, std::size_t R>
struct generator_reader {
    G g;
    steps<R> number;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        return g.at(number(loop));
    }
};

template <class F, class T, class... X>
struct map_reader {
    F f;
    tuple<X...> x;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        return apply([&](auto const&... each) { return static_cast<T>(f(each(loop)...)); }, x);
    }
};
// Without state: F{} costs no argument.
template <class F, class T, class... X>
    requires std::is_empty_v<F>
struct map_reader<F, T, X...> {
    tuple<X...> x;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        return apply([&](auto const&... each) { return static_cast<T>(F{}(each(loop)...)); }, x);
    }
};

// The source is at n / divide, where `numerators` say n; the fill value if there is no such place.
template <class X, class T, std::size_t S, std::size_t R>
struct view_reader {
    X x;
    axes<S, R> numerators;
    extents<S> source, divide;
    bool exact[extents<S>::stored];
    T fill;

    template <class Loop>
    FELT_FN T operator()(Loop const& loop) const {
        extents<S> at = numerators(loop);
        bool inside = true;
        for (std::size_t s = 0; s != S; ++s) {
            index_t const n = at[s];
            if (divide[s] != 1) at[s] = n / divide[s];
            inside = inside && n >= 0 && at[s] < source[s] && (!exact[s] || at[s] * divide[s] == n);
        }
        return inside ? x(at) : fill;
    }
};

// The same where what is outside is found inside.
template <class X, std::size_t S, std::size_t R>
struct folded_reader {
    X x;
    axes<S, R> out;
    extents<S> source;
    pad_mode mode[extents<S>::stored];

    template <class Loop>
    FELT_FN auto operator()(Loop const& loop) const {
        extents<S> at = out(loop);
        for (std::size_t s = 0; s != S; ++s) at[s] = folded(mode[s], at[s], source[s]);
        return x(at);
    }
};

template <class X, std::size_t S, std::size_t R>
struct reshape_reader {
    X x;
    steps<R> number;
    loops<S, index_t> source;

    template <class Loop>
    FELT_FN auto operator()(Loop const& loop) const {
        return x(source(number(loop)));
    }
};

template <class X, class Y, std::size_t V, std::size_t R>
struct concat_reader {
    X x;
    Y y;
    axes<V, R> out;
    index_t length;  // of x
    std::size_t axis;

    template <class Loop>
    FELT_FN auto operator()(Loop const& loop) const {
        extents<V> const at = out(loop);
        index_t const i = index_along(at, axis);
        return i < length ? x(at) : y(moved_to(at, axis, i - length));
    }
};

template <class X, class I, std::size_t V, std::size_t R>
struct gather_reader {
    X x;
    I indices;
    axes<V, R> out;
    std::size_t axis;

    template <class Loop>
    FELT_FN auto operator()(Loop const& loop) const {
        extents<V> const at = out(loop);
        auto const i = indices(extents<1>{{index_along(at, axis)}});
        return x(moved_to(at, axis, static_cast<index_t>(i)));
    }
};

template <class T, std::size_t V, class Space, std::size_t R>
auto reader(leaf<T, V, Space> const& n, axes<V, R> const& m) {
    auto const place = along(m, n.stride);
    return leaf_reader<T, R>{n.data + place.begin, place.by};
}
template <class T, std::size_t R>
auto reader(scalar<T> const& n, axes<0, R> const&) {
    return scalar_reader<T>{n.value};
}
template <class G, class T, std::size_t V, std::size_t R>
auto reader(generator_node<G, T, V> const& n, axes<V, R> const& m) {
    return generator_reader<G, T, R>{n.g, along(m, RowMajor::strides(n.e))};
}

// Operands are found by their axes, which are ours, where a node of theirs is known.
template <class F, class... X, std::size_t V, std::size_t R>
auto reader(map_node<F, X...> const& n, axes<V, R> const& m) {
    using T = typename map_node<F, X...>::value_type;
    auto const of = [&](auto const& x) { return reader(x, broadcast(m, x.extents())); };
    return spread(
        [&](auto const&... x) {
            auto all = felt::make_tuple(of(x)...);
            if constexpr (std::is_empty_v<F>) return map_reader<F, T, decltype(of(x))...>{all};
            else return map_reader<F, T, decltype(of(x))...>{n.f(), all};
        },
        n.operands());
}

template <view_kind K, class X, std::size_t V, std::size_t R>
auto reader(view_node<K, X, V> const& n, axes<V, R> const& m) {
    constexpr std::size_t S = X::rank;
    if constexpr (K == view_kind::affine) {
        return reader(n.x.head, through(n.map, m));
    } else if constexpr (K == view_kind::folded) {
        auto x = reader(n.x.head, own_loops<S>());
        folded_reader<decltype(x), S, R> v{x, through(n.map, m), n.x.head.extents(), {}};
        for (std::size_t s = 0; s != S; ++s) v.mode[s] = n.map.rule[s].mode;
        return v;
    } else {
        auto x = reader(n.x.head, own_loops<S>());
        view_reader<decltype(x), typename X::value_type, S, R> v{
            x, through(n.map, m), n.x.head.extents(), {}, {}, n.fill};
        for (std::size_t s = 0; s != S; ++s) {
            v.divide[s] = n.map.rule[s].divide;
            v.exact[s] = n.map.rule[s].exact;
        }
        return v;
    }
}
template <class X, std::size_t V, std::size_t R>
auto reader(reshape_node<X, V> const& n, axes<V, R> const& m) {
    auto x = reader(n.x.head, own_loops<X::rank>());
    return reshape_reader<decltype(x), X::rank, R>{x, along(m, RowMajor::strides(n.e)),
                                                   loops<X::rank, index_t>(n.x.head.extents())};
}
template <class X, class Y, std::size_t R>
auto reader(concat_node<X, Y> const& n, axes<X::rank, R> const& m) {
    auto x = reader(n.x.head, own_loops<X::rank>());
    auto y = reader(n.x.tail.head, own_loops<X::rank>());
    auto const axis = static_cast<std::size_t>(n.axis);
    return concat_reader<decltype(x), decltype(y), X::rank, R>{x, y, m, n.x.head.extents()[axis],
                                                               axis};
}
template <class X, class I, std::size_t R>
auto reader(gather_node<X, I> const& n, axes<X::rank, R> const& m) {
    auto x = reader(n.x.head, own_loops<X::rank>());
    auto at = reader(n.x.tail.head, own_loops<1>());
    return gather_reader<decltype(x), decltype(at), X::rank, R>{x, at, m,
                                                                static_cast<std::size_t>(n.axis)};
}
template <class X, std::size_t R>
auto reader(once_node<X> const& n, axes<X::rank, R> const& m) {
    return reader(n.x.head, m);
}

}  // namespace felt::inline FELT_ABI::device

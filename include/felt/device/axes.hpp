// SPDX-License-Identifier: BSD-3-Clause
//
// Where the S axes of a node are while R loops run: axis a is offset[a] + sum over l of
// coef[a][l] * loop[l]. Affine views become part of it, and of leaves only steps remain.
#pragma once
#include <felt/device/loops.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI::device {

template <std::size_t S, std::size_t R>
struct axes {
    extents<S> offset;
    extents<R> coef[extents<S>::stored];

    template <class Loop>
    FELT_FN extents<S> operator()(Loop const& loop) const {
        extents<S> at;
        for (std::size_t a = 0; a != S; ++a) at[a] = offset[a] + moved(coef[a], loop);
        return at;
    }
};

template <std::size_t R>
axes<R, R> own_loops() {
    axes<R, R> m{};
    for (std::size_t a = 0; a != R; ++a) m.coef[a][a] = 1;
    return m;
}

// Of an operand with extents e, whose last axes are those of a node at m; extent 1 stretches.
template <std::size_t S, std::size_t V, std::size_t R>
axes<S, R> broadcast(axes<V, R> const& m, extents<S> const& e) {
    static_assert(S <= V);
    axes<S, R> to{};
    for (std::size_t a = 0; a != S; ++a) {
        if (e[a] == 1) continue;
        to.offset[a] = m.offset[V - S + a];
        to.coef[a] = m.coef[V - S + a];
    }
    return to;
}

// Of the source of an affine view that is at m.
template <std::size_t S, std::size_t V, std::size_t R>
axes<S, R> through(view_map<S, V> const& view, axes<V, R> const& m) {
    axes<S, R> to{};
    for (std::size_t s = 0; s != S; ++s) {
        axis_rule const& r = view.rule[s];
        to.offset[s] = r.offset;
        for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
            if (out < 0) continue;
            auto const o = static_cast<std::size_t>(out);
            to.offset[s] += c * m.offset[o];
            for (std::size_t l = 0; l != R; ++l) to.coef[s][l] += c * m.coef[o][l];
        }
    }
    return to;
}

// One number that is linear in the axes at m: where it begins, and its step along each loop.
template <std::size_t R>
struct steps {
    index_t begin;
    extents<R> by;

    template <class Loop>
    FELT_FN index_t operator()(Loop const& loop) const {
        return begin + moved(by, loop);
    }
};
template <std::size_t S, std::size_t R>
steps<R> along(axes<S, R> const& m, extents<S> const& stride) {
    steps<R> to{};
    for (std::size_t a = 0; a != S; ++a) {
        to.begin += m.offset[a] * stride[a];
        for (std::size_t l = 0; l != R; ++l) to.by[l] += m.coef[a][l] * stride[a];
    }
    return to;
}

}  // namespace felt::inline FELT_ABI::device

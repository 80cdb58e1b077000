// SPDX-License-Identifier: BSD-3-Clause
//
// How a value of an unfused run lies in memory: in the order of what it is computed from, or of
// where the results go, so that nobody transposes on the way.
#pragma once
#include <felt/core/layout.hpp>
#include <felt/plan/graph.hpp>
#include <algorithm>
#include <cstdlib>

namespace felt::inline FELT_ABI::host {

// The destination of the statement, as leaves are described.
struct memory_order {
    int rank = 0;
    index_t const* extent = nullptr;
    index_t const* stride = nullptr;
};

namespace detail {

inline index_t elements_of(memory_order const& m) {
    index_t n = 1;
    for (int a = 0; a < m.rank; ++a) n *= m.extent[a];
    return n;
}

// Dense strides for extents e whose axes follow each other as in `like`; those of extent 1 there,
// or that it repeats, come first.
template <std::size_t R>
extents<R> strides_like(extents<R> const& e, memory_order const& like) {
    constexpr index_t outermost = index_t{1} << 62;
    std::size_t order[R == 0 ? 1 : R];
    auto const step = [&](std::size_t a) {
        bool const none = like.extent[a] <= 1 || like.stride[a] == 0;
        return none ? outermost : std::abs(like.stride[a]);
    };
    for (std::size_t a = 0; a != R; ++a) order[a] = a;
    std::sort(order, order + R,
              [&](auto a, auto b) { return step(a) != step(b) ? step(a) > step(b) : a < b; });
    extents<R> s;
    index_t size = 1;
    for (std::size_t k = R; k-- > 0; size *= e[order[k]]) s[order[k]] = size;
    return s;
}

}  // namespace detail

// For the value of node `id` of extents e: as a leaf below that has these extents, as the
// destination, or as the largest leaf below of as many axes.
template <std::size_t R>
extents<R> value_strides(planning::graph const& g, planning::node_id id, extents<R> const& e,
                         memory_order const& to) {
    memory_order best;
    bool same = false;
    auto const take = [&](memory_order const& m) {
        if (m.rank != static_cast<int>(R) || same) return;
        same = std::equal(e.begin(), e.end(), m.extent);
        if (same || detail::elements_of(m) > detail::elements_of(best)) best = m;
    };
    for (planning::node_id x : g.subtree(id)) {
        planning::node const& f = g[x];
        if (f.what == planning::kind::leaf) take({f.rank, f.extent, f.stride});
    }
    if (!same) take(to);
    return best.rank > 0 ? detail::strides_like(e, best) : RowMajor::strides(e);
}

}  // namespace felt::inline FELT_ABI::host

// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbouring loops that everything walks through as one become one: a row is then long, whatever
// the shape of the tensor. Of the loops of a graph where everything in them is streamed, before
// anything is decided about it.
#pragma once
#include <felt/plan/graph.hpp>
#include <felt/plan/constants.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

namespace detail {

enum class nesting { row_major, col_major };

// How loops l and l + 1 follow each other for what has these strides: the later one inside, or the
// earlier.
inline bool nests(index_t const* extent, loop_id l, index_t const* by_loop, nesting how) {
    if (extent[l] <= 1 || extent[l + 1] <= 1) return true;
    return how == nesting::row_major ? by_loop[l] == by_loop[l + 1] * extent[l + 1]
                                     : by_loop[l + 1] == by_loop[l] * extent[l];
}

template <class T>
void drop(T* by_loop, loop_id l, int rank) {
    std::copy(by_loop + l + 1, by_loop + rank, by_loop + l);
}

// Loops inside of each other, and the strides along them of everything that walks through them.
struct walked_loops {
    index_t* extent;
    int& rank;
    std::vector<index_t*> strides;

    bool nests(loop_id l, nesting how) const {
        return std::all_of(strides.begin(), strides.end(), [&](index_t const* by_loop) {
            return detail::nests(extent, l, by_loop, how);
        });
    }
    // Loops l and l + 1 become loop l. Returns the one that had its strides.
    loop_id merge(loop_id l, nesting how) {
        bool const later = extent[l] <= 1 || (extent[l + 1] > 1 && how == nesting::row_major);
        for (index_t* by : strides) drop(by, loop_id(later ? l : l + 1), rank);
        extent[l] *= extent[l + 1];
        drop(extent, loop_id(l + 1), rank);
        --rank;
        return loop_id(later ? l + 1 : l);
    }
};

inline bool reads_memory(node const& f) {
    return f.what == kind::leaf || f.what == kind::generator;
}

inline bool all_streamed(graph const& g, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (g[id].inner) return false;
    }
    return true;
}

// The length of the one short row that a leaf is for all others, which a reader repeats along a
// loop of moderate extent: what it moves with are one contiguous loop and those innermost that go
// on where it ends. 0 if it is none.
inline index_t repeated_by(loop_space const& in, index_t const* by_loop) {
    index_t row = 0;
    loop_id lane{0};
    for (loop_id l : in.loops()) {
        if (in.extent[l] > 1 && by_loop[l] == 1) row = in.extent[lane = l];
    }
    bool stays = false;
    for (loop_id l{in.rank - 1}; l >= 0 && row > 0; --l) {
        if (l == lane || in.extent[l] <= 1) continue;
        stays = stays || by_loop[l] == 0;
        if (by_loop[l] != (stays ? 0 : row)) return 0;
        if (!stays) row *= in.extent[l];
    }
    return row <= repeated_row ? row : 0;
}

// Whether loops l and l + 1 as one would be too long for that.
inline bool repeats_less(graph const& g, space_id sp, loop_id l) {
    loop_space const& in = g[sp];
    index_t const n = in.extent[l] * in.extent[l + 1];
    for (node_id id : g.read_in(sp)) {
        index_t const* const by_loop = g[id].by_loop;
        bool const stays = g[id].what == kind::leaf && by_loop[l] == 0 && by_loop[l + 1] == 0 &&
                           in.extent[l + 1] > 1;
        if (stays && n * repeated_by(in, by_loop) > repeated_elements) return true;
    }
    return false;
}

// The loops of a space; `also` are the strides of a destination.
inline walked_loops nest_of(graph& g, space_id sp, index_t* also = nullptr) {
    walked_loops to{g[sp].extent, g[sp].rank, {}};
    if (also != nullptr) to.strides.push_back(also);
    for (node_id id : g.read_in(sp)) {
        if (reads_memory(g[id])) to.strides.push_back(g[id].by_loop);
    }
    return to;
}

// Two reduced loops of a reduction; kept ones stay, as its own axes follow them.
inline void merge_reduced(graph& g, node& f) {
    if (f.what != kind::reduce || !all_streamed(g, f.inner)) return;
    walked_loops in = nest_of(g, f.inner);
    for (loop_id l{in.rank - 2}; l >= 0; --l) {
        bool const summed = (f.mask >> l & 3U) == 3U;
        if (!summed || !in.nests(l, nesting::row_major) || repeats_less(g, f.inner, l)) continue;
        in.merge(l, nesting::row_major);
        unsigned const below = f.mask & ((1U << l) - 1), above = f.mask >> (l + 1);
        f.mask = below | above << l;
        number_kept_axes(f, g[f.inner].rank);
    }
}

}  // namespace detail

FELT_PLANNING inline void merge_loops(graph& g, statement_id k) {
    using detail::nesting;
    destination& to = g[k];
    for (node_id id : g.nodes_of(k)) detail::merge_reduced(g, g[id]);
    if (!detail::all_streamed(g, to.space)) return;
    detail::walked_loops in = detail::nest_of(g, to.space, to.by_loop);
    for (loop_id l{in.rank - 2}; l >= 0; --l) {
        for (nesting how : {nesting::row_major, nesting::col_major}) {
            if (!in.nests(l, how) || detail::repeats_less(g, to.space, l)) continue;
            in.merge(l, how);
            break;
        }
    }
}

}  // namespace felt::inline FELT_ABI::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbouring loops that walk through memory as one become one: a row is then long, whatever
// the shape of the tensor. Done where everything in the loops is streamed, before anything is
// decided about the graph.
#pragma once
#include <felt/plan/graph.hpp>
#include <felt/plan/constants.hpp>

namespace felt::planning {

namespace detail {

enum class nesting { none, row_major, col_major };

// How loops l and l + 1 follow each other for one reader: the later one inside, or the earlier.
inline bool nests(loop_space const& in, int l, index_t const* by_loop, nesting how) {
    if (in.extent[l] <= 1 || in.extent[l + 1] <= 1) return true;
    return how == nesting::row_major ? by_loop[l] == by_loop[l + 1] * in.extent[l + 1]
                                     : by_loop[l + 1] == by_loop[l] * in.extent[l];
}

inline void drop(index_t* by_loop, int l, int rank) {
    for (int i = l + 1; i + 1 < rank; ++i) by_loop[i] = by_loop[i + 1];
}

inline index_t merged_stride(loop_space const& in, int l, index_t const* by_loop, nesting how) {
    if (in.extent[l] <= 1) return by_loop[l + 1];
    if (in.extent[l + 1] <= 1) return by_loop[l];
    return how == nesting::row_major ? by_loop[l + 1] : by_loop[l];
}

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
    int lane = 0;
    for (int l = 0; l < in.rank; ++l) {
        if (in.extent[l] > 1 && by_loop[l] == 1) row = in.extent[lane = l];
    }
    bool stays = false;
    for (int l = in.rank - 1; l >= 0 && row > 0; --l) {
        if (l == lane || in.extent[l] <= 1) continue;
        stays = stays || by_loop[l] == 0;
        if (by_loop[l] != (stays ? 0 : row)) return 0;
        if (!stays) row *= in.extent[l];
    }
    return row <= repeated_row ? row : 0;
}

// Whether loops l and l + 1 as one would be too long for that.
inline bool repeats_less(graph const& g, space_id sp, int l) {
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

inline bool can_merge(graph const& g, space_id sp, int l, index_t const* also, nesting how) {
    loop_space const& in = g[sp];
    if (also != nullptr && !nests(in, l, also, how)) return false;
    if (repeats_less(g, sp, l)) return false;
    for (node_id id : g.read_in(sp)) {
        if (reads_memory(g[id]) && !nests(in, l, g[id].by_loop, how)) return false;
    }
    return true;
}

// Loops l and l + 1 of space sp become loop l; `also` are the strides of a destination.
inline void merge_pair(graph& g, space_id sp, int l, index_t* also, nesting how) {
    loop_space& in = g[sp];
    auto one = [&](index_t* by_loop) {
        by_loop[l] = merged_stride(in, l, by_loop, how);
        drop(by_loop, l, in.rank);
    };
    if (also != nullptr) one(also);
    for (node_id id : g.read_in(sp)) {
        if (reads_memory(g[id])) one(g[id].by_loop);
    }
    in.extent[l] *= in.extent[l + 1];
    drop(in.extent, l, in.rank);
    --in.rank;
}

inline nesting common_nesting(graph const& g, space_id sp, int l, index_t const* also) {
    for (nesting how : {nesting::row_major, nesting::col_major}) {
        if (can_merge(g, sp, l, also, how)) return how;
    }
    return nesting::none;
}

// Two reduced loops of a reduction; kept ones stay, as its own axes follow them.
inline void merge_reduced(graph& g, node& f) {
    if (f.what != kind::reduce || !all_streamed(g, f.inner)) return;
    for (int l = g[f.inner].rank - 2; l >= 0; --l) {
        if ((f.mask >> l & 3U) != 3U || !can_merge(g, f.inner, l, nullptr, nesting::row_major)) {
            continue;
        }
        merge_pair(g, f.inner, l, nullptr, nesting::row_major);
        unsigned const below = f.mask & ((1U << l) - 1), above = f.mask >> (l + 1);
        f.mask = below | above << l;
        number_kept_axes(f, g[f.inner].rank);
    }
}

}  // namespace detail

FELT_PLANNING inline void merge_loops(graph& g, statement_id k) {
    destination& to = g[k];
    for (node_id id : g.nodes_of(k)) detail::merge_reduced(g, g[id]);
    if (!detail::all_streamed(g, to.space)) return;
    for (int l = g[to.space].rank - 2; l >= 0; --l) {
        auto const how = detail::common_nesting(g, to.space, l, to.by_loop);
        if (how != detail::nesting::none) detail::merge_pair(g, to.space, l, to.by_loop, how);
    }
}

}  // namespace felt::planning

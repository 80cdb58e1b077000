// SPDX-License-Identifier: BSD-3-Clause
//
// What those who carry out a plan ask of its graph and its schedule.
#pragma once
#include <felt/plan/1_analysis/place.hpp>

namespace felt::inline FELT_ABI::planning {

// The extent of the axis along which sum `id` is cut.
inline index_t summed_extent(graph const& g, schedule const& s, node_id id) {
    return g[g[id].inner].extent[s[id].strip];
}

// How many parts a sum that is computed first has.
inline long parts_of(graph const& g, schedule const& s, node_id id) {
    index_t const part = s[id].part;
    return static_cast<long>((summed_extent(g, s, id) + part - 1) / part);
}

namespace detail {

// Whether the rows of view id are found in its source one by one (rows_in_place.hpp), which has
// loops of its own that do not run then.
inline bool finds_rows(graph const& g, schedule const& s, node_id id) {
    return s[id].by == way::streamed && g[id].inner;
}

// Whether the box of node f moves with loop l of its reader: it does not along what it has all of.
inline bool box_moves(node const& f, loop_id l) {
    for (axis_id a : f.axes()) {
        if (a != f.whole && f.at.coef[a][l] != 0) return true;
    }
    return false;
}

// What id reads through views that are only other strides: itself, if it is none.
inline node_id below_strides(graph const& g, node_id id) {
    while (g[id].what == kind::affine || (g[id].what == kind::general && !g[id].inner)) ++id;
    return id;
}

// The leaf that id is, or is only other strides of; none if it is anything else.
inline node_id leaf_read_by(graph const& g, node_id id) {
    node_id const x = below_strides(g, id);
    bool const moves = g[x].lie_along != nullptr && x != id;
    return g[x].what == kind::leaf && !moves ? x : node_id{};
}

// Whether a view that only shifts has its source computed where its own elements are.
inline bool computes_source(graph const& g, node_id id) {
    return shifts(g[id], g[id + 1].rank) && !lies_in_memory(g, id + 1);
}

// Whether nothing below is computed block by block, so that its values stay the same.
inline bool is_fixed(graph const& g, schedule const& s, node_id id) {
    for (node_id x : g.below(id)) {
        if (s[x].by == way::scratch) return false;
    }
    return true;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning

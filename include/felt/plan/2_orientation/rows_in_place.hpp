// SPDX-License-Identifier: BSD-3-Clause
//
// A view of which the lanes follow an axis of memory, step by step and never past its ends: each
// of its rows is a row of the source, or all fill. Such rows are read where they lie.
//
// A row is found anew whenever it is read; copied into a box it is found once, and then read as
// memory is. So what is read often, as the overlapping windows of a stencil, is copied.
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/1_analysis/queries.hpp>
#include <felt/plan/constants.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// How often an element may be read: by windows of 3 by 3 with stride 2 it is 2.25 times, with
// stride 1 nine times.
inline constexpr double most_readings_in_place = 3;

// The leaf that is the source of view id, or whose strides the source is; none if it is anything
// else.
inline node_id leaf_of_source(graph const& g, node_id id) {
    node_id const x = leaf_read_by(g, id + 1);
    return x && g[x].lie_along == nullptr ? x : node_id{};
}

// The axes of the source of view x, by the loops of x.
inline axis_map axes_of_source(graph const& g, node_id x) {
    axis_map m = {};
    follow_view(m, g[x + 1], g[x], g[x].at);
    return m;
}

// Whether the rows of view x along loop l are rows of the leaf below it, within its ends.
inline bool has_rows_of(graph const& g, node_id x, node_id leaf, loop_id l) {
    node const& source = g[x + 1];
    axis_map const m = axes_of_source(g, x);
    bool found = false;
    for (axis_id a : source.axes()) {
        axis_rule const& r = g[x].rule[a];
        if (r.mode != pad_mode::constant) return false;
        if (m.coef[a][l] == 0) continue;
        if (found || m.coef[a][l] != 1 || r.divide != 1 || g[leaf].by_loop[a] != 1) return false;
        index_t least = m.offset[a], most = least;
        for (loop_id o : m.all_loops()) {
            index_t const reach = m.coef[a][o] * (g[g[x].space].extent[o] - 1);
            (reach < 0 ? least : most) += reach;
        }
        if (least < 0 || most >= source.extent[a]) return false;
        found = true;
    }
    return found;
}

inline bool is_written(graph const& g, node_id leaf) {
    for (statement_id k : g.statements.ids()) {
        if (touches(g, leaf, g[k])) return true;
    }
    return false;
}

inline bool reads_rows_in_place(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    if (f.what != kind::general || !f.inner || s[id].by != way::scratch) return false;
    loop_space const& in = g[f.space];
    loop_id const lane = s[f.space].lane;
    bool const by_rows = !in.owner || g[in.owner].what == kind::reduce;
    if (!by_rows || lane < 0 || in.extent[lane] < full_lanes) return false;
    double readings = 1;
    for (loop_id l : in.loops()) readings *= static_cast<double>(in.extent[l]);
    if (readings > most_readings_in_place * elements(f)) return false;
    node_id const leaf = leaf_of_source(g, id);
    return leaf && has_rows_of(g, id, leaf, lane) && !is_written(g, leaf);
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// A view of which the lanes follow an axis of memory, step by step and never past its ends: each
// of its rows is a row of the source, or all fill. Such rows are read where they lie.
//
// A row is found anew whenever it is read; copied into a box it is found once, and then read as
// memory is. So what is read often, as the overlapping windows of a stencil, is copied.
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/constants.hpp>

namespace felt::planning::detail {

// How often an element may be read: by windows of 3 by 3 with stride 2 it is 2.25 times, with
// stride 1 nine times.
inline constexpr double most_readings_in_place = 3;

// The leaf that is the source of view id, or affine views of it; none if it is anything else.
inline node_id leaf_of_source(graph const& g, node_id id) {
    node_id x = id + 1;
    while (g[x].what == kind::affine) ++x;
    return g[x].what == kind::leaf && g[x].lie_along == nullptr ? x : node_id{};
}

// The axis of the source along which the rows of the view lie that run along loop l; -1: they don't
// lie so.
inline axis_id axis_of_rows(graph const& g, node_id id, node_id leaf, loop_id l) {
    node const &f = g[id], &source = g[id + 1];
    axis_id moved, found;
    for (axis_id a : f.axes()) {
        if (f.at.coef[a][l] == 0) continue;
        if (moved >= 0 || f.at.coef[a][l] != 1) return {};
        for (loop_id o : f.at.all_loops()) {
            if (o != l && f.at.coef[a][o] != 0) return {};
        }
        moved = a;
    }
    for (axis_id a : source.axes()) {
        axis_rule const& r = f.rule[a];
        if (r.mode != pad_mode::constant) return {};
        if (moved < 0 || (r.out1 != moved && r.out2 != moved)) continue;
        bool const plain = r.out1 == moved && r.out2 < 0 && r.stride == 1 && r.divide == 1;
        if (found >= 0 || !plain || g[leaf].by_loop[a] != 1) return {};
        index_t const first = r.offset + f.at.offset[moved];
        if (first < 0 || first + g[f.space].extent[l] > source.extent[a]) return {};
        found = a;
    }
    return found;
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
    if (!leaf || axis_of_rows(g, id, leaf, lane) < 0) return false;
    for (statement_id k : g.statements.ids()) {
        if (touches(g, leaf, g[k])) return false;
    }
    return true;
}

FELT_PLANNING inline void read_rows_in_place(graph const& g, schedule& s) {
    for (node_id id : g.nodes.ids()) {
        if (reads_rows_in_place(g, s, id)) s[id].by = way::streamed;
    }
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// What tiles cost, in operations: to compare tiles of one space.
#pragma once
#include <felt/plan/caches.hpp>
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/recompute.hpp>

namespace felt::inline FELT_ABI::planning::detail {

inline bool contains_kept_product(graph const& g, schedule const& s, node_id id) {
    for (node_id x : g.subtree(id)) {
        if (g[x].what == kind::contract && s[x].reused != nullptr) return true;
    }
    return false;
}

// The axis of node id that the lanes of its operand's loops, those of space sp, follow; -1 if none
// does.
inline axis_id axis_along_lanes(graph const& g, schedule const& s, node_id id, space_id sp) {
    loop_id const lane = s[sp].lane;
    return lane < 0 ? axis_id() : axis_in_step(operand_rule(g[id], sp - g[id].inner, lane));
}

// What it takes to begin rows that a box of extents x cuts: those of its reader are cut anyway.
inline double work_of_rows(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    double all = 0;
    if (lies_as_operand(f)) return all;
    for (node_id c : g.operands(id)) {
        axis_id const a = axis_along_lanes(g, s, id, g[c].space);
        if (a < 0 || x[a] >= f.extent[a]) continue;
        all += row_start * elements(g[c]) / static_cast<double>(std::max<index_t>(x[a], 1));
    }
    return all;
}

// Products of few rows or columns keep the arithmetic units waiting for their operands. In the
// destination, rows go together that follow each other there.
inline double small_tile_penalty(graph const& g, schedule const& s, node_id id,
                                 index_t const* block) {
    node const& f = g[id];
    if (!contains_product(g, id)) return 1;
    index_t x[max_axes] = {};
    image_extents(g, s, id, block, x);
    unsigned const along = column_axes(g, s, id);
    double size[2] = {1, 1};  // rows and columns; those that are summed over are not cut
    bool has[2] = {false, false};
    bool together = true;
    for (axis_id a{f.rank - 1}; a >= 0; --a) {
        unsigned const side = along >> a & 1U;
        has[side] = true;
        if (side == 0 && !together) continue;
        size[side] *= static_cast<double>(std::max<index_t>(x[a], 1));
        bool const cut = side == 0 && x[a] < f.extent[a];
        together = together && !(cut && contains_kept_product(g, s, id));
    }
    return 1 + (has[0] ? idle_rows / size[0] : 0) + (has[1] ? idle_columns / size[1] : 0);
}

// In a scan along its lanes one element waits for the other, unless there are other rows to go on
// with, up to as many as a batch has lanes.
inline double waits(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    if (f.what != kind::scan || s[f.inner].lane != f.whole) return 1;
    index_t rows = 1;
    for (axis_id a : f.axes()) rows *= a == f.whole ? 1 : x[a];
    return std::max(1.0, by_element / static_cast<double>(std::max<index_t>(rows, 1)));
}

// Operations to compute the whole of every node once, with what is below it.
FELT_PLANNING inline void count_work(graph& g) {
    for (node_id id = g.nodes.end_id() - 1; id; --id) {
        node& f = g[id];
        f.work = elements(f) * std::max(f.cost, 1);
        if (f.what == kind::contract) {
            loop_space const& in = g[f.inner];
            for (loop_id l{f.rank}; l < in.rank; ++l) f.work *= static_cast<double>(in.extent[l]);
            f.work /= static_cast<double>(blocks_of(g, id));
        }
        for (node_id c : g.operands(id)) f.work += g[c].work;
    }
}

// Operations that a reduction's boxes of extents x repeat: what it reads by windows overlaps.
inline double work_of_overlap(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    if (f.what != kind::reduce) return 0;
    loop_space const& in = g[f.inner];
    index_t inside[max_axes] = {};
    int kept = 0;
    for (loop_id l : in.loops()) {
        inside[l] = (f.mask >> l & 1U) != 0 ? in.extent[l] : x[kept++];
    }
    double again = 0;
    for (node_id c : g.read_in(f.inner)) {
        if (s[c].by != way::scratch) continue;
        again += (overlapping(g, s, f.inner, c, inside) - 1) * g[c].work;
    }
    return again;
}

// What it takes to make operand `side` of product id ready once more, in terms: it is read, from
// memory if no cache holds it, and packed if it does not lie in place.
inline double work_of_operand(graph const& g, schedule const& s, node_id id, int side) {
    node const& x = g[g.operand(id, side)];
    product_schedule const& p = s[g[id].product];
    double const bytes = elements(x) * x.value_bytes;
    bool const in_place = side == p.rows_from ? p.left_in_place : p.right_in_place;
    double const packing = in_place ? 0 : elements(x) * price.packed;
    double const reading = bytes > caches().last ? bytes * price.far_bytes : 0;
    return (packing + reading) / price.terms;
}

// What it takes to read values of a space that are kept in the destination from memory, and to
// write them again, in terms.
inline double work_of_kept(footprint const& n, double blocks) {
    return 2 * static_cast<double>(n.reused) * blocks * price.far_bytes / price.terms;
}

// Operations of all nodes read in the loops of a space that advance by block in an order, counting
// what is computed twice. Blocks below are as the schedule says.
FELT_PLANNING inline double work_of(graph const& g, schedule const& s, space_id sp,
                                    loop_id const* order, index_t const* block) {
    double n = 0;
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (s[id].by != way::scratch) continue;
        double const times = recompute(g, s, sp, id, order, block);
        index_t box[max_axes] = {};
        image_extents(g, s, id, block, box);
        double const slower = small_tile_penalty(g, s, id, block) * waits(g, s, id, box);
        n += times * (f.work * slower + work_of_rows(g, s, id, box));
        n += times * work_of_overlap(g, s, id, box);
        if (f.what == kind::general) {
            node const& source = g[id + 1];
            n += times * (overlap(f, source, box) - 1) * source.work;
        }
        for (int side = 0; f.what == kind::contract && side < 2; ++side) {
            space_id const inner = f.inner + side;
            double const repacks = repack_factor(g, s, id, side, order, block);
            n += (repacks - 1) * times * work_of_operand(g, s, id, side);
            loop_space const& in = g[inner];
            for (loop_id l{f.rank}; l < in.rank; ++l) box[l] = in.extent[l];  // all shared terms
            for (node_id x : g.read_in(inner)) {
                if (s[x].by != way::scratch) continue;
                n += (repacks * overlapping(g, s, inner, x, box) - 1) * times * g[x].work;
            }
        }
    }
    return n;
}

// Work that is done again because an equal node holds only a part of what is asked for, once the
// loops of a space are cut into blocks.
FELT_PLANNING inline double work_of_equal_nodes(graph const& g, schedule const& s, space_id sp,
                                                index_t const* block) {
    double again = 0;
    node_id done;  // what is below a node is counted with it
    for (equal_axis const& t : s.equal_axes) {
        placement const& f = s[t.id];
        if (t.space != sp || t.id < done || f.by != way::scratch || f.strip_axis >= 0) continue;
        if (s[f.slot].by == way::hoisted) continue;
        bool is_cut = false;
        for (loop_id l : g[sp].loops()) {
            is_cut = is_cut || ((t.loops >> l & 1U) != 0 && steps_of(g[sp], l, block) > 1);
        }
        if (!is_cut || move_together(g, s, t.id, f.slot, t.axis, false)) continue;
        again += g[t.id].work;
        done = g[t.id].end;
    }
    return again;
}

}  // namespace felt::inline FELT_ABI::planning::detail

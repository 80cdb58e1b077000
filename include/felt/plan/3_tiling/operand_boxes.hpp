// SPDX-License-Identifier: BSD-3-Clause
//
// What a node asks of its operands when it is asked for a box.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/recompute.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// What a task takes of the source of a reshape: one step of its outermost axis, at least, and of
// products rows that are worth packing the other operand for.
inline index_t piece_of_task(graph const& g, node_id id) {
    node const& source = g[id];
    index_t const all = product(source.extent, source.rank);
    index_t const row = source.rank > 0 ? source.extent[source.rank - 1] : 1;
    index_t step = all;
    for (axis_id a{0}; a < source.rank && step == all; ++a) {
        step /= std::max<index_t>(source.extent[a], 1);
    }
    return std::max(step, contains_product(g, id) ? most_mc * row : task_elements / 4);
}

// Rows that it takes for scans along their lanes not to wait, if there are any in a space.
inline index_t rows_of_scans(graph const& g, schedule const& s, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (f.what == kind::scan && s[f.inner].lane == f.whole)
            return static_cast<index_t>(by_element);
    }
    return 1;
}

// A reshape takes its source in pieces of consecutive elements: about as many as it has itself, and
// enough that rows along the source's lanes are not short. One that has all at once goes through
// them in order; then they are no longer than it takes for tasks.
inline void reshape_pieces(graph const& g, schedule const& s, node_id id, index_t elements,
                           bool whole, index_t* box) {
    node const& source = g[id];
    axis_id const lane(s[source.space].lane);
    index_t const most = scratch_limit / 8 / source.value_bytes;
    index_t rows = lane < 0 ? 1 : lane_step;
    for (axis_id a{source.rank - 1}; a > lane; --a) rows *= source.extent[a];
    if (whole) elements = std::min(elements, piece_of_task(g, id));
    if (source.rank > 0) {
        index_t const row = source.extent[source.rank - 1];
        rows = std::max(rows, rows_of_scans(g, s, source.space) * row);
    }
    index_t const limit = std::clamp<index_t>(std::max(elements, rows), 1, most);
    index_t inner = product(source.extent, source.rank);
    std::copy(source.extent, source.extent + source.rank, box);
    for (axis_id a{0}; a < source.rank && inner > limit; ++a) {
        inner /= std::max<index_t>(source.extent[a], 1);
        box[a] = std::min(source.extent[a], std::max<index_t>(1, limit / inner));
        inner *= box[a];
    }
}

// What view id takes of operand c for a box of extents x: at most as much as the box itself times
// its overlap.
inline void box_of_operand(graph const& g, schedule const& s, node_id id, node_id c,
                           index_t const* x, index_t* box) {
    node const &f = g[id], &source = g[c];
    for (axis_id a : source.axes()) {
        axis_rule r = operand_rule(f, c == id + 1 ? 0 : 1, a);
        if (lies_as_operand(f)) r.out1 = a, r.stride = 1;
        box[a] = source.extent[a];
        if (f.rule == nullptr && r.out1 < 0) continue;
        index_t reach = 1;
        if (r.out1 >= 0) reach += std::abs(r.stride) * (x[r.out1] - 1);
        if (r.out2 >= 0) reach += std::abs(r.dilation) * (x[r.out2] - 1);
        index_t const most = r.divide == 1 ? reach : (reach - 1) / r.divide + 2;
        box[a] = std::min(box[a], most);
    }
    if (f.what == kind::reshape) {
        index_t const elements = product(x, f.rank);
        bool const whole = elements == product(f.extent, f.rank);
        reshape_pieces(g, s, c, elements, whole, box);
    }
}

// A box of scratch that is a product's left operand and whose pieces overlap, because a shared
// label and one of the rows follow the same axis, is made ready for all of such labels, a bit each,
// if that is not too much.
FELT_PLANNING inline unsigned labels_kept_whole(graph const& g, schedule const& s, node_id id,
                                                index_t const* block) {
    product_schedule const& p = s[g[id].product];
    if (!p.left_boxed) return 0;
    node_id const memory = memory_below(g, g.operand(id, p.rows_from));
    node const& x = g[memory];
    loop_space const& in = g[x.space];
    index_t whole[max_axes] = {};
    std::copy(block, block + in.rank, whole);
    unsigned labels = 0;
    for (label_id l : p.axes.k) {
        bool shares = false;
        for (axis_id a : x.axes()) {
            if (x.at.coef[a][l] == 0) continue;
            for (label_id row : p.axes.m) shares = shares || x.at.coef[a][row] != 0;
        }
        if (!shares) continue;
        labels |= 1U << l;
        whole[l] = in.extent[l];
    }
    index_t box[max_axes] = {};
    image_extents(g, s, memory, whole, box);
    return product(box, x.rank) * x.value_bytes > scratch_limit / 4 ? 0 : labels;
}

}  // namespace felt::inline FELT_ABI::planning::detail

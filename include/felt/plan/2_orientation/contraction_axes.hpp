// SPDX-License-Identifier: BSD-3-Clause
//
// The labels of a contraction: which are rows, columns, batches and shared, and whether an operand
// lies in memory as the loops over them want it.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/queries.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// The column that its reader's lanes follow comes last; the others stay in the labels' order.
inline void put_lanes_last(graph const& g, schedule const& s, node_id id, label_list& columns) {
    node const& f = g[id];
    loop_id const lane = s[f.space].columns_along();
    std::sort(columns.label, columns.label + columns.count);
    auto const follows = [&](label_id l) { return lane >= 0 && f.at.coef[l][lane] != 0; };
    label_id const* const first = std::find_if(columns.begin(), columns.end(), follows);
    if (first != columns.end()) columns.put_last(*first);
}

}  // namespace detail

// How the labels of product id divide when the operand `left` gives the rows.
FELT_PLANNING inline contraction_axes divide_labels(graph const& g, schedule const& s, node_id id,
                                                    int left) {
    node const& f = g[id];
    contraction const& p = g[f.product];
    contraction_axes axes;
    for (label_id l : first_of<label_id>(g[f.inner].rank)) {
        if (l == p.diagonal.term) continue;
        bool const in_left = (p.labels[left] >> l & 1U) != 0;
        bool const in_right = (p.labels[1 - left] >> l & 1U) != 0;
        if (l >= f.rank) axes.k.add(l);
        else if (in_left && in_right) axes.batch.add(l);
        else (in_left ? axes.m : axes.n).add(l);
    }
    detail::put_lanes_last(g, s, id, axes.n);
    return axes;
}

// The axis of a node that its reader's lanes follow; the last if none does.
inline axis_id axis_of_lanes(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    loop_id const lane = s[f.space].lane;
    for (axis_id a{0}; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) return a;
    }
    return axis_id(f.rank - 1);
}

namespace detail {

// What an operand of a product reads as memory: a leaf, or a box of scratch, through views that
// are only strides; none if neither.
inline node_id memory_below(graph const& g, node_id id) {
    node_id const x = below_strides(g, id);
    return g[x].what == kind::leaf || g[x].what == kind::general ? x : node_id{};
}

// The step along loop l of what lies in memory, of a box of scratch in elements of its lanes.
inline index_t step_along(graph const& g, schedule const& s, node_id x, loop_id l) {
    if (g[x].what == kind::leaf) return by_loop_of(g, s, x)[l];
    return g[x].at.coef[axis_of_lanes(g, s, x)][l];
}

// Whether an operand of product id lies in memory so that the loops walk through it: terms of the
// left operand are contiguous, or its rows; columns of the right one. Rows 4 KiB apart fall into
// the same few lines of a first-level cache: then a left operand is packed that more than one strip
// of columns reads, and a right one that many strips of rows read.
inline bool lies_in_place(graph const& g, schedule const& s, node_id id, int side) {
    node const& f = g[id];
    product_schedule const& p = s[f.product];
    bool const left = p.is_left(side);
    label_list const &own_labels = left ? p.axes.m : p.axes.n, &others = left ? p.axes.n : p.axes.m;
    if (p.axes.k.count < 1 || own_labels.count < 1 || (!left && own_labels.count > 1)) return false;
    node_id const x = memory_below(g, g.operand(id, side));
    if (!x) return false;
    label_id const term = p.axes.k.last(), own = own_labels.last();
    loop_id const lane = s[f.inner + side].lane;
    node const& memory = g[x];
    bool const boxed = memory.what != kind::leaf, windows = boxed || p.axes.k.count > 1;
    bool const along = left ? lane == term || (windows && lane == own) : lane == own;
    if (!along || step_along(g, s, x, lane) != 1) return false;
    if (boxed) return left;
    index_t const readers = others.points(f.extent);
    index_t const apart = by_loop_of(g, s, x)[lane == own ? term : own] * memory.value_bytes;
    return apart % page != 0 || readers <= (left ? many_columns : many_rows);
}

// Whether the left operand of product id is rows of memory along its one term that do not lie well,
// and are copied as they are.
inline bool copies_rows(graph const& g, schedule const& s, node_id id) {
    product_schedule const& p = s[g[id].product];
    int const left = p.rows_from;
    kind const what = g[g.operand(id, left)].what;
    bool const memory = what == kind::leaf || what == kind::affine;
    bool const rows = p.axes.k.count == 1 && s[g[id].inner + left].lane == p.axes.k.last();
    return memory && rows && !lies_in_place(g, s, id, left);
}

// The axes of node id along which its product, or the one that a view reads, has its columns; those
// along its reader's lanes if that is not known.
inline unsigned column_axes(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    if (f.what == kind::contract) {
        unsigned const right = g[f.product].labels[1 - s[f.product].rows_from];
        return right & ((1U << f.rank) - 1);
    }
    loop_id const lane = s[f.space].lane;
    unsigned axes = 0;
    for (axis_id a : f.axes()) {
        axes |= lane >= 0 && f.at.coef[a][lane] != 0 ? 1U << a : 0U;
    }
    if (f.what != kind::general || !f.inner) return axes;
    for (node_id x : g.read_in(f.inner)) {
        node const& product = g[x];
        if (product.what != kind::contract) continue;
        unsigned const columns = column_axes(g, s, x);
        axes = 0;
        for (loop_id l : g[f.inner].loops()) {
            axis_id const axis = followed_axis(f, l);
            for (axis_id a : product.axes()) {
                bool const moves = (columns >> a & 1U) != 0 && product.at.coef[a][l] != 0;
                axes |= moves && axis >= 0 ? 1U << axis : 0U;
            }
        }
        break;
    }
    return axes;
}

// Whether the left operand of product id is read in memory with zeros around it
// (bordered_operand.hpp).
inline bool reads_bordered(graph const& g, schedule const& s, node_id id) {
    node_id const memory = memory_below(g, g.operand(id, s[g[id].product].rows_from));
    return memory && finds_rows(g, s, memory);
}

inline bool lies_in_box(graph const& g, schedule const& s, node_id x) {
    node_id const memory = memory_below(g, x);
    return memory && g[memory].what == kind::general && !finds_rows(g, s, memory);
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning

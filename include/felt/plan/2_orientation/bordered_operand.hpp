// SPDX-License-Identifier: BSD-3-Clause
//
// A product's left operand that is memory with zeros around it, as padded images are. Its rows and
// terms are walked in memory as if that went on beyond its border; what lies there is never read,
// for all those terms are left out (zero_terms.hpp). Nothing is copied.
//
// Strips of rows go along one of the axes that have a border, the width of images: there each term
// has its own rows, and a strip adds up the terms of one index of that axis at a time.
#pragma once
#include <felt/plan/2_orientation/rows_in_place.hpp>
#include <felt/plan/2_orientation/zero_terms.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Through the leaf by loop l, whose axes are those of m.
inline index_t step_in_leaf(axis_map const& m, node const& leaf, int rank, int l) {
    index_t step = 0;
    for (int a = 0; a < rank; ++a) step += m.coef[a][l] * leaf.by_loop[a];
    return step;
}

// Of the axes with a border the one that strips go along, that of the last row; -1: none of them.
inline int axis_of_strips(zero_axes const& zeros, label_list const& rows) {
    for (int k = 0; k < zeros.count; ++k) {
        if (zeros[k].row == rows.last()) return k;
    }
    return -1;
}

// All axes of view x that have a border; none if some of them do not follow one row and one term
// of product id, or are elements set apart.
inline zero_axes borders_of(graph const& g, schedule const& s, node_id id, node_id x) {
    zero_axes found;
    for (axis_id a{0}; a < g[x + 1].rank; ++a) {
        axis_rule const& r = g[x].rule[a];
        if (r.divide != 1 || r.mode != pad_mode::constant) return {};
        if (!has_zeros(g, x, a)) continue;
        zero_axis to;
        if (found.full() || !follow_axis(to, g, x, a, s[g[id].product].axes)) return {};
        found.add(to);
    }
    return found;
}

inline double share_of_zeros(zero_axis const& a, index_t const* extent) {
    index_t zeros = 0;
    for (index_t i = 0; i < extent[a.row]; ++i)
        for (index_t t = 0; t < extent[a.term]; ++t) zeros += a.meets(i, t) ? 0 : 1;
    return static_cast<double>(zeros) / static_cast<double>(extent[a.row] * extent[a.term]);
}

// Whether product id may read its left operand so, once its labels are divided; and its borders.
FELT_PLANNING inline bool lies_bordered(graph const& g, schedule const& s, node_id id,
                                        zero_axes& borders) {
    product_schedule const& p = s[g[id].product];
    int const left = p.rows_from;
    node_id const x = memory_below(g, g.operand(id, left));
    if (!x || g[x].what != kind::general || !g[x].zero_fill || !g[x].inner) return false;
    bool const is_boxed = s[x].by == way::scratch && g[x].space == g[id].inner + left;
    if (!is_boxed || !lies_in_place(g, s, id, left)) return false;
    loop_id const lane = s[g[x].space].lane;
    node_id const leaf = leaf_of_source(g, x);
    if (!leaf || !has_rows_of(g, x, leaf, lane) || is_written(g, leaf)) return false;
    borders = borders_of(g, s, id, x);
    return !borders.empty();
}

// Whether to read it so pays.
FELT_PLANNING inline bool may_read_bordered(graph const& g, schedule const& s, node_id id) {
    product_schedule const& p = s[g[id].product];
    zero_axes borders;
    if (!lies_bordered(g, s, id, borders)) return false;
    int const strips = axis_of_strips(borders, p.axes.m);
    index_t const* const extent = g[g[id].inner].extent;
    if (strips < 0) return extent[p.axes.m.last()] >= least_rows_of_strip;
    zero_axis const& along = borders[strips];
    double const all = static_cast<double>(p.axes.k.points(extent));
    double const terms = all / static_cast<double>(extent[along.term]);
    return share_of_zeros(along, extent) > least_zeros + zeros_for_strips / terms;
}

// Terms that are taken by themselves are cut first.
inline void read_bordered(graph const& g, schedule& s, node_id id) {
    product_schedule& p = s[g[id].product];
    node_id const x = memory_below(g, g.operand(id, p.rows_from));
    s[x].by = way::streamed;
    zero_axes const borders = borders_of(g, s, id, x);
    int const strips = axis_of_strips(borders, p.axes.m);
    if (strips < 0) return;
    label_id* const end = p.axes.k.label + p.axes.k.count;
    label_id* const alone = std::find(p.axes.k.label, end, borders[strips].term);
    std::rotate(p.axes.k.label, alone, alone + 1);
}

}  // namespace felt::inline FELT_ABI::planning::detail

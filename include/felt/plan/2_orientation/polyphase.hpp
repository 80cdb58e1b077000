// SPDX-License-Identifier: BSD-3-Clause
//
// Terms of a product that are 0 wherever its left operand lies: a view has set elements apart, as
// the derivative of a convolution by its images does with results that have a stride. Along such
// an axis term t of row i is an element only where offset + by_row i + by_term t is a multiple of
// `apart`, so that each `apart`th row has the same terms: a phase.
#pragma once
#include <felt/plan/2_orientation/contraction_axes.hpp>

namespace felt::planning {

// How many phases there are.
inline index_t phases_of(apart_axes const& apart) {
    index_t n = 1;
    for (apart_axis const& a : apart) n *= a.apart;
    return n;
}

// The terms that are set apart, a bit for each label.
inline unsigned terms_of(apart_axes const& apart) {
    unsigned mask = 0;
    for (apart_axis const& a : apart) mask |= 1U << a.term;
    return mask;
}

namespace detail {

inline bool sets_apart(axis_rule const& r) {
    return r.exact && r.divide > 1 && r.out1 >= 0 && r.out2 < 0;
}

// Sets the labels that axis `a` of a node follows; false if these are not one row and one term.
inline bool follow(apart_axis& to, node const& f, axis_id a, index_t step,
                   contraction_axes const& of) {
    for (loop_id l : f.at.all_loops()) {
        index_t const by = step * f.at.coef[a][l];
        if (by == 0) continue;
        bool const is_row = of.m.has(label_id(l));
        label_id& label = is_row ? to.row : to.term;
        if (label >= 0) return false;
        label = label_id(l);
        (is_row ? to.by_row : to.by_term) = by;
    }
    return to.row >= 0 && of.k.has(to.term);
}

}  // namespace detail

// The side of the operand of product id whose elements are set apart; -1 if neither's are.
inline int side_set_apart(graph const& g, node_id id) {
    for (int side = 0; side < 2; ++side) {
        node_id const view = detail::memory_below(g, g.operand(id, side));
        if (!view || g[view].what != kind::general || !g[view].zero_fill) continue;
        for (axis_id a{0}; a < g[view + 1].rank; ++a) {
            if (detail::sets_apart(g[view].rule[a])) return side;
        }
    }
    return -1;
}

// Of product id, once it is known what is packed.
FELT_PLANNING inline apart_axes find_apart_axes(graph const& g, schedule const& s, node_id id) {
    apart_axes found;
    product_schedule const& p = s[g[id].product];
    if (!p.left_boxed || !p.left_in_place) return found;
    node_id const x = detail::memory_below(g, g.operand(id, p.rows_from));
    if (!x || g[x].what != kind::general || !g[x].zero_fill) return found;
    node const& view = g[x];
    for (axis_id a{0}; a < g[x + 1].rank; ++a) {
        axis_rule const& rule = view.rule[a];
        if (!detail::sets_apart(rule) || found.full()) continue;
        apart_axis to;
        to.offset = rule.offset + rule.stride * view.at.offset[rule.out1];
        to.apart = rule.divide;
        if (detail::follow(to, view, axis_id(rule.out1), rule.stride, p.axes)) found.add(to);
    }
    return found;
}

}  // namespace felt::planning

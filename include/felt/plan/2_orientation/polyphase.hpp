// SPDX-License-Identifier: BSD-3-Clause
//
// Terms of a product that are 0 wherever its left operand lies: a view has set elements apart, as
// the derivative of a convolution by its images does with results that have a stride. Along such
// an axis term t of row i is an element only where offset + by_row i + by_term t is a multiple of
// `apart`, so that each `apart`th row has the same terms: a phase.
#pragma once
#include <felt/plan/2_orientation/contraction_axes.hpp>

namespace felt::planning {

struct apart_axis {
    int row = -1, term = -1;  // labels
    index_t offset = 0, by_row = 0, by_term = 0, apart = 1;

    bool meets(index_t i, index_t t) const {
        return (offset + by_row * i + by_term * t) % apart == 0;
    }
};

struct apart_axes {
    apart_axis axis[max_axes] = {};
    int count = 0;

    index_t phases() const {
        index_t n = 1;
        for (int i = 0; i < count; ++i) n *= axis[i].apart;
        return n;
    }
    unsigned terms() const {  // a bit each
        unsigned mask = 0;
        for (int i = 0; i < count; ++i) mask |= 1U << axis[i].term;
        return mask;
    }
};

namespace detail {

inline bool sets_apart(axis_rule const& r) {
    return r.exact && r.divide > 1 && r.out1 >= 0 && r.out2 < 0;
}

// Sets the labels that axis `a` of a node follows; false if these are not one row and one term.
inline bool follow(apart_axis& to, node const& f, int a, index_t step, contract_roles const& r) {
    auto const is_row = [&](int l) { return std::count(r.row, r.row + r.rows, l) > 0; };
    for (int l = 0; l < f.at.loops; ++l) {
        index_t const by = step * f.at.coef[a][l];
        if (by == 0) continue;
        int& label = is_row(l) ? to.row : to.term;
        if (label >= 0) return false;
        label = l;
        (is_row(l) ? to.by_row : to.by_term) = by;
    }
    bool const summed = std::count(r.shared, r.shared + r.shareds, to.term) > 0;
    return to.row >= 0 && summed;
}

}  // namespace detail

// The side of the operand of product id whose elements are set apart; -1 if neither's are.
inline int side_set_apart(graph const& g, node_id id) {
    for (int side = 0; side < 2; ++side) {
        node_id const view = detail::memory_below(g, g.operand(id, side));
        if (!view || g[view].what != kind::general || !g[view].zero_fill) continue;
        for (int a = 0; a < g[view + 1].rank; ++a) {
            if (detail::sets_apart(g[view].rule[a])) return side;
        }
    }
    return -1;
}

// Of product id.
FELT_PLANNING inline apart_axes apart_axes_of(graph const& g, schedule const& s, node_id id,
                                              contract_roles const& r) {
    apart_axes found;
    if (!s[id].left_boxed || !s[id].left_in_place) return found;
    node_id const x = detail::memory_below(g, g.operand(id, s[id].swapped ? 1 : 0));
    if (!x || g[x].what != kind::general || !g[x].zero_fill) return found;
    node const& view = g[x];
    for (int a = 0; a < g[x + 1].rank; ++a) {
        axis_rule const& rule = view.rule[a];
        if (!detail::sets_apart(rule)) continue;
        apart_axis to;
        to.offset = rule.offset + rule.stride * view.at.offset[rule.out1];
        to.apart = rule.divide;
        if (detail::follow(to, view, rule.out1, rule.stride, r)) found.axis[found.count++] = to;
    }
    return found;
}

}  // namespace felt::planning

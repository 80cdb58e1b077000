// SPDX-License-Identifier: BSD-3-Clause
//
// Terms of a product that are 0 wherever its left operand lies: beyond the border of padded images,
// and between elements that a view has set apart, as the derivative of a convolution by its images
// does with results that have a stride. Along such an axis term t of row i is an element only where
//
//     e = (offset + by_row i + by_term t) / apart
//
// is a whole number and 0 <= e < extent. Rows that have the same terms are a phase: each `apart`th
// one, and by themselves those near a border.
#pragma once
#include <felt/plan/2_orientation/contraction_axes.hpp>
#include <vector>

namespace felt::inline FELT_ABI::planning {

// Indices first .. end - 1 of a label.
struct index_span {
    index_t first, end;

    friend bool operator==(index_span, index_span) = default;
};

// Rows begin, begin + step, .. have those of these terms that they meet.
struct row_phase {
    index_t begin, step, count;
    index_span terms;
};

// The phases of some rows for some terms.
FELT_PLANNING inline void find_phases(zero_axis const& a, index_span rows, index_span terms,
                                      std::vector<row_phase>& to) {
    // Which terms a row has follows from its first and its last one, for rows that are `apart`.
    auto const terms_of = [&](index_t i) {
        index_span of{terms.first, terms.first};
        for (index_t t = terms.first; t < terms.end; ++t) {
            if (a.meets(i, t)) of = {of.first == of.end ? t : of.first, t + 1};
        }
        return of;
    };
    to.clear();
    for (index_t first = rows.first; first < std::min(rows.first + a.apart, rows.end); ++first) {
        to.push_back({first, a.apart, 1, terms_of(first)});
        for (index_t i = first + a.apart; i < rows.end; i += a.apart) {
            index_span const now = terms_of(i);
            if (now == to.back().terms) ++to.back().count;
            else to.push_back({i, a.apart, 1, now});
        }
    }
}

namespace detail {

inline bool sets_apart(axis_rule const& r) {
    return r.exact && r.divide > 1 && r.out1 >= 0 && r.out2 < 0;
}
// Whether elements of a view along axis `out` of n lie before the first or behind the last of its
// source.
inline bool reaches_beyond(axis_rule const& r, index_t n, index_t source) {
    bool const is_step = r.divide == 1 && r.out1 >= 0 && r.out2 < 0 && n > 0;
    index_t const last = r.offset + r.stride * (n - 1);
    return is_step && (std::min(r.offset, last) < 0 || std::max(r.offset, last) >= source);
}

// Along axis a of the source of view x.
inline bool has_zeros(graph const& g, node_id x, axis_id a) {
    axis_rule const& r = g[x].rule[a];
    return sets_apart(r) ||
           (r.out1 >= 0 && reaches_beyond(r, g[x].extent[r.out1], g[x + 1].extent[a]));
}

// Sets the labels that axis `a` of a node follows; false if these are not one row and one term.
inline bool follow(zero_axis& to, node const& f, axis_id a, index_t step,
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
inline bool follow_axis(zero_axis& to, graph const& g, node_id x, axis_id a,
                        contraction_axes const& of) {
    axis_rule const& r = g[x].rule[a];
    axis_id const out(r.out1);
    to.offset = r.offset + r.stride * g[x].at.offset[out];
    to.apart = r.divide, to.extent = g[x + 1].extent[a];
    return follow(to, g[x], out, r.stride, of);
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

// Of the left operand of product id, once it is known what is packed.
FELT_PLANNING inline zero_axes find_zero_axes(graph const& g, schedule const& s, node_id id) {
    zero_axes found;
    product_schedule const& p = s[g[id].product];
    node_id const x = detail::memory_below(g, g.operand(id, p.rows_from));
    bool const in_place = p.left_in_place && (p.left_boxed || p.left_bordered);
    if (!in_place || g[x].what != kind::general || !g[x].zero_fill) return found;
    for (axis_id a{0}; a < g[x + 1].rank; ++a) {
        zero_axis to;
        bool const some = detail::has_zeros(g, x, a) && !found.full();
        if (some && detail::follow_axis(to, g, x, a, p.axes)) found.add(to);
    }
    return found;
}

}  // namespace felt::inline FELT_ABI::planning

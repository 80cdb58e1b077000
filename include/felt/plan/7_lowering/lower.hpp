// SPDX-License-Identifier: BSD-3-Clause
//
// What follows for the host's loops when everything is decided, written down once: they read it,
// and ask nothing about the graph again.
#pragma once
#include <felt/plan/1_analysis/queries.hpp>
#include <felt/plan/2_orientation/bordered_operand.hpp>
#include <felt/plan/3_tiling/cache_blocking.hpp>
#include <felt/plan/5_hoisting/invariants.hpp>
#include <felt/plan/7_lowering/equal_boxes.hpp>
#include <felt/plan/7_lowering/narrow_factors.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Whether the left operand of a product is computed, or copied, row by row along the terms: rows in
// scratch are then as good as packed ones.
inline bool computes_rows(graph const& g, schedule const& s, node_id id) {
    product_schedule const& p = s[g[id].product];
    node_id const operand = below_strides(g, g.operand(id, p.rows_from));
    bool const along = p.axes.k.count > 0 && s[g[id].inner + p.rows_from].lane == p.axes.k.last();
    return along && (g[operand].what != kind::leaf || copies_rows(g, s, id));
}

inline void lower_product(graph const& g, schedule& s, node_id id) {
    product_schedule& p = s[g[id].product];
    if (s[id].strip >= 0 || s[id].part > 0) p.fast = {};  // it wants all terms at once
    p.rows_apart = rows_apart(g, s, id);
    p.left_bordered = p.left_in_place && reads_bordered(g, s, id);
    p.zeros = find_zero_axes(g, s, id);
    int const strips = p.left_bordered ? axis_of_strips(p.zeros, p.axes.m) : -1;
    if (strips >= 0) p.zeros.value[strips].by_term_alone = true;
    bool const carries = g[id].carries_softmax;
    p.streams_right = streams_right(g, s, id);
    p.computes_left = carries || (!p.streams_right && computes_rows(g, s, id));
    p.carries_softmax = carries;
    if (!carries && p.fast.by == nullptr) find_narrow_factors(g, s, id);
}

inline void lower_node(graph const& g, schedule& s, node_id id) {
    node const& f = g[id];
    placement& to = s[id];
    to.lane_axis = axis_of_lanes(g, s, id);
    if (f.what == kind::contract) lower_product(g, s, id);
    if (f.what == kind::reduce) to.carries_rounding = carries(g, s, id);
    if (f.what == kind::general) to.computes_source = computes_source(g, id);
    if (to.kept_along >= 0) to.fixed = is_fixed(g, s, id);
}

FELT_PLANNING inline void lower(graph const& g, schedule& s) {
    for (pass_facts const& pass : s.passes) {
        for (statement_id k : pass.statements()) {
            keep_invariants(g, s, g[k].root);
            find_wanted_by_equal(g, s, k, pass.shared_out);
        }
    }
    for (space_id sp : g.spaces.ids()) s[sp].summed_rows = loops_of_summed_rows(g, s, sp);
    for (node_id id : g.nodes.ids()) lower_node(g, s, id);
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// The planner from end to end: a graph in, a schedule out. The steps are the folders, by number:
//
//     1_analysis           what statements read of what they write, loops that count as one, equal
//                          nodes, how much work each value is
//     2_orientation        which loop runs along the lanes, which operands are transposed
//     3_tiling             the tiles of loops and products by footprint and cost
//     4_destination_reuse  what lies in its destination until the results replace it
//     5_hoisting           what is computed first, as a whole, or once for a tile
//     6_statement_fusion   which statements share a pass, strip by strip
//     7_lowering           tasks, parts of long sums, fast paths; what the plan moves and computes
//
// A step reads what those before it have decided.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/plan/constants.hpp>
#include <felt/plan/2_orientation/fast_convolution.hpp>
#include <felt/plan/5_hoisting/never_slower.hpp>
#include <felt/plan/6_statement_fusion/in_place.hpp>
#include <felt/plan/6_statement_fusion/strips.hpp>
#include <felt/plan/algorithm_choice.hpp>
#include <felt/plan/make_plan.hpp>
#include <felt/plan/7_lowering/lower.hpp>
#include <felt/plan/7_lowering/split_reduction.hpp>
#include <felt/plan/recent_plans.hpp>
#include <felt/plan/7_lowering/fast_paths.hpp>
#include <felt/plan/1_analysis/cse.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Tiles: in each strip of several statements all of it, of one alone what is expected to be best.
FELT_PLANNING inline void tile(graph const& g, schedule& s, pass_facts const& pass) {
    statement_id const k = pass.first;
    if (!pass.alone()) {
        tile_pass(g, s, pass, pass.strip);
        return;
    }
    find_read_again(g, s, k);
    if (!cut_in_place(g, s, k)) cut_best(g, s, k);
}

// What only statements alone have: special cases, and tasks.
FELT_PLANNING inline void lower_alone(graph const& g, schedule& s, pass_facts& pass) {
    if (!pass.alone()) return;
    statement_id const k = pass.first;
    reconsider(g, s, k);
    choose_special(g, s, k);
    pass.shared_out = cut_tasks(g, s, k);
}

// Decides everything about the statements of a pass.
FELT_PLANNING inline void arrange_pass(graph const& g, schedule& s, pass_facts& pass) {
    split_strips(g, s, pass).decide();
    tile(g, s, pass);
    sum_alike(g, s, g[pass.first].root, g[g[pass.last - 1].root].end);
    split_sums(g, s, pass);
    lower_alone(g, s, pass);
}

// Decides everything about a graph of which the loops are final.
FELT_PLANNING inline schedule decide(graph const& g) {
    schedule s(g);
    for (statement_id k : g.statements.ids()) {
        if (g[k].aside != nullptr) s[k].temporary = true, s[k].why = g[k].aside;
        choose_lanes(g, s, k);
    }
    read_in_place(g, s);
    std::vector<pass_facts> passes;
    for (statement_id first = 0; first < g.statements.end_id(); first = passes.back().last) {
        passes.push_back(longest(g, s, first));
        arrange_pass(g, s, passes.back());
    }
    s.passes = std::move(passes);
    lower(g, s);
    return s;
}

// Decides everything about statements that have their loops. What a statement reads of what it
// writes is found by the loops that it was given, before they are coalesced.
FELT_PLANNING inline schedule arrange(graph& g) {
    for (statement_id k : g.statements.ids()) g[k].aside = find_alias(g, k);
    if (g.statements.size() == 1) merge_loops(g, 0);
    count_work(g);
    return decide(g);
}

FELT_PLANNING inline plan make_plan(any_statement const* s, std::size_t count) {
    plan p;
    p.g.choice = choice_of_this_thread();
    p.g.nodes.reserve(32);
    p.g.spaces.reserve(16);
    p.g.statements.reserve(count);
    for (std::size_t k = 0; k < count; ++k) s[k].add(p.g, s[k].self);
    recent_plans::of_this_thread().arrange(p, arrange);
    return p;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning

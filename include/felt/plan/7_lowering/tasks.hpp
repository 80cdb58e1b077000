// SPDX-License-Identifier: BSD-3-Clause
//
// The tasks of a statement: pieces of one of its loops, whole blocks, cut by extents alone. No
// value depends on the piece that it is computed in.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/tiling.hpp>
#include <felt/plan/6_statement_fusion/statement_fusion.hpp>
#include <felt/plan/7_lowering/shared_work.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Operations for each element of a statement, without what is computed before its loops.
FELT_PLANNING inline double work_per_element(graph const& g, schedule const& s, statement_id k,
                                             index_t size) {
    node_id const root = g[k].root;
    double work = g[root].work;
    for (node_id id = root, next; id < g[root].end; id = next) {
        bool const before = computed_first(s, id) || s[id].by == way::hoisted;
        next = before ? g[id].end : id + 1;
        if (before) work -= g[id].work;
    }
    return std::max(1.0, work / static_cast<double>(std::max<index_t>(size, 1)));
}

// Whether something in a statement, at whatever depth, runs through rows of memory that are cut
// with the lanes.
inline bool reduces_rows(graph const& g, schedule const& s, statement_id k) {
    for (node_id id : g.nodes_of(k)) {
        node const& f = g[id];
        bool const before = computed_first(s, id) || s[id].by == way::hoisted;
        if (f.what != kind::reduce || before) continue;
        loop_id const lane = s[f.inner].lane;
        if (lane >= 0 && (f.mask >> lane & 1U) == 0) return true;
    }
    return false;
}

// The loop along which memory is contiguous that a statement only copies across its lanes, which
// reads runs of a page of it (host/loop_nest.hpp); -1 if it is nothing like that.
inline loop_id run_of_turned(graph const& g, schedule const& s, statement_id k) {
    node_id const root = g[k].root;
    loop_id const lane = s[g[k].space].lane;
    if (g[root].what != kind::leaf || lane < 0) return {};
    index_t const* const by_loop = by_loop_of(g, s, root);
    loop_space const& in = g[g[k].space];
    if (by_loop[lane] == 0 || by_loop[lane] == 1) return {};
    for (loop_id l : in.loops()) {
        if (by_loop[l] == 1 && in.extent[l] > 1) return l;
    }
    return {};
}

// Steps of a loop that have as many rows of products as a block of them: each brings those of the
// loops inside.
inline index_t steps_of_products(index_t rows_of_a_step) {
    return (most_mc + rows_of_a_step - 1) / rows_of_a_step;
}

}  // namespace detail

// Tasks of whole blocks, and of at least 32768 elements unless these are expensive.
FELT_PLANNING inline tasks cut_tasks(graph const& g, schedule const& s, statement_id k) {
    space_id const sp = g[k].space;
    loop_space const& in = g[sp];
    loop_schedule const& how = s[sp];
    tasks t;
    index_t const size = detail::product(in.extent, in.rank);
    double const each = detail::work_per_element(g, s, k, size);
    index_t const enough = std::clamp<index_t>(
        static_cast<index_t>(static_cast<double>(part_work) / each), 1, task_elements);
    if (size < least_tasks * enough) return t;
    t.loop = detail::shared_loop(g, s, sp);
    if (t.loop < 0) return t;
    bool const turned = t.loop == detail::run_of_turned(g, s, k);
    bool const across = turned && in.extent[how.lane] >= 2 * task_lanes;
    if (across) t.loop = how.lane;
    index_t const extent = in.extent[t.loop];
    bool const cut = how.block[t.loop] < extent, products = detail::has_products(g, sp);
    bool const lanes = t.loop == how.lane;
    index_t const few = detail::round_up(extent / least_tasks, lane_step);
    index_t const least = detail::reduces_rows(g, s, k)
                              ? std::clamp(few, least_reduced_lanes, reduced_task_lanes)
                              : task_lanes;
    index_t const row = size / extent;
    index_t const rows = lanes ? 1 : std::max<index_t>(row / in.extent[how.lane], 1);
    index_t const whole = lanes      ? (products ? most_nc : least)
                          : products ? detail::steps_of_products(rows)
                                     : 1;
    index_t const run = turned && !across ? page / g[k].value_bytes : 1;
    index_t const pieces = detail::steps_of_pieces(g, s, sp, t.loop);
    index_t const unit = pieces > 1 ? pieces : std::max(run, cut ? how.block[t.loop] : whole);
    t.step = detail::round_up(std::max<index_t>(enough / row, 1), unit);
    t.count = static_cast<long>((extent + t.step - 1) / t.step);
    // Products of very few rows are no task of their own.
    index_t const rest = extent - (t.count - 1) * t.step;
    if (t.count > 1 && !cut && products && rest < unit / 4) --t.count;
    while (t.count > 1 && detail::tasks_repeat(g, s, k, t)) {
        t.step *= 2;
        t.count = static_cast<long>((extent + t.step - 1) / t.step);
    }
    return t;
}

}  // namespace felt::inline FELT_ABI::planning

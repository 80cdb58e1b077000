// SPDX-License-Identifier: BSD-3-Clause
//
// The tasks of a statement: pieces of one of its loops, whole blocks, cut by extents alone. No
// value depends on the piece that it is computed in.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/tiling.hpp>
#include <felt/plan/4_destination_reuse/destination_reuse.hpp>
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

// Operations that are worth a task, in elements of statement k.
FELT_PLANNING inline index_t elements_of_task(graph const& g, schedule const& s, statement_id k,
                                              index_t size) {
    double const each = work_per_element(g, s, k, size);
    return std::clamp<index_t>(static_cast<index_t>(static_cast<double>(part_work) / each), 1,
                               task_elements);
}

// Steps of a loop that tasks are multiples of: pieces of what is reshaped, blocks, runs of memory,
// rows or columns of products.
inline index_t task_unit(graph const& g, schedule const& s, statement_id k, loop_id l,
                         index_t run) {
    space_id const sp = g[k].space;
    loop_space const& in = g[sp];
    loop_schedule const& how = s[sp];
    if (index_t const pieces = steps_of_pieces(g, s, sp, l); pieces > 1) return pieces;
    if (how.block[l] < in.extent[l]) return std::max(run, how.block[l]);
    bool const products = has_products(g, sp);
    index_t const row = product(in.extent, in.rank) / in.extent[l];
    if (l != how.lane) {
        index_t const rows = std::max<index_t>(row / in.extent[how.lane], 1);
        return std::max(run, products ? steps_of_products(rows) : 1);
    }
    if (products) return std::max(run, most_nc);
    if (!reduces_rows(g, s, k)) return std::max(run, task_lanes);
    index_t const few = round_up(in.extent[l] / least_tasks, lane_step);
    return std::max(run, std::clamp(few, least_reduced_lanes, reduced_task_lanes));
}

// Tasks of at least `enough` elements along loop l, which compute little in common: one, if not.
FELT_PLANNING inline tasks cut_along(graph const& g, schedule const& s, statement_id k, loop_id l,
                                     index_t enough, index_t run) {
    space_id const sp = g[k].space;
    loop_space const& in = g[sp];
    index_t const extent = in.extent[l], row = product(in.extent, in.rank) / extent;
    index_t const unit = task_unit(g, s, k, l, run);
    tasks t;
    t.loop = l;
    t.step = round_up(std::max<index_t>(enough / row, 1), unit);
    t.count = static_cast<long>((extent + t.step - 1) / t.step);
    // Products of very few rows are no task of their own.
    index_t const rest = extent - (t.count - 1) * t.step;
    bool const whole = s[sp].block[l] >= extent;
    if (t.count > 1 && whole && has_products(g, sp) && rest < unit / 4) --t.count;
    while (t.count > 1 && tasks_repeat(g, s, k, t)) {
        t.step *= 2;
        t.count = static_cast<long>((extent + t.step - 1) / t.step);
    }
    return t;
}

}  // namespace detail

// Tasks of whole blocks, and of at least 32768 elements unless these are expensive.
FELT_PLANNING inline tasks cut_tasks(graph const& g, schedule const& s, statement_id k) {
    space_id const sp = g[k].space;
    loop_space const& in = g[sp];
    loop_schedule const& how = s[sp];
    index_t const size = detail::product(in.extent, in.rank);
    index_t const enough = detail::elements_of_task(g, s, k, size);
    loop_id l = size < least_tasks * enough ? loop_id() : detail::shared_loop(g, s, sp);
    if (l < 0) return {};
    bool const turned = l == detail::run_of_turned(g, s, k);
    bool const across = turned && in.extent[how.lane] >= 2 * task_lanes;
    if (across) l = how.lane;
    index_t const run = turned && !across ? page / g[k].value_bytes : 1;
    tasks const t = detail::cut_along(g, s, k, l, enough, run);
    // In place it is safe along the loop that was looked at then (6_statement_fusion/in_place.hpp).
    if (t.count > 1 || detail::is_read(g, s, k)) return t;
    for (int i = 0; i < in.rank; ++i) {
        loop_id const other = how.order[i];
        if (in.extent[other] <= 1 || other == l || detail::crosses(g, s, sp, other)) continue;
        tasks const along = detail::cut_along(g, s, k, other, enough, 1);
        if (along.count > 1) return along;
    }
    return t;
}

}  // namespace felt::inline FELT_ABI::planning

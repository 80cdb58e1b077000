// SPDX-License-Identifier: BSD-3-Clause
//
// Which loop of a space is outermost, and which one is cut next where a tile does not fit.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/cost_model.hpp>
#include <felt/plan/3_tiling/tile_grain.hpp>
#include <algorithm>
#include <cstdlib>

namespace felt::inline FELT_ABI::planning::detail {

struct loop_order {
    loop_id loop[max_axes] = {};  // from outermost to innermost
    double work = 0;              // that it takes
};

// Loops that expensive nodes follow go outside: each loop is tried as the outermost.
FELT_PLANNING inline loop_order best_order(graph const& g, schedule const& s, space_id sp,
                                           index_t const* block) {
    loop_space const& in = g[sp];
    loop_order best;
    double least = -1;
    for (loop_id first{0}; first < std::max(in.rank, 1); ++first) {
        loop_order tried;
        int n = 0;
        if (in.rank > 0) tried.loop[n++] = first;
        for (loop_id l : in.loops()) {
            if (l != first) tried.loop[n++] = l;
        }
        tried.work = work_of(g, s, sp, tried.loop, block);
        // Among equals a loop that is cut stands outside of those that are whole.
        bool const cut = in.rank == 0 || steps_of(in, first, block) > 1;
        double const w = (1 + tried.work) * (cut ? 1 : order_margin);
        if (least >= 0 && w >= least * equal_work) continue;
        least = w;
        best = tried;
    }
    return best;
}

// The loop to cut next, and what the tile costs then; none if all are as short as they may be.
struct next_cut {
    loop_id loop;
    double work = 0;
};

// Whether reduction id is one over windows: an axis of what it reads follows both a loop that is
// summed over and one that is not.
inline bool is_over_windows(graph const& g, node_id id) {
    node const& f = g[id];
    auto const follows = [&](node const& x, axis_id a, bool summed) {
        for (loop_id l : g[f.inner].loops()) {
            if ((f.mask >> l & 1U) == unsigned{summed} && x.at.coef[a][l] != 0) return true;
        }
        return false;
    };
    for (node_id x : g.read_in(f.inner)) {
        for (axis_id a : g[x].axes()) {
            if (follows(g[x], a, true) && follows(g[x], a, false)) return true;
        }
    }
    return false;
}
inline bool reads_windows(graph const& g, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (g[id].what == kind::reduce && is_over_windows(g, id)) return true;
    }
    return false;
}

// How far apart results are along each loop of a space: a statement's in memory, others row by row.
struct result_steps {
    index_t along[max_axes];

    result_steps(graph const& g, space_id sp) {
        index_t n = 1;
        for (loop_id l{g[sp].rank - 1}; l >= 0; --l) {
            along[l] = n;
            n *= g[sp].extent[l];
        }
        for (statement_id k : g.statements.ids()) {
            if (g[k].space == sp) std::copy(g[k].by_loop, g[k].by_loop + max_axes, along);
        }
    }
};

// Among equals the longer loop is cut, or, where windows of memory are reduced, the furthest in
// memory, for the rows that they share are read in long runs then; lanes count as half as long;
// loops that something was reduced along stay whole, so that a row is read once.
inline next_cut loop_to_cut(graph const& g, schedule const& s, space_id sp, index_t const* block,
                            index_t floor, grains const& grain) {
    next_cut best;
    node_id const owner = g[sp].owner;
    bool const own = owner && g[owner].what == kind::reduce && s[owner].by == way::hoisted &&
                     is_over_windows(g, owner);
    bool const windows = (own || reads_windows(g, sp)) && !has_products(g, sp);
    result_steps const steps(g, sp);
    index_t const* const apart = windows ? steps.along : block;
    for (loop_id l : g[sp].loops()) {
        bool const lanes = l == s[sp].lane;
        index_t tried[max_axes] = {};
        std::copy(block, block + g[sp].rank, tried);
        tried[l] = halved(block[l], lanes, floor, grain.of[l]);
        if (tried[l] >= block[l] || stays_whole(g, s, sp, l)) continue;
        double const length = static_cast<double>(lanes ? block[l] / 2 : std::abs(apart[l]));
        double const w =
            (1 + best_order(g, s, sp, tried).work + work_of_equal_nodes(g, s, sp, tried)) *
            (1 + longer_loop / length + (crosses(g, s, sp, l) ? reduced_loop : 0)) *
            grain.excess(l, tried[l]);
        if (best.loop < 0 || w < best.work) best = {l, w};
    }
    return best;
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Into which boxes the loops are cut, so that everything a box needs fits in scratch and as
// little as possible is computed twice. Starts from the whole and halves one axis at a time.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/cost.hpp>
#include <utility>

namespace felt::planning {

namespace detail {

// Loops that dear nodes follow go outside: each loop is tried as the outermost.
FELT_PLANNING inline double best_order(graph const& g, schedule& s, space_id sp,
                                       index_t const* block) {
    loop_space const& in = g[sp];
    int* const order = s[sp].order;
    int best[max_axes] = {};
    double least = -1;
    for (int first = 0; first < std::max(in.rank, 1); ++first) {
        int n = 0;
        if (in.rank > 0) order[n++] = first;
        for (int l = 0; l < in.rank; ++l) {
            if (l != first) order[n++] = l;
        }
        // Among equals a loop that is cut stands outside of those that are whole.
        bool const cut = in.rank == 0 || steps_of(in, first, block) > 1;
        double const w = (1 + space_work(g, s, sp, block)) * (cut ? 1 : order_margin);
        if (least < 0 || w < least * equal_work) {
            least = w;
            std::copy(order, order + in.rank, best);
        }
    }
    std::copy(best, best + in.rank, order);
    return space_work(g, s, sp, block);
}

// The block after loop l was halved; lanes are cut in steps of 64, to no less than `floor`.
inline index_t halved(index_t n, bool lanes, index_t floor) {
    if (!lanes) return n <= 1 ? n : (n + 1) / 2;
    return n <= floor ? n : std::max(floor, round_up(n / 2, lane_step));
}

// The loop to cut next: the one that costs least; -1 if all are as short as they may be. Among
// equals the longer loop is cut; lanes count as half as long; loops that something was reduced
// along stay whole, so that a row is read once.
inline int loop_to_cut(graph const& g, schedule& s, space_id sp, index_t* block, index_t floor,
                       double& least) {
    int best = -1;
    for (int l = 0; l < g[sp].rank; ++l) {
        if (stays_whole(g, s, sp, l)) continue;
        bool const lanes = l == s[sp].lane;
        index_t const before = block[l];
        block[l] = halved(before, lanes, floor);
        if (block[l] < before) {
            double const length = static_cast<double>(lanes ? before / 2 : before);
            double const w = (1 + best_order(g, s, sp, block) + work_of_twins(g, s, sp, block)) *
                             (1 + longer_loop / length + (crosses(g, s, sp, l) ? reduced_loop : 0));
            if (best < 0 || w < least) {
                best = l;
                least = w;
            }
        }
        block[l] = before;
    }
    return best;
}

inline bool has_products(graph const& g, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (contains_product(g, id)) return true;
    }
    return false;
}

// Where lanes may stay long, shorter pieces of rows cost more than the caches give, unless all rows
// then find room there.
inline index_t least_piece(need const& n, int lane, index_t const* block) {
    if (lane < 0 || n.home <= scratch_limit) return long_piece;
    bool const room = n.home / std::max<index_t>(block[lane] / long_piece, 1) <= scratch_limit;
    return room ? long_piece : block[lane];
}

// Work below what is read in the loops of a space that is done again for each block, because an
// equal node holds other boxes. As of the last need of the space.
inline double work_again_below(graph const& g, schedule const& s, space_id sp) {
    double again = 0;
    for (node_id id : g.read_in(sp)) {
        if (s[id].by != way::scratch) continue;
        for (node_id x : g.below(id)) {
            placement const& f = s[x];
            bool const again_here = f.slot && f.slot != x && f.by == way::scratch &&
                                    f.scratch_bytes > 0 && s[f.slot].by == way::scratch;
            if (again_here) again += g[x].work;
        }
    }
    return again;
}

// The longest piece of loop l, halved some times, that lets equal nodes further below share their
// boxes; 0 if none does. The planner looks below often, which takes time: so it bisects.
FELT_PLANNING inline index_t shared_piece(graph const& g, schedule& s, space_id sp,
                                          index_t const* block, int l) {
    index_t piece[max_axes] = {};
    std::copy(block, block + g[sp].rank, piece);
    int halvings = 0;
    while ((block[l] - 1) >> halvings > 0) ++halvings;
    index_t longest = 0;
    for (int least = 1, most = halvings; least <= most;) {
        int const tried = longest == 0 && most == halvings ? most : (least + most) / 2;
        piece[l] = ((block[l] - 1) >> tried) + 1;
        space_need(g, s, sp, piece);
        bool const shares = work_again_below(g, s, sp) == 0;
        if (shares) longest = piece[l], most = tried - 1;
        else if (longest == 0) return 0;
        else least = tried + 1;
    }
    return longest;
}

// Shorter blocks of a statement that let equal nodes further below share their boxes, if that
// spares more work than it takes. `block` becomes them.
FELT_PLANNING inline void share_below(graph const& g, schedule& s, space_id sp, index_t* block) {
    space_need(g, s, sp, block);
    double const again = work_again_below(g, s, sp);
    if (again == 0) return;
    double least = most_for_sharing * (best_order(g, s, sp, block) + again);
    index_t best[max_axes] = {}, tried[max_axes] = {};
    int const rank = g[sp].rank;
    std::copy(block, block + rank, best);
    for (int l = 0; l < rank; ++l) {
        index_t const piece = stays_whole(g, s, sp, l) ? 0 : shared_piece(g, s, sp, block, l);
        if (piece == 0) continue;
        std::copy(block, block + rank, tried);
        tried[l] = piece;
        space_need(g, s, sp, tried);
        double const work = best_order(g, s, sp, tried);
        if (work < least) least = work, std::copy(tried, tried + rank, best);
    }
    std::copy(best, best + rank, block);
    space_need(g, s, sp, block);
}

// Blocks of the loops of a space over `extent` such that what they need fits the budget. Where
// there are no products, which want large blocks, they shrink on until they fit the first-level
// cache, as long as that costs nothing.
FELT_PLANNING inline void choose_block(graph const& g, schedule& s, space_id sp,
                                       index_t const* extent, index_t budget) {
    loop_space const& in = g[sp];
    int const lane = s[sp].lane;
    index_t block[max_axes] = {};
    std::copy(extent, extent + in.rank, block);
    index_t const wish = has_products(g, sp) ? budget : std::min(budget, staging_limit / 2);
    for (;;) {
        need const n = space_need(g, s, sp, block);
        bool const spread = n.home > scratch_limit;  // it will be read from memory again and again
        if (fits(n, wish) && !spread) break;
        bool const may_stop = fits(n, budget);
        double const now = 1 + best_order(g, s, sp, block) + work_of_twins(g, s, sp, block);
        double least = 0;
        index_t const floor = may_stop ? least_piece(n, lane, block) : lane_step;
        int const l = loop_to_cut(g, s, sp, block, floor, least);
        if (l < 0 || (may_stop && least > now * (spread ? shrinking_from_memory : shrinking)))
            break;
        block[l] = halved(block[l], l == lane, floor);
    }
    // What has an owner is planned for each block of the loops around it, if any.
    if (!in.owner || g[g[in.owner].space].rank == 0) share_below(g, s, sp, block);
    best_order(g, s, sp, block);
    std::copy(block, block + in.rank, s[sp].block);
}

}  // namespace detail
}  // namespace felt::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// Into which boxes the loops are cut, so that everything a box needs fits in scratch and as
// little as possible is computed twice. Starts from the whole and halves one axis at a time.
#pragma once
#include <felt/plan/cost.hpp>
#include <utility>

namespace felt::planning {

namespace detail {

// Loops that dear nodes follow go outside: each loop is tried as the outermost.
FELT_PLANNING inline double best_order(loops& p, int s, index_t const* block) {
    loop_space& in = p.loop(s);
    int best[max_axes] = {};
    double least = -1;
    for (int first = 0; first < std::max(in.rank, 1); ++first) {
        int n = 0;
        if (in.rank > 0) in.order[n++] = first;
        for (int l = 0; l < in.rank; ++l) {
            if (l != first) in.order[n++] = l;
        }
        // Among equals a loop that is cut stands outside of those that are whole.
        bool const cut = in.rank == 0 || steps_of(in, first, block) > 1;
        double const w = (1 + space_work(p, s, block)) * (cut ? 1 : 1.0001);
        if (least < 0 || w < least * 0.99999) {
            least = w;
            std::copy(in.order, in.order + in.rank, best);
        }
    }
    std::copy(best, best + in.rank, in.order);
    return space_work(p, s, block);
}

// The block after loop l was halved; lanes are cut in steps of 64, to no less than `floor`.
inline index_t halved(index_t n, bool lanes, index_t floor) {
    if (!lanes) return n <= 1 ? n : (n + 1) / 2;
    return n <= floor ? n : std::max(floor, round_up(n / 2, 64));
}

// The loop to cut next: the one that costs least; -1 if all are as short as they may be. Among
// equals the longer loop is cut; lanes count as half as long; loops that something was reduced
// along stay whole, so that a row is read once.
inline int loop_to_cut(loops& p, int s, index_t* block, index_t floor, double& least) {
    int best = -1;
    for (int l = 0; l < p.loop(s).rank; ++l) {
        if (stays_whole(p, s, l)) continue;
        bool const lanes = l == p.loop(s).lane;
        index_t const before = block[l];
        block[l] = halved(before, lanes, floor);
        if (block[l] < before) {
            double const length = static_cast<double>(lanes ? before / 2 : before);
            double const w = (1 + best_order(p, s, block) + work_of_twins(p, s, block)) *
                             (1 + 1e-3 / length + (crosses(p, s, l) ? 1e-2 : 0));
            if (best < 0 || w < least) {
                best = l;
                least = w;
            }
        }
        block[l] = before;
    }
    return best;
}

inline bool has_products(loops const& p, int s) {
    for (int id : p.read_in(s)) {
        if (contains_product(p, id)) return true;
    }
    return false;
}

// Where lanes may stay long, shorter pieces of rows cost more than the caches give, unless all rows
// then find room there.
inline index_t least_piece(need const& n, loop_space const& in, index_t const* block) {
    constexpr index_t piece = 512;
    if (in.lane < 0 || n.home <= scratch_limit) return piece;
    bool const room = n.home / std::max<index_t>(block[in.lane] / piece, 1) <= scratch_limit;
    return room ? piece : block[in.lane];
}

// Work below what is read in the loops s that is done again for each block, because an equal node
// holds other boxes. As of the last need of the space.
inline double work_again_below(loops const& p, int s) {
    double again = 0;
    for (int id : p.read_in(s)) {
        for (int x = id + 1; x < p.at(id).end && p.at(id).by == way::scratch; ++x) {
            node_facts const& f = p.at(x);
            bool const again_here = f.slot >= 0 && f.slot != x && f.by == way::scratch &&
                                    f.scratch_bytes > 0 && p.at(f.slot).by == way::scratch;
            if (again_here) again += f.work;
        }
    }
    return again;
}

// The longest piece of loop l, halved some times, that lets equal nodes further below share their
// boxes; 0 if none does. The planner looks below often, which takes time: so it bisects.
FELT_PLANNING inline index_t shared_piece(loops& p, int s, index_t const* block, int l) {
    index_t piece[max_axes] = {};
    std::copy(block, block + p.loop(s).rank, piece);
    int halvings = 0;
    while ((block[l] - 1) >> halvings > 0) ++halvings;
    index_t longest = 0;
    for (int least = 1, most = halvings; least <= most;) {
        int const tried = longest == 0 && most == halvings ? most : (least + most) / 2;
        piece[l] = ((block[l] - 1) >> tried) + 1;
        space_need(p, s, piece);
        bool const shares = work_again_below(p, s) == 0;
        if (shares) longest = piece[l], most = tried - 1;
        else if (longest == 0) return 0;
        else least = tried + 1;
    }
    return longest;
}

// Shorter blocks of a statement that let equal nodes further below share their boxes, if that
// spares more work than it takes. `block` becomes them.
FELT_PLANNING inline void share_below(loops& p, int s, index_t* block) {
    constexpr double most_for_sharing = 1.3;  // it takes no memory, which is worth something
    space_need(p, s, block);
    double const again = work_again_below(p, s);
    if (again == 0) return;
    double least = most_for_sharing * (best_order(p, s, block) + again);
    index_t best[max_axes] = {}, tried[max_axes] = {};
    int const rank = p.loop(s).rank;
    std::copy(block, block + rank, best);
    for (int l = 0; l < rank; ++l) {
        index_t const piece = stays_whole(p, s, l) ? 0 : shared_piece(p, s, block, l);
        if (piece == 0) continue;
        std::copy(block, block + rank, tried);
        tried[l] = piece;
        space_need(p, s, tried);
        double const work = best_order(p, s, tried);
        if (work < least) least = work, std::copy(tried, tried + rank, best);
    }
    std::copy(best, best + rank, block);
    space_need(p, s, block);
}

// Blocks of the loops s over `extent` such that what they need fits the budget. Where there are
// no products, which want large blocks, they shrink on until they fit the first-level cache, as
// long as that costs nothing.
FELT_PLANNING inline void choose_block(loops& p, int s, index_t const* extent, index_t budget) {
    index_t block[max_axes] = {};
    std::copy(extent, extent + p.loop(s).rank, block);
    index_t const wish = has_products(p, s) ? budget : std::min(budget, staging_limit / 2);
    for (;;) {
        need const n = space_need(p, s, block);
        bool const spread = n.home > scratch_limit;  // it will be read from memory again and again
        if (fits(n, wish) && !spread) break;
        bool const may_stop = fits(n, budget);
        double const now = 1 + best_order(p, s, block) + work_of_twins(p, s, block);
        double least = 0;
        index_t const floor = may_stop ? least_piece(n, p.loop(s), block) : 64;
        int const l = loop_to_cut(p, s, block, floor, least);
        if (l < 0 || (may_stop && least > now * (spread ? 1.02 : 1.005))) break;
        block[l] = halved(block[l], l == p.loop(s).lane, floor);
    }
    int const owner = p.loop(s).owner;  // planned for each block of the loops around it, if any
    if (owner < 0 || p.loop(p.at(owner).space).rank == 0) share_below(p, s, block);
    best_order(p, s, block);
    std::copy(block, block + p.loop(s).rank, p.loop(s).block);
}

}  // namespace detail
}  // namespace felt::planning

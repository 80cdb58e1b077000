// SPDX-License-Identifier: BSD-3-Clause
//
// Into which tiles the loops are cut, so that everything a tile needs fits in scratch and as little
// as possible is computed twice. tile_space() gives a space a tile and what is below it the tiles
// that follow from that; choose_tile() looks for a good one: it starts from the whole and halves
// one axis at a time. The two call each other: a reduction's own loops are tiled for each box.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/loop_to_cut.hpp>
#include <felt/plan/3_tiling/operand_boxes.hpp>
#include <algorithm>
#include <utility>

namespace felt::inline FELT_ABI::planning::detail {

void tile_space(graph const& g, schedule& s, space_id sp, index_t const* block);
void choose_tile(graph const& g, schedule& s, space_id sp, index_t const* extent, index_t budget);

// How much product id packs at a time for a box of extents x, and what its operands are asked for.
FELT_PLANNING inline void tile_product(graph const& g, schedule& s, node_id id, index_t const* x) {
    node const& f = g[id];
    product_schedule& p = s[f.product];
    loop_space const& in = g[f.inner];
    int const left = p.rows_from;
    index_t block[max_axes] = {};
    for (loop_id l : in.loops()) block[l] = l < f.rank ? x[l] : 1;
    index_t const rows = p.axes.m.points(block), columns = p.axes.n.points(block);
    // Rows that are expensive to make ready are made ready for all terms, if that is not too much,
    // are packed all at once and stay for all columns; those with a border for all their terms.
    bool const computed = is_computed(g, s, f.inner + left);
    index_t limit = shared_limit(streams_right(g, s, id), columns, f.value_bytes);
    if (computed || reads_bordered(g, s, id)) {
        index_t const wide = std::clamp<index_t>(columns, 1, most_nc);
        limit = std::max(limit, pack_bytes / (wide * f.value_bytes));
    }
    if (f.carries_softmax) limit = std::min(limit, score_bytes / f.value_bytes);
    cut_terms(p.axes.k, in.extent, std::min(p.most_terms, limit), block);
    copy_axes(p.k_step, block, in.rank);
    p.mc = computed ? rows : std::min(rows, most_mc);
    p.nc = std::min(columns, most_nc);
    p.kc = p.axes.k.points(block);
    p.left_in_place = lies_in_place(g, s, id, left);
    // What is carried along the terms wants all columns at once, in whole tiles or packed.
    bool const at_once = f.carries_softmax && columns % most_nr != 0;
    p.right_in_place = !at_once && lies_in_place(g, s, id, 1 - left);
    p.left_boxed = p.left_in_place && lies_in_box(g, s, g.operand(id, left));
    for (label_id l : p.axes.batch) block[l] = 1;
    unsigned const whole = p.boxed_whole = labels_kept_whole(g, s, id, block);
    for (int side = 0; side < 2; ++side) {
        index_t asked[max_axes] = {};
        for (loop_id l : in.loops()) {
            asked[l] = side == left && (whole >> l & 1U) != 0 ? in.extent[l] : block[l];
        }
        tile_space(g, s, f.inner + side, asked);
    }
}

// What reduction id sums for a box of extents x.
inline void tile_summed(graph const& g, schedule& s, node_id id, index_t const* x) {
    node const& f = g[id];
    loop_space const& in = g[f.inner];
    index_t extent[max_axes] = {};
    int kept = 0;
    for (loop_id l : in.loops()) {
        extent[l] = (f.mask >> l & 1U) != 0 ? in.extent[l] : x[kept++];
    }
    for (index_t quarters : {1, 3}) {  // more only where no block fits into less
        choose_tile(g, s, f.inner, extent, quarters * scratch_limit / 4);
        if (footprint_of(g, s, f.inner).fits(quarters * scratch_limit / 4)) return;
    }
}

// The tiles below node id for the box of extents x that it computes itself.
FELT_PLANNING inline void tile_box(graph const& g, schedule& s, node_id id, index_t const* x) {
    node const& f = g[id];
    std::copy(x, x + f.rank, s[id].held);
    if (f.what == kind::contract) return tile_product(g, s, id, x);
    if (s[id].carried) ++s[id].held[f.whole];  // and what the next box goes on from
    if (f.what == kind::reduce) return tile_summed(g, s, id, x);
    for (node_id c : g.operands(id)) {
        if (s[c].by == way::hoisted) continue;  // its blocks are those of the whole
        space_id const sp = g[c].space;
        index_t box[max_axes] = {};
        box_of_operand(g, s, id, c, x, box);
        bool const evaluates =
            lies_as_operand(f) || (f.what == kind::general && computes_source(g, id));
        if (s[id].strip_axis >= 0 || f.what == kind::scan) {
            choose_tile(g, s, sp, box, scratch_limit / 4);
        } else if (s[id].by == way::hoisted && evaluates) {
            choose_tile(g, s, sp, box, scratch_limit);
        } else {
            tile_space(g, s, sp, box);
        }
    }
}

// Node id, when its reader's loops advance by their block: it finds its values in the box of an
// equal node, or has a box of its own.
FELT_PLANNING inline void tile_node(graph const& g, schedule& s, node_id id) {
    node const& f = g[id];
    placement& fs = s[id];
    if (fs.by == way::hoisted) return;
    index_t x[max_axes] = {};
    image_extents(g, s, id, s[f.space].block, x);
    if (fs.strip_axis >= 0) {
        std::copy(f.extent, f.extent + f.rank, x);
        x[fs.strip_axis] = std::min(x[fs.strip_axis], fs.strip_extent);
    }
    bool const equal = fs.slot && fs.slot != id;
    fs.recomputed = equal && !held_by_equal(g, s, id, x);
    if (!equal || fs.recomputed) return tile_box(g, s, id, x);
    bool const unset = f.what == kind::contract && s[f.product].kc == 0;
    if (unset) tile_product(g, s, id, x);  // in case a run asks for more than it holds
}

// The loops of a space advance by `block`, and what is read in them has the boxes for that.
FELT_PLANNING inline void tile_space(graph const& g, schedule& s, space_id sp,
                                     index_t const* block) {
    std::copy(block, block + g[sp].rank, s[sp].block);
    for (node_id id : g.read_in(sp)) {
        if (s[id].by == way::scratch) tile_node(g, s, id);
    }
}

// How many blocks there are.
inline double blocks_of_space(loop_space const& in, index_t const* block) {
    double n = 1;
    for (loop_id l : in.loops()) n *= steps_of(in, l, block);
    return n;
}

// Where lanes may stay long, shorter pieces of rows cost more than the caches give, unless all rows
// then find room there.
inline index_t least_piece(footprint const& n, loop_id lane, index_t const* block) {
    if (lane < 0 || n.reused <= scratch_limit) return long_piece;
    bool const room = n.reused / std::max<index_t>(block[lane] / long_piece, 1) <= scratch_limit;
    return room ? long_piece : block[lane];
}

// Work below what is read in the loops of a space that is done again for each block, because an
// equal node holds other boxes.
inline double work_again_below(graph const& g, schedule const& s, space_id sp) {
    double again = 0;
    for (node_id id : g.read_in(sp)) {
        if (s[id].by != way::scratch) continue;
        for (node_id x : g.below(id)) {
            placement const& f = s[x];
            bool const here = f.by == way::scratch && f.recomputed;
            if (here && s[f.slot].by == way::scratch) again += g[x].work;
        }
    }
    return again;
}

// The longest piece of loop l, halved some times, that lets equal nodes further below share their
// boxes; 0 if none does. The planner looks below often, which takes time: so it bisects.
FELT_PLANNING_SELDOM inline index_t shared_piece(graph const& g, schedule tried, space_id sp,
                                                 index_t const* block, loop_id l) {
    index_t piece[max_axes] = {};
    std::copy(block, block + g[sp].rank, piece);
    int halvings = 0;
    while ((block[l] - 1) >> halvings > 0) ++halvings;
    index_t longest = 0;
    for (int least = 1, most = halvings; least <= most;) {
        int const times = longest == 0 && most == halvings ? most : (least + most) / 2;
        piece[l] = ((block[l] - 1) >> times) + 1;
        tile_space(g, tried, sp, piece);
        bool const shares = work_again_below(g, tried, sp) == 0;
        if (shares) longest = piece[l], most = times - 1;
        else if (longest == 0) return 0;
        else least = times + 1;
    }
    return longest;
}

// Shorter blocks of a statement that let equal nodes further below share their boxes, if that
// spares more work than it takes.
FELT_PLANNING inline void share_below(graph const& g, schedule& s, space_id sp) {
    double const again = work_again_below(g, s, sp);
    if (again == 0) return;
    schedule best = s;
    index_t const* const block = s[sp].block;
    double least = most_for_sharing * (best_order(g, s, sp, block).work + again);
    for (loop_id l : g[sp].loops()) {
        index_t const piece = stays_whole(g, s, sp, l) ? 0 : shared_piece(g, s, sp, block, l);
        if (piece == 0) continue;
        schedule tried = s;
        index_t shorter[max_axes] = {};
        std::copy(block, block + g[sp].rank, shorter);
        shorter[l] = piece;
        tile_space(g, tried, sp, shorter);
        double const work = best_order(g, tried, sp, shorter).work;
        if (work < least) least = work, best = std::move(tried);
    }
    s = std::move(best);
}

// A tile of the loops of a space over `extent` such that what it needs fits the budget. Where there
// are no products, which want large tiles, it shrinks on until it takes no more than tile_bytes, as
// long as that costs nothing; and until what is kept in the destination fits the second cache, as
// long as that costs less than to read it from memory.
FELT_PLANNING inline void choose_tile(graph const& g, schedule& s, space_id sp,
                                      index_t const* extent, index_t budget) {
    loop_space const& in = g[sp];
    loop_id const lane = s[sp].lane;
    index_t block[max_axes] = {};
    std::copy(extent, extent + in.rank, block);
    index_t const wish = has_products(g, sp) ? budget : std::min(budget, tile_bytes);
    double most_from_memory = 0;
    grains const grain = grains_of(g, s, sp);
    for (;;) {
        tile_space(g, s, sp, block);
        footprint const n = footprint_of(g, s, sp);
        bool const spread =
            n.reused > scratch_limit;  // it will be read from memory again and again
        if (n.fits(wish) && !spread) break;
        bool const may_stop = n.fits(budget);
        double const now =
            1 + best_order(g, s, sp, block).work + work_of_equal_nodes(g, s, sp, block);
        index_t const floor = may_stop ? least_piece(n, lane, block) : lane_step;
        next_cut const next = loop_to_cut(g, s, sp, block, floor, grain);
        if (spread && may_stop && most_from_memory == 0)
            most_from_memory = now + work_of_kept(n, blocks_of_space(in, block));
        double const most =
            spread ? std::min(now * shrinking_from_memory, most_from_memory) : now * shrinking;
        if (next.loop < 0 || (may_stop && next.work > most)) break;
        block[next.loop] = halved(block[next.loop], next.loop == lane, floor, grain.of[next.loop]);
    }
    // What has an owner is planned for each block of the loops around it, if any.
    if (!in.owner || g[g[in.owner].space].rank == 0) share_below(g, s, sp);
    loop_order const order = best_order(g, s, sp, s[sp].block);
    std::copy(order.loop, order.loop + in.rank, s[sp].order);
}

}  // namespace felt::inline FELT_ABI::planning::detail

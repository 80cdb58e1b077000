// SPDX-License-Identifier: BSD-3-Clause
//
// footprint_of(graph, schedule, ..): how much scratch the tiles of a schedule take: for the values
// of nodes that are not streamed, for packed operands, for leaves that are transposed on the way
// in.
#pragma once
#include <felt/plan/3_tiling/cache_blocking.hpp>
#include <felt/plan/1_analysis/coalesce.hpp>
#include <felt/plan/3_tiling/staged_copies.hpp>
#include <felt/plan/1_analysis/queries.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <felt/plan/1_analysis/cse.hpp>
#include <algorithm>
#include <cstdlib>

namespace felt::inline FELT_ABI::planning {

struct footprint {
    index_t bytes = 0;   // of scratch
    index_t staged = 0;  // of copies that have to stay near the first cache
    index_t reused = 0;  // kept in the destination: counts for the caches only

    footprint& operator+=(footprint const& o) {
        bytes += o.bytes, staged += o.staged, reused += o.reused;
        return *this;
    }
    bool fits(index_t budget) const {
        bool const far = budget > tile_bytes;
        return bytes + (far ? 0 : reused) <= budget && staged <= staging_limit;
    }
};

footprint footprint_of(graph const& g, schedule const& s, space_id sp);

namespace detail {

// What node id holds when its reader asks for a box: extents of the box by extents of the loops.
inline void image_extents(graph const& g, schedule const& s, node_id id, index_t const* block,
                          index_t* out) {
    node const& f = g[id];
    for (axis_id a : f.axes()) {
        index_t n = 1;
        for (loop_id l : f.at.all_loops()) {
            n += std::abs(f.at.coef[a][l]) * (std::max<index_t>(block[l], 1) - 1);
        }
        out[a] = a == f.whole && !s[id].carried ? f.extent[a] : std::min(n, f.extent[a]);
    }
}

// Whether something that is read in the loops of a space has to be computed first, block by block.
inline bool is_computed(graph const& g, schedule const& s, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (s[id].by == way::scratch) return true;
    }
    return false;
}

// What a product packs at a time: operands that do not lie in place, and of those that do the
// columns that fill no tile.
inline index_t packed_bytes(graph const& g, schedule const& s, node_id id) {
    product_schedule const& p = s[g[id].product];
    index_t const rows = p.left_in_place ? 0 : round_up(p.mc, most_mr);
    index_t const columns = p.right_in_place ? most_nr : round_up(p.nc, most_nr);
    return (rows * (p.kc + row_padding) + columns * p.kc + 256) * g[id].value_bytes;
}

inline footprint footprint_of_product(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    contraction_axes const& axes = s[f.product].axes;
    index_t const* const held = s[id].held;
    index_t const rows = axes.m.points(held), columns = axes.n.points(held);
    index_t const batches = axes.batch.points(held);
    footprint n;
    if (s[id].reused != nullptr) n.reused = batches * rows * columns * f.value_bytes;
    else n.bytes = (batches * rows * padded_columns(columns, most_nr) + 64) * f.value_bytes;
    n.bytes += packed_bytes(g, s, id);
    for (int side = 0; side < 2; ++side) {
        footprint const below = footprint_of(g, s, f.inner + side);
        n.bytes += below.bytes;
        n.staged += below.staged;
    }
    return n;
}

// Of what view id takes of operand c: boxes that are evaluated elsewhere, and copied.
inline index_t copied_bytes(graph const& g, schedule const& s, node_id id, node_id c) {
    node const &f = g[id], &source = g[c];
    bool const computes =
        f.what == kind::concat || (f.what == kind::general && computes_source(g, id));
    bool const in_place =
        source.what == kind::leaf || (f.what != kind::reshape && leaf_read_by(g, c));
    if (in_place || lies_as_operand(f) || computes) return 0;
    loop_schedule const& in = s[source.space];
    bool const turned = f.what == kind::reshape && in.lane != source.rank - 1;
    return (turned ? 2 : 1) * (product(in.block, source.rank) + 64) * source.value_bytes;
}

// Of the box that node id computes itself.
FELT_PLANNING inline footprint footprint_of_box(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    placement const& fs = s[id];
    if (f.what == kind::contract) return footprint_of_product(g, s, id);
    footprint n;
    (fs.reused != nullptr ? n.reused : n.bytes) =
        (product(fs.held, f.rank) * (fs.carried ? 2 : 1) + 64) * f.value_bytes;
    if (f.what == kind::reduce) {
        n.bytes *= carries(g, s, id) ? 2 : 1;
        return {n.bytes + footprint_of(g, s, f.inner).bytes, 0, 0};
    }
    for (node_id c : g.operands(id)) {
        if (s[c].by == way::hoisted) continue;  // its blocks are those of the whole
        footprint const below = footprint_of(g, s, g[c].space);
        bool const copies = f.what == kind::general && leaf_read_by(g, c);
        n.bytes += below.bytes + copied_bytes(g, s, id, c);
        n.staged = std::max(n.staged, copies ? 0 : below.staged);
    }
    return n;
}

// The bytes of leaf id that loops read which advance by `block`.
inline index_t leaf_block_bytes(graph const& g, schedule const& s, node_id id,
                                index_t const* block) {
    index_t const* const by_loop = by_loop_of(g, s, id);
    index_t bytes = g[id].value_bytes;
    for (loop_id l : g[g[id].space].loops()) bytes *= by_loop[l] != 0 ? block[l] : 1;
    return bytes;
}

// Of what streams: functions of which values are kept for a block, leaves that are read across.
inline footprint footprint_of_streamed(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    index_t const* const block = s[f.space].block;
    footprint n;
    if (f.may_be_kept) n.bytes += kept_bytes(g, id, block);
    if (f.what != kind::leaf) return n;
    loop_id const lane = s[f.space].lane;
    index_t const* const by_loop = by_loop_of(g, s, id);
    if (s[id].read_again) n.reused += leaf_block_bytes(g, s, id, block);
    if (repeated_by(g[f.space], by_loop) > 0) {
        n.bytes += (repeated_elements + 64) * f.value_bytes;
    } else if (lane >= 0 && by_loop[lane] != 0 && by_loop[lane] != 1) {
        n.staged += leaf_block_bytes(g, s, id, block);
    }
    return n;
}

}  // namespace detail

// Of node id, when its reader's loops advance by their block.
FELT_PLANNING inline footprint footprint_of(graph const& g, schedule const& s, node_id id) {
    if (s[id].by == way::streamed) return detail::footprint_of_streamed(g, s, id);
    if (s[id].by == way::hoisted || is_reused(s, id)) return {};
    return detail::footprint_of_box(g, s, id);
}

// Of all nodes read in the loops of a space when they advance by their block.
FELT_PLANNING inline footprint footprint_of(graph const& g, schedule const& s, space_id sp) {
    footprint n;
    for (node_id id : g.read_in(sp)) {
        if (s[id].by == way::hoisted && !g[id].inner) continue;  // the source of a view
        n += footprint_of(g, s, id);
        bool const boxed = s[id].by != way::streamed && s[id].reused == nullptr;
        if (boxed && detail::read_across(g, s, id)) {
            n.bytes += detail::staged_bytes(g, id, s[sp].block);
        }
    }
    return n;
}

}  // namespace felt::inline FELT_ABI::planning

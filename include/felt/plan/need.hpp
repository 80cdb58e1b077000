// SPDX-License-Identifier: BSD-3-Clause
//
// How much scratch a box of the loops needs: for the values of nodes that are not streamed, for
// packed operands, for leaves that are transposed on the way in.
#pragma once
#include <felt/plan/scratch_layout.hpp>
#include <felt/plan/merge.hpp>
#include <felt/plan/need_copies.hpp>
#include <felt/plan/pieces.hpp>
#include <felt/plan/queries.hpp>
#include <felt/plan/twins.hpp>
#include <algorithm>
#include <cstdlib>

namespace felt::planning {

namespace detail {

struct need {
    index_t bytes = 0;
    index_t staged = 0;
    index_t home = 0;  // kept in the destination: counts for the caches only
};

need space_need(graph const& g, schedule& s, space_id sp, index_t const* block);
inline bool fits(need const& n, index_t budget);
void choose_block(graph const& g, schedule& s, space_id sp, index_t const* extent, index_t budget);

// What node id holds when its reader asks for a box: extents of the box by extents of the loops.
inline void image_extents(graph const& g, schedule const& s, node_id id, index_t const* block,
                          index_t* out) {
    node const& f = g[id];
    for (int a = 0; a < f.rank; ++a) {
        index_t n = 1;
        for (int l = 0; l < f.at.loops; ++l) {
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
    placement const& f = s[id];
    index_t const rows = f.left_in_place ? 0 : round_up(f.chunk[0], tile_rows);
    index_t const columns = f.right_in_place ? tile_columns : round_up(f.chunk[1], tile_columns);
    return (rows * (f.chunk[2] + row_padding) + columns * f.chunk[2] + 256) * g[id].value_bytes;
}

// A box whose pieces overlap, because a shared label and one of the rows follow the same axis, is
// made ready for all of such labels, if that is not too much. `block` becomes what it is asked for.
FELT_PLANNING inline void keep_whole(graph const& g, schedule& s, node_id id,
                                     contract_roles const& r, index_t* block) {
    placement& fs = s[id];
    fs.boxed_whole = 0;
    if (!fs.left_boxed) return;
    node_id const memory = memory_below(g, g.operand(id, fs.swapped ? 1 : 0));
    node const& x = g[memory];
    loop_space const& in = g[x.space];
    index_t whole[max_axes] = {};
    std::copy(block, block + in.rank, whole);
    unsigned labels = 0;
    for (int i = 0; i < r.shareds; ++i) {
        int const l = r.shared[i];
        bool shares = false;
        for (int a = 0; a < x.rank; ++a) {
            for (int k = 0; k < r.rows && x.at.coef[a][l] != 0; ++k) {
                shares = shares || x.at.coef[a][r.row[k]] != 0;
            }
        }
        if (!shares) continue;
        labels |= 1U << l;
        whole[l] = in.extent[l];
    }
    index_t box[max_axes] = {};
    image_extents(g, s, memory, whole, box);
    if (product(box, x.rank) * x.value_bytes > scratch_limit / 4) return;
    fs.boxed_whole = labels;
    std::copy(whole, whole + in.rank, block);
}

FELT_PLANNING inline need contract_need(graph const& g, schedule& s, node_id id, index_t const* x) {
    contract_roles const r = roles_of(g, s, id);
    node const& f = g[id];
    placement& fs = s[id];
    int const labels = g[f.inner].rank, left = fs.swapped ? 1 : 0;
    index_t block[max_axes] = {};
    for (int l = 0; l < labels; ++l) block[l] = l < f.rank ? x[l] : 1;
    index_t rows = 1, columns = 1, terms = 1, batches = 1;
    for (int i = 0; i < r.rows; ++i) rows *= block[r.row[i]];
    for (int i = 0; i < r.columns; ++i) columns *= block[r.column[i]];
    // Rows that are dear to make ready are made ready for all terms, if that is not too much.
    bool const dear_rows = is_computed(g, s, f.inner + left);
    index_t const limit = shared_limit(rows, columns, f.value_bytes);
    index_t const room =
        pack_bytes / (std::clamp<index_t>(columns, 1, pack_columns) * f.value_bytes);
    shared_block(g, r, f.inner, std::min(fs.most_terms, dear_rows ? std::max(limit, room) : limit),
                 block);
    for (int i = 0; i < r.shareds; ++i) terms *= block[r.shared[i]];
    for (int i = 0; i < r.batches; ++i) batches *= block[r.batch[i]];
    // They are packed all at once and stay for all columns.
    fs.chunk[0] = dear_rows ? rows : std::min(rows, pack_rows);
    fs.chunk[1] = std::min(columns, pack_columns);
    fs.chunk[2] = terms;
    fs.left_in_place = lies_in_place(g, s, id, r, left);
    fs.right_in_place = lies_in_place(g, s, id, r, 1 - left);
    fs.left_boxed = fs.left_in_place && lies_in_box(g, g.operand(id, left));
    for (int i = 0; i < r.batches; ++i) block[r.batch[i]] = 1;
    need n;
    index_t const bytes = f.value_bytes;
    if (fs.home != nullptr) n.home += batches * rows * columns * bytes;
    else n.bytes += (batches * rows * padded_columns(columns, tile_columns) + 64) * bytes;
    n.bytes += packed_bytes(g, s, id);
    for (int side = 0; side < 2; ++side) {
        index_t* const asked = s[f.inner + side].block;
        std::copy(block, block + labels, asked);
        if (side == left) keep_whole(g, s, id, r, asked);
        need const below = space_need(g, s, f.inner + side, asked);
        n.bytes += below.bytes;
        n.staged += below.staged;
    }
    return n;
}

// A reshape takes its source in pieces of consecutive elements: about as many as it has itself, and
// enough that rows along the source's lanes are not short.
inline void reshape_pieces(node const& source, int lane, index_t elements, index_t* box) {
    index_t const most = scratch_limit / 8 / source.value_bytes;
    index_t rows = lane < 0 ? 1 : lane_step;
    for (int a = source.rank - 1; a > lane; --a) rows *= source.extent[a];
    index_t const limit = std::clamp<index_t>(std::max(elements, rows), 1, most);
    index_t inner = product(source.extent, source.rank);
    std::copy(source.extent, source.extent + source.rank, box);
    for (int a = 0; a < source.rank && inner > limit; ++a) {
        inner /= std::max<index_t>(source.extent[a], 1);
        box[a] = std::min(source.extent[a], std::max<index_t>(1, limit / inner));
        inner *= box[a];
    }
}

// For what reduction id sums, when it is asked for a box of extents x.
inline need summed_need(graph const& g, schedule& s, node_id id, index_t const* x) {
    node const& f = g[id];
    loop_space const& in = g[f.inner];
    index_t extent[max_axes] = {};
    for (int l = 0, a = 0; l < in.rank; ++l) {
        extent[l] = (f.mask >> l & 1U) != 0 ? in.extent[l] : x[a++];
    }
    need below;
    for (index_t quarters : {1, 3}) {  // more only where no block fits into less
        choose_block(g, s, f.inner, extent, quarters * scratch_limit / 4);
        below = space_need(g, s, f.inner, s[f.inner].block);
        if (fits(below, quarters * scratch_limit / 4)) break;
    }
    return below;
}

// What view id takes of operand c for a box of extents x: at most as much as the box itself times
// its overlap.
inline void box_of_operand(graph const& g, schedule const& s, node_id id, node_id c,
                           index_t const* x, index_t* box) {
    node const &f = g[id], &source = g[c];
    for (int a = 0; a < source.rank; ++a) {
        box[a] = source.extent[a];
        bool const as_asked =
            lies_as_operand(f) || f.what == kind::concat ||
            ((f.what == kind::gather || f.what == kind::scatter) && c == id + 1 && a != f.axis);
        if (as_asked) box[a] = std::min(box[a], x[a]);
        if (f.what != kind::general) continue;
        axis_rule const& r = f.rule[a];
        index_t reach = 1;
        if (r.out1 >= 0) reach += std::abs(r.stride) * (x[r.out1] - 1);
        if (r.out2 >= 0) reach += std::abs(r.dilation) * (x[r.out2] - 1);
        index_t const most = r.divide == 1 ? reach : (reach - 1) / r.divide + 2;
        box[a] = std::min(box[a], most);
    }
    if (f.what == kind::reshape) {
        reshape_pieces(source, s[source.space].lane, product(x, f.rank), box);
    }
}

// For a box of extents x of node id that it computes itself.
FELT_PLANNING inline need own_need(graph const& g, schedule& s, node_id id, index_t const* x) {
    node const& f = g[id];
    placement& fs = s[id];
    std::copy(x, x + f.rank, fs.held);
    if (f.what == kind::contract) return contract_need(g, s, id, x);
    need n;
    if (fs.carried) ++fs.held[f.whole];  // and what the next box goes on from
    (fs.home != nullptr ? n.home : n.bytes) =
        (product(fs.held, f.rank) * (fs.carried ? 2 : 1) + 64) * f.value_bytes;
    if (f.what == kind::reduce) {
        need const below = summed_need(g, s, id, x);
        return {n.bytes * (carries(g, s, id) ? 2 : 1) + below.bytes, 0};
    }
    for (node_id c : g.operands(id)) {
        node const& source = g[c];
        if (s[c].by == way::hoisted) continue;  // its blocks are those of the whole
        space_id const sp = source.space;
        index_t box[max_axes] = {};
        box_of_operand(g, s, id, c, x, box);
        std::copy(box, box + source.rank, s[sp].block);
        bool const computes = f.what == kind::general && computes_source(g, id);
        bool const evaluates = lies_as_operand(f) || computes;
        if (fs.strip_axis >= 0 || f.what == kind::scan) {
            choose_block(g, s, sp, box, scratch_limit / 4);
        } else if (fs.by == way::hoisted && evaluates) {
            choose_block(g, s, sp, box, scratch_limit);
        }
        need const below = space_need(g, s, sp, s[sp].block);
        n.bytes += below.bytes;
        bool const copies = f.what == kind::general && source.what == kind::leaf;
        n.staged = std::max(n.staged, copies ? 0 : below.staged);
        bool const copied = source.what != kind::leaf && !evaluates;
        bool const turned = f.what == kind::reshape && s[sp].lane != source.rank - 1;
        n.bytes +=
            (copied ? turned ? 2 : 1 : 0) * (product(box, source.rank) + 64) * source.value_bytes;
    }
    return n;
}

// When its reader's loops advance by `loop_block`.
FELT_PLANNING inline need node_need(graph const& g, schedule& s, node_id id,
                                    index_t const* loop_block) {
    node const& f = g[id];
    placement const& fs = s[id];
    if (fs.by == way::hoisted) return {};
    index_t x[max_axes] = {};
    image_extents(g, s, id, loop_block, x);
    if (fs.strip_axis >= 0) {
        std::copy(f.extent, f.extent + f.rank, x);
        x[fs.strip_axis] = std::min(x[fs.strip_axis], fs.strip_extent);
    }
    if (fs.slot && fs.slot != id && held_by_twin(g, s, id, x)) {
        bool const unset = f.what == kind::contract && fs.chunk[2] == 0;
        if (unset) contract_need(g, s, id, x);  // in case a run asks for more than it holds
        return {};
    }
    return own_need(g, s, id, x);
}

// The bytes of leaf id that loops read which advance by `block`.
inline index_t leaf_block_bytes(graph const& g, schedule const& s, node_id id,
                                index_t const* block) {
    index_t const* const by_loop = by_loop_of(g, s, id);
    index_t bytes = g[id].value_bytes;
    for (int l = 0; l < g[g[id].space].rank; ++l) bytes *= by_loop[l] != 0 ? block[l] : 1;
    return bytes;
}

// Scratch for all nodes read in the loops of a space when they advance by `block`.
FELT_PLANNING inline need space_need(graph const& g, schedule& s, space_id sp,
                                     index_t const* block) {
    need n;
    int const lane = s[sp].lane;
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        placement& fs = s[id];
        if (fs.by == way::hoisted && !f.inner) continue;  // the source of a view
        if (fs.by != way::streamed) {
            need const own = node_need(g, s, id, block);
            fs.scratch_bytes = own.bytes;
            if (fs.home == nullptr && read_across(g, s, id)) n.bytes += staged_bytes(g, id, block);
            n.bytes += own.bytes;
            n.staged += own.staged;
            n.home += own.home;
            continue;
        }
        if (f.may_be_kept) n.bytes += kept_bytes(g, id, block);
        if (f.what != kind::leaf) continue;
        index_t const* const by_loop = by_loop_of(g, s, id);
        if (fs.read_again) n.home += leaf_block_bytes(g, s, id, block);
        if (repeated_by(g[sp], by_loop) > 0) {
            n.bytes += (repeated_elements + 64) * f.value_bytes;
        } else if (lane >= 0 && by_loop[lane] != 0 && by_loop[lane] != 1) {
            n.staged += leaf_block_bytes(g, s, id, block);
        }
    }
    return n;
}

inline bool fits(need const& n, index_t budget) {
    bool const far = budget > staging_limit;
    return n.bytes + (far ? 0 : n.home) <= budget && n.staged <= staging_limit;
}

}  // namespace detail
}  // namespace felt::planning

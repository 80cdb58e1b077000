// SPDX-License-Identifier: BSD-3-Clause
//
// How much scratch a box of the loops needs: for the values of nodes that are not streamed, for
// packed operands, for leaves that are transposed on the way in.
#pragma once
#include <felt/plan/limits.hpp>
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

need space_need(loops& p, int s, index_t const* block);
inline bool fits(need const& n, index_t budget);
void choose_block(loops& p, int s, index_t const* extent, index_t budget);

// What node f holds when its reader asks for a box: extents of the box by extents of the loops.
inline void image_extents(node_facts const& f, index_t const* block, index_t* out) {
    for (int a = 0; a < f.rank; ++a) {
        index_t n = 1;
        for (int l = 0; l < f.at.loops; ++l) {
            n += std::abs(f.at.coef[a][l]) * (std::max<index_t>(block[l], 1) - 1);
        }
        out[a] = a == f.whole && !f.carried ? f.extent[a] : std::min(n, f.extent[a]);
    }
}

// Whether something that is read in the loops s has to be computed first, block by block.
inline bool is_computed(loops const& p, int s) {
    for (int id : p.read_in(s)) {
        if (p.at(id).by == way::scratch) return true;
    }
    return false;
}

// What a product packs at a time: operands that do not lie in place, and of those that do the
// columns that fill no tile.
inline index_t packed_bytes(node_facts const& f) {
    index_t const rows = f.left_in_place ? 0 : round_up(f.chunk[0], 32);
    index_t const columns = f.right_in_place ? 64 : round_up(f.chunk[1], 64);
    return (rows * (f.chunk[2] + row_padding) + columns * f.chunk[2] + 256) * f.value_bytes;
}

// A box whose pieces overlap, because a shared label and one of the rows follow the same axis, is
// made ready for all of such labels, if that is not too much. `block` becomes what it is asked for.
FELT_PLANNING inline void keep_whole(loops& p, int id, contract_roles const& r, index_t* block) {
    node_facts& f = p.at(id);
    f.boxed_whole = 0;
    if (!f.left_boxed) return;
    node_facts const& x = p.at(memory_below(p, f.swapped ? p.at(id + 1).end : id + 1));
    loop_space const& in = p.loop(x.space);
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
    image_extents(x, whole, box);
    if (product(box, x.rank) * x.value_bytes > scratch_limit / 4) return;
    f.boxed_whole = labels;
    std::copy(whole, whole + in.rank, block);
}

FELT_PLANNING inline need contract_need(loops& p, int id, index_t const* x) {
    contract_roles const r = roles_of(p, id);
    node_facts& f = p.at(id);
    index_t block[max_axes] = {};
    for (int l = 0; l < p.loop(f.inner).rank; ++l) block[l] = l < f.rank ? x[l] : 1;
    index_t rows = 1, columns = 1, terms = 1, batches = 1;
    for (int i = 0; i < r.rows; ++i) rows *= block[r.row[i]];
    for (int i = 0; i < r.columns; ++i) columns *= block[r.column[i]];
    // Rows that are dear to make ready are made ready for all terms, if that is not too much.
    bool const dear_rows = is_computed(p, f.inner + (f.swapped ? 1 : 0));
    index_t const limit = shared_limit(rows, columns, f.value_bytes);
    index_t const room =
        pack_bytes / (std::clamp<index_t>(columns, 1, pack_columns) * f.value_bytes);
    shared_block(p, r, f.inner, std::min(f.most_terms, dear_rows ? std::max(limit, room) : limit),
                 block);
    for (int i = 0; i < r.shareds; ++i) terms *= block[r.shared[i]];
    for (int i = 0; i < r.batches; ++i) batches *= block[r.batch[i]];
    // They are packed all at once and stay for all columns.
    f.chunk[0] = dear_rows ? rows : std::min(rows, pack_rows);
    f.chunk[1] = std::min(columns, pack_columns);
    f.chunk[2] = terms;
    int const left = f.swapped ? 1 : 0;
    f.left_in_place = lies_in_place(p, id, r, left);
    f.right_in_place = lies_in_place(p, id, r, 1 - left);
    f.left_boxed = f.left_in_place && lies_in_box(p, left == 0 ? id + 1 : p.at(id + 1).end);
    for (int i = 0; i < r.batches; ++i) block[r.batch[i]] = 1;
    need n;
    index_t const bytes = f.value_bytes;
    if (f.home != nullptr) n.home += batches * rows * columns * bytes;
    else n.bytes += (batches * rows * padded_columns(columns, 64) + 64) * bytes;
    n.bytes += packed_bytes(f);
    for (int side = 0; side < 2; ++side) {
        loop_space& in = p.loop(f.inner + side);
        std::copy(block, block + in.rank, in.block);
        if (side == left) keep_whole(p, id, r, in.block);
        need const below = space_need(p, f.inner + side, in.block);
        n.bytes += below.bytes;
        n.staged += below.staged;
    }
    return n;
}

// A reshape takes its source in pieces of consecutive elements: about as many as it has itself, and
// enough that rows along the source's lanes are not short.
inline void reshape_pieces(loops const& p, int id, index_t elements, index_t* box) {
    constexpr index_t row = 64;
    node_facts const& source = p.at(id);
    index_t const most = scratch_limit / 8 / source.value_bytes;
    index_t rows = p.loop(source.space).lane < 0 ? 1 : row;
    for (int a = source.rank - 1; a > p.loop(source.space).lane; --a) rows *= source.extent[a];
    index_t const limit = std::clamp<index_t>(std::max(elements, rows), 1, most);
    index_t inner = product(source.extent, source.rank);
    std::copy(source.extent, source.extent + source.rank, box);
    for (int a = 0; a < source.rank && inner > limit; ++a) {
        inner /= std::max<index_t>(source.extent[a], 1);
        box[a] = std::min(source.extent[a], std::max<index_t>(1, limit / inner));
        inner *= box[a];
    }
}

// For a box of extents x of node id that it computes itself.
FELT_PLANNING inline need own_need(loops& p, int id, index_t const* x) {
    node_facts& f = p.at(id);
    std::copy(x, x + f.rank, f.held);
    if (f.what == kind::contract) return contract_need(p, id, x);
    need n;
    if (f.carried) ++f.held[f.whole];  // and what the next box goes on from
    (f.home != nullptr ? n.home : n.bytes) =
        (product(f.held, f.rank) * (f.carried ? 2 : 1) + 64) * f.value_bytes;
    if (f.what == kind::reduce) {
        index_t extent[max_axes] = {};
        loop_space const& in = p.loop(f.inner);
        for (int l = 0, a = 0; l < in.rank; ++l) {
            extent[l] = (f.mask >> l & 1U) != 0 ? in.extent[l] : x[a++];
        }
        need below;
        for (index_t quarters : {1, 3}) {  // more only where no block fits into less
            choose_block(p, f.inner, extent, quarters * scratch_limit / 4);
            below = space_need(p, f.inner, p.loop(f.inner).block);
            if (fits(below, quarters * scratch_limit / 4)) break;
        }
        return {n.bytes * (carries(f, in) ? 2 : 1) + below.bytes, 0};
    }
    // Views: the source box is at most as large as the box itself times its overlap.
    for (int c = id + 1, s = f.inner; c < f.end; c = p.at(c).end, ++s) {
        index_t box[max_axes] = {};
        for (int a = 0; a < p.at(c).rank; ++a) {
            box[a] = p.at(c).extent[a];
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
        if (f.what == kind::reshape) reshape_pieces(p, c, product(x, f.rank), box);
        if (p.at(c).by == way::hoisted) continue;  // its blocks are those of the whole
        std::copy(box, box + p.at(c).rank, p.loop(s).block);
        bool const evaluates =
            lies_as_operand(f) || (f.what == kind::general && computes_source(p, id));
        if (f.strip_axis >= 0 || f.what == kind::scan) choose_block(p, s, box, scratch_limit / 4);
        else if (f.by == way::hoisted && evaluates) choose_block(p, s, box, scratch_limit);
        need const below = space_need(p, s, p.loop(s).block);
        n.bytes += below.bytes;
        bool const copies = f.what == kind::general && p.at(c).what == kind::leaf;
        n.staged = std::max(n.staged, copies ? 0 : below.staged);
        bool const copied = !lies_as_operand(f) && p.at(c).what != kind::leaf &&
                            !(f.what == kind::general && computes_source(p, id));
        bool const turned = f.what == kind::reshape && p.loop(s).lane != p.at(c).rank - 1;
        n.bytes +=
            (copied ? turned ? 2 : 1 : 0) * (product(box, p.at(c).rank) + 64) * p.at(c).value_bytes;
    }
    return n;
}

// When its reader's loops advance by `loop_block`.
FELT_PLANNING inline need node_need(loops& p, int id, index_t const* loop_block) {
    node_facts& f = p.at(id);
    if (f.by == way::hoisted) return {};
    index_t x[max_axes] = {};
    image_extents(f, loop_block, x);
    if (f.strip_axis >= 0) {
        std::copy(f.extent, f.extent + f.rank, x);
        x[f.strip_axis] = std::min(x[f.strip_axis], f.strip_extent);
    }
    if (f.slot >= 0 && f.slot != id && held_by_twin(p, id, x)) {
        bool const unset = f.what == kind::contract && f.chunk[2] == 0;
        if (unset) contract_need(p, id, x);  // in case a run asks for more than it holds
        return {};
    }
    return own_need(p, id, x);
}

// Scratch for all nodes read in the loops s when they advance by `block`.
FELT_PLANNING inline need space_need(loops& p, int s, index_t const* block) {
    need n;
    int const lane = p.loop(s).lane;
    for (int id : p.read_in(s)) {
        node_facts& f = p.at(id);
        if (f.by == way::hoisted && f.inner < 0) continue;  // the source of a view
        if (f.by != way::streamed) {
            need const own = node_need(p, id, block);
            f.scratch_bytes = own.bytes;
            if (f.home == nullptr && read_across(p, id)) n.bytes += staged_bytes(p, f, block);
            n.bytes += own.bytes;
            n.staged += own.staged;
            n.home += own.home;
        } else if (f.read_again && f.what == kind::leaf) {
            index_t bytes = f.value_bytes;
            for (int l = 0; l < p.loop(s).rank; ++l) bytes *= f.by_loop[l] != 0 ? block[l] : 1;
            n.home += bytes;
        }
        if (f.by != way::streamed) continue;
        if (f.may_be_kept) n.bytes += kept_bytes(p, f, block);
        if (f.what == kind::leaf && detail::repeated_by(p.loop(s), f) > 0) {
            n.bytes += (repeated_elements + 64) * f.value_bytes;
        } else if (f.what == kind::leaf && lane >= 0 && f.by_loop[lane] != 0 &&
                   f.by_loop[lane] != 1) {
            index_t bytes = f.value_bytes;
            for (int l = 0; l < p.loop(s).rank; ++l) bytes *= f.by_loop[l] != 0 ? block[l] : 1;
            n.staged += bytes;
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

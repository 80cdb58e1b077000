// SPDX-License-Identifier: BSD-3-Clause
//
// Special cases: a faster way for one class of operand or destination. Each is a row of this
// table (plan/special_case.hpp). A row without a gain is deleted.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/4_destination_reuse/destination_reuse.hpp>
#include <string_view>

namespace felt::inline FELT_ABI::planning {

inline constexpr special_case streaming_stores{
    "streaming stores", "the destination has 32 MiB or more and is not read", 1.3, "stream/clip"};

inline constexpr special_case mirrored_blocks{"blocks in mirrored pairs",
                                              "a square tensor and its own transpose are read", 1.2,
                                              "transpose/add"};

inline constexpr special_case reused_destination{
    "kept in the destination",
    "a product, a copy, or a value of every element that is used more than once, has its extents",
    1.3, "softmax/rows"};

inline constexpr special_case next_block_fetched{
    "next block fetched early",
    "rows of memory are reduced first and then read again, of a block after the other", 1.1,
    "softmax/rows"};

// Those of convolutions are in product_schedule.hpp.
inline constexpr special_case const* special_cases[] = {
    &streaming_stores, &mirrored_blocks, &reused_destination, &next_block_fetched, &winograd_2,
    &winograd_4,       &fft_16};

namespace detail {

inline bool streams_out(graph const& g, schedule const& s, statement_id k) {
    destination const& to = g[k];
    loop_id const lane = s[to.space].lane;
    bool const direct = g[to.root].what == kind::contract && s[g[to.root].product].direct;
    if (lane < 0 || s[k].temporary || to.by_loop[lane] != 1 || direct) return false;
    return is_beyond_caches(g, k) && !is_read(g, s, k);
}

// Whether leaf b is leaf a with its two axes exchanged.
inline bool mirrors(graph const& g, schedule const& s, node_id a, node_id b) {
    index_t const *x = by_loop_of(g, s, a), *y = by_loop_of(g, s, b);
    return data_of(g, s, a) == data_of(g, s, b) && offset_of(g, s, a) == offset_of(g, s, b) &&
           x[0] == y[1] && x[1] == y[0] && x[0] != x[1];
}

// Block (i, j) reads what block (j, i) reads too: one right after the other, it is in cache.
inline bool reads_mirrored(graph const& g, schedule const& s, space_id sp) {
    loop_space const& in = g[sp];
    if (in.rank != 2 || in.extent[0] != in.extent[1]) return false;
    bool found = false;
    for (node_id a : g.read_in(sp)) {
        if (s[a].by != way::streamed) return false;
        if (g[a].what != kind::leaf) continue;
        for (node_id b : g.read_in(sp)) {
            found = found || (g[b].what == kind::leaf && mirrors(g, s, a, b));
        }
    }
    return found;
}

// Squares of blocks whose transposed part stays in the first-level cache. (x + its transpose, 5000
// x 5000: by 512 bytes of a row 22 ms, by 1024 15.7; 4096 x 4096 7.7 and 8.3.)
FELT_PLANNING inline void mirror(graph const& g, schedule& s, statement_id k) {
    destination const& to = g[k];
    loop_schedule& how = s[to.space];
    index_t const n = g[to.space].extent[0], bytes = std::max(to.value_bytes, 4);
    bool const wide = n * bytes % (2 * page) != 0 && n * bytes >= 4 * mirrored_bytes;
    index_t const side = (wide ? mirrored_bytes : mirrored_in_few_sets) / bytes;
    if (!reads_mirrored(g, s, to.space) || n < 4 * side) return;
    how.block[how.lane] = how.mirror = side;
    how.block[1 - how.lane] = side / 2;
    s[k].special.add(&mirrored_blocks);
}

// The innermost loop of the statement that is cut; -1 if there is none.
inline loop_id innermost_cut(loop_space const& in, loop_schedule const& how) {
    loop_id cut;
    for (int i = 0; i < in.rank; ++i) {
        if (how.block[how.order[i]] < in.extent[how.order[i]]) cut = how.order[i];
    }
    return cut;
}

// Whether a reduction reads the memory of a leaf too, block by block.
inline bool is_reduced_too(graph const& g, schedule const& s, statement_id k, node_id leaf) {
    for (node_id id : g.nodes_of(k)) {
        node_id const owner = g[g[id].space].owner;
        if (g[id].what == kind::leaf && data_of(g, s, id) == data_of(g, s, leaf) && owner &&
            g[owner].what == kind::reduce && !computed_first(s, owner)) {
            return true;
        }
    }
    return false;
}

// What loops read again after a reduction has read it comes from cache: memory is idle then and can
// bring the next block, which is so far away as step_of(leaf) says.
template <class StepOf>
bool fetch_early(graph const& g, schedule& s, statement_id k, space_id in, StepOf step_of) {
    loop_schedule& how = s[in];
    if (how.lane < 0) return false;
    for (node_id x : g.read_in(in)) {
        if (g[x].what != kind::leaf || by_loop_of(g, s, x)[how.lane] != 1) continue;
        if (step_of(x) == 0 || !is_reduced_too(g, s, k, x)) continue;
        how.fetched = x;
        how.fetch_step = step_of(x);
        return true;
    }
    return false;
}

// In the loops of values that are kept in scratch or, without those, in a statement's own.
FELT_PLANNING inline bool fetch_early(graph const& g, schedule& s, statement_id k) {
    space_id const own = g[k].space;
    loop_id const cut = innermost_cut(g[own], s[own]);
    if (cut < 0) return false;
    index_t const block = s[own].block[cut];
    bool found = false;
    for (node_id id : g.nodes_of(k)) {
        node const& f = g[id];
        if (f.what != kind::once || f.space != own || s[id].by != way::scratch) continue;
        auto const step = [&](node_id x) {
            index_t n = 0;
            for (axis_id a : f.axes()) n += f.at.coef[a][cut] * by_loop_of(g, s, x)[a];
            return n * block;
        };
        found = fetch_early(g, s, k, f.inner, step) || found;
    }
    auto const step = [&](node_id x) { return by_loop_of(g, s, x)[cut] * block; };
    return found || fetch_early(g, s, k, own, step);
}

inline void add_algorithm(statement_schedule& to, convolution_algorithm const* by) {
    auto const& known = to.special;
    if (by != nullptr && std::find(known.begin(), known.end(), by) == known.end())
        to.special.add(by);
}

// For a statement that stands alone and has its blocks.
FELT_PLANNING inline void choose_special(graph const& g, schedule& s, statement_id k) {
    bool kept = false;
    for (node_id id : g.nodes_of(k)) kept = kept || s[id].reused != nullptr;
    if (fetch_early(g, s, k)) s[k].special.add(&next_block_fetched);
    if (kept) s[k].special.add(&reused_destination);
    mirror(g, s, k);
    for (node_id id : g.nodes_of(k)) {
        if (g[id].what == kind::contract) add_algorithm(s[k], s[g[id].product].fast.by);
    }
    if (streams_out(g, s, k)) {
        s[k].streaming = true;
        s[k].special.add(&streaming_stores);
    }
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// Special cases: a faster way for one class of operand or destination. Each is a row of this
// table: what it is, when the plan takes it, what it gained where it was measured (time without
// it / with it) and the benchmark that measures it. A row without a gain is deleted.
#pragma once
#include <felt/plan/home.hpp>
#include <string_view>

namespace felt::planning {

struct special_case {
    char const* name;
    char const* condition;
    double gain;
    char const* benchmark;
};

inline constexpr special_case streaming_stores{
    "streaming stores", "the destination has 32 MiB or more and is not read", 1.3, "stream/clip"};

inline constexpr special_case mirrored_blocks{"blocks in mirrored pairs",
                                              "a square tensor and its own transpose are read", 1.2,
                                              "transpose/add"};

inline constexpr special_case kept_at_home{
    "kept in the destination",
    "a product, or a value of every element that is used more than once, has its extents", 1.3,
    "softmax/rows"};

inline constexpr special_case next_block_fetched{
    "next block fetched early",
    "an operand is reduced first and then read again by a dear function", 1.15, "softmax/rows"};

inline constexpr special_case const* special_cases[] = {&streaming_stores, &mirrored_blocks,
                                                        &kept_at_home, &next_block_fetched};

namespace detail {

inline bool streams_out(plan const& p, statement_facts const& to) {
    loop_space const& in = p.loop(to.space);
    if (in.lane < 0 || to.temporary || to.by_loop[in.lane] != 1 || p.at(to.root).direct) {
        return false;
    }
    return is_beyond_caches(p, to) && !is_read(p, to);
}

// Whether leaf b is leaf a with its two axes exchanged.
inline bool mirrors(node_facts const& a, node_facts const& b) {
    return a.data == b.data && a.offset == b.offset && a.by_loop[0] == b.by_loop[1] &&
           a.by_loop[1] == b.by_loop[0] && a.by_loop[0] != a.by_loop[1];
}

// Block (i, j) reads what block (j, i) reads too: one right after the other, it is in cache.
inline bool reads_mirrored(plan const& p, int s) {
    loop_space const& in = p.loop(s);
    if (in.rank != 2 || in.extent[0] != in.extent[1]) return false;
    bool found = false;
    for (node_facts const& f : p.node) {
        if (f.space != s) continue;
        if (f.by != way::streamed) return false;
        for (node_facts const& g : p.node) {
            found = found ||
                    (g.space == s && f.what == kind::leaf && g.what == kind::leaf && mirrors(f, g));
        }
    }
    return found;
}

// Squares of blocks whose transposed part stays in the first-level cache.
FELT_PLANNING inline void mirror(plan& p, statement_facts& to) {
    loop_space& in = p.loop(to.space);
    index_t const side = 512 / std::max(to.value_bytes, 4);
    if (!reads_mirrored(p, to.space) || in.extent[0] < 4 * side) return;
    in.block[in.lane] = in.mirror = side;
    in.block[1 - in.lane] = side / 2;
    to.special.push_back(&mirrored_blocks);
}

// The innermost loop of the statement that is cut; -1 if there is none.
inline int innermost_cut(loop_space const& in) {
    int cut = -1;
    for (int i = 0; i < in.rank; ++i) {
        if (in.block[in.order[i]] < in.extent[in.order[i]]) cut = in.order[i];
    }
    return cut;
}

inline bool is_reduced_too(plan const& p, statement_facts const& to, node_facts const& leaf) {
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        int const owner = p.loop(f.space).owner;
        if (f.what == kind::leaf && f.data == leaf.data && owner >= 0 &&
            p.at(owner).what == kind::reduce) {
            return true;
        }
    }
    return false;
}

// What node `id` reads again after a reduction has read it comes from cache: memory is idle
// then and can bring the next block.
FELT_PLANNING inline void fetch_early(plan& p, statement_facts& to, int id) {
    node_facts const& f = p.at(id);
    int const cut = innermost_cut(p.loop(to.space));
    if (f.what != kind::once || f.space != to.space || f.by != way::scratch || cut < 0) return;
    loop_space& in = p.loop(f.inner);
    for (int x = id + 1; x < f.end; ++x) {
        node_facts const& leaf = p.at(x);
        if (leaf.what != kind::leaf || leaf.space != f.inner) continue;
        if (in.lane < 0 || leaf.by_loop[in.lane] != 1 || !is_reduced_too(p, to, leaf)) continue;
        index_t step = 0;
        for (int a = 0; a < f.rank; ++a) step += f.at.coef[a][cut] * leaf.by_loop[a];
        if (step == 0) continue;
        in.fetched = x;
        in.fetch_step = step * p.loop(to.space).block[cut];
        to.special.push_back(&next_block_fetched);
        return;
    }
}

// For a statement that stands alone and has its blocks.
FELT_PLANNING inline void choose_special(plan& p, statement_facts& to) {
    bool kept = false;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        kept = kept || f.home != nullptr;
        fetch_early(p, to, id);
    }
    if (kept) to.special.push_back(&kept_at_home);
    mirror(p, to);
    if (streams_out(p, to)) {
        to.streaming = true;
        to.special.push_back(&streaming_stores);
    }
}

}  // namespace detail
}  // namespace felt::planning

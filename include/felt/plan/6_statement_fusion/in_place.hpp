// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write: whether block by block everything is read before it is
// overwritten.
#pragma once
#include <felt/plan/5_hoisting/tile_and_hoist.hpp>
#include <felt/plan/6_statement_fusion/statement_fusion.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning::detail {

// Whether leaf id, which is the destination itself, is read block by block before the block is
// stored: what a block reads of it lies in the block, along every axis that is cut.
inline bool read_before_stored(graph const& g, schedule const& s, statement_id k, node_id id) {
    destination const& to = g[k];
    node const& f = g[id];
    loop_space const& in = g[to.space];
    if (f.space == to.space || g[to.root].what == kind::contract || f.rank != to.rank ||
        f.value_bytes != to.value_bytes) {
        return false;
    }
    for (loop_id l{0}; l < to.rank; ++l) {
        if (f.stride[l] != to.stride[l] && to.extent[l] > 1) return false;
        bool const shared_out = l == shared_loop(g, s, to.space);  // among threads
        bool const whole = s[to.space].block[l] >= in.extent[l];
        if (in.extent[l] <= 1 || (whole && !shared_out)) continue;
        linked_loops linked(g.spaces.size(), 0U);
        linked[to.space] = 1U << l;
        link(g, s, to.root, linked);
        if (!reads_inside(g, s, id, linked, k, to.stride[l])) return false;
    }
    return true;
}

// Whether everything that a statement reads of what it writes is read before it is written.
inline bool safe_in_place(graph const& g, schedule const& s, statement_id k) {
    destination const& to = g[k];
    for (node_id id = to.root, next; id < g[to.root].end; id = next) {
        node const& f = g[id];
        next = computed_first(s, id) ? f.end : id + 1;  // computed before anything is stored
        if (f.what != kind::leaf) continue;
        bool const safe = !overlap(range_of(to), range_of(f)) ||
                          same_elements(g, k, id, to.space) || read_before_stored(g, s, k, id);
        if (!safe) return false;
    }
    return true;
}

// In place after all, now that the blocks are known? Where nothing is cut, any loop may be the
// outermost, which threads share out.
inline void reconsider(graph const& g, schedule& s, statement_id k) {
    if (!s[k].temporary) return;
    loop_space const& in = g[g[k].space];
    loop_schedule& how = s[g[k].space];
    bool const whole = std::equal(how.block, how.block + in.rank, in.extent);
    bool safe = safe_in_place(g, s, k);
    for (int turn = 1; turn < in.rank && whole && !safe; ++turn) {
        std::rotate(how.order, how.order + 1, how.order + in.rank);
        safe = safe_in_place(g, s, k);
    }
    if (!safe && whole && in.rank > 1) std::rotate(how.order, how.order + 1, how.order + in.rank);
    if (!safe) return;
    s[k].temporary = false;
    s[k].why = "";
}

// In place, with what is expensive kept where its operand was, if block by block that is safe. Else
// nothing has changed; if so, all that s holds is new.
FELT_PLANNING inline bool cut_in_place(graph const& g, schedule& s, statement_id k) {
    node_id const id = s[k].temporary ? kept_in_place(g, s, k) : node_id{};
    if (!id) return false;
    schedule tried = s;
    tried[k].temporary = false;
    tried[k].why = "";
    reuse_destination(g, tried, k, id);
    cut(g, tried, k);
    bool const safe = safe_in_place(g, tried, k) && holds_for_all(g, tried, k, id);
    if (safe) s = std::move(tried);
    return safe;
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan moves and computes, as numbers.
#pragma once
#include <felt/plan/1_analysis/block_diagonal.hpp>
#include <felt/plan/1_analysis/cse.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <felt/plan/7_lowering/read_again.hpp>
#include <felt/plan/plan.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Whether an earlier node has the same value, so that this one costs nothing.
inline bool repeated(graph const& g, node_id id) {
    return bool(first_unchanged(g, 0, id, [](node_id) { return true; }));
}

// What a softmax takes that a product carries along its terms, for each score: x - max, exp, the
// sum and the quotient, and so many tensors read and written, if unfused, beside the scores and
// weights.
inline constexpr index_t softmax_flops = 4, softmax_moves = 6;
inline index_t carried_scores(graph const& g, node_id id) {
    return g[id].what == kind::contract && g[id].carries_softmax ? elements_of(g[id + 1]) : 0;
}

inline index_t own_flops(graph const& g, node_id id) {
    node const& f = g[id];
    if (f.what == kind::reduce || f.what == kind::scatter) return elements_of(g[id + 1]);
    if (f.what != kind::contract) return elements_of(f) * f.flops;
    index_t n = 2;
    for (loop_id l : g[f.inner].loops()) n *= g[f.inner].extent[l];
    return n / blocks_of(g, id) + (softmax_flops - 1) * carried_scores(g, id);
}

// The bytes of leaf id that no earlier leaf has read: other views of one tensor share them.
inline index_t new_bytes(graph const& g, schedule const& s, node_id id) {
    memory_range const own = range_of(g[id]);
    index_t const all = leaf_bytes(g, s, id);
    index_t left = all;
    for (node_id a = 0; a < id; ++a) {
        if (g[a].what != kind::leaf) continue;
        if (same_value(g, a, id)) return 0;
        if (g[a].data == nullptr || g[id].data == nullptr) continue;  // packed: its own
        memory_range const other = range_of(g[a]);
        bool const dense = other.hi - other.lo == leaf_bytes(g, s, a);
        index_t const both = std::min(own.hi, other.hi) - std::max(own.lo, other.lo);
        if (dense && both > 0) left = std::min(left, std::max<index_t>(0, all - both));
    }
    return left;
}

// A leaf that is the destination of an earlier statement is read while it is fresh.
inline bool written_before(graph const& g, node_id id) {
    for (destination const& to : g.statements) {
        if (g.subtree(to.root).contains(id)) return false;
        if (to.data == g[id].data) return true;
    }
    return false;
}

// Whether an unfused run gives node f no tensor of its own.
inline bool stays_unfused(node const& f) {
    return trait_of(f).is_view || f.what == kind::leaf || f.what == kind::scalar;
}

inline index_t memory_read(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    index_t const all = elements_of(f) * f.value_bytes;
    if (f.what == kind::leaf) return leaf_bytes(g, s, id);
    if (f.what == kind::scalar) return 0;
    return trait_of(f).is_view ? std::min(memory_read(g, s, id + 1), all) : all;
}

// Node by node only what the root itself reads in memory can be in the way of its result.
inline bool kept_aside_unfused(graph const& g, schedule const& s, statement_id k) {
    if (!s[k].temporary) return false;
    destination const& to = g[k];
    node const& root = g[to.root];
    bool const reads = trait_of(root).is_view || root.what == kind::leaf;
    for (node_id x = reads ? to.root : to.root + 1; x < root.end; x = g[x].end) {
        node_id id = x;
        while (trait_of(g[id]).is_view) ++id;
        if (g[id].what != kind::leaf || same_elements(g, k, id, to.space)) continue;
        if (overlap(range_of(to), range_of(g[id]))) return true;
    }
    return false;
}

FELT_PLANNING_SELDOM inline std::vector<intermediate> intermediates_of(plan const& p) {
    std::vector<intermediate> list;
    for (node_id id : p.g.nodes.ids()) {
        node const& f = p.g[id];
        if (p.s[id].by != way::hoisted || is_reused(p.s, id)) continue;
        if (elements_of(f) * f.value_bytes > uncounted_bytes) {
            list.push_back({f.name, elements_of(f) * f.value_bytes, p.s[id].why});
        }
    }
    for (statement_id k : p.g.statements.ids()) {
        if (!p.s[k].temporary) continue;
        list.push_back({"the result", destination_bytes(p.g[k]), p.s[k].why});
    }
    return list;
}

FELT_PLANNING_SELDOM inline index_t flops_of(plan const& p) {
    index_t n = 0;
    for (node_id id : p.g.nodes.ids()) {
        if (!repeated(p.g, id)) n += own_flops(p.g, id);
    }
    return n;
}

// Of filters that are transformed for a convolution.
inline index_t filter_bytes(graph const& g, schedule const& s, node_id id) {
    if (g[id].what != kind::contract || s[g[id].product].fast.by == nullptr) return 0;
    product_schedule const& p = s[g[id].product];
    index_t const* const extent = g[g[id].inner].extent;
    index_t const columns = round_up(p.axes.n.points(extent), full_lanes);
    return p.fast.by->points * extent[p.fast.channel] * columns * g[id].value_bytes;
}

FELT_PLANNING_SELDOM inline index_t bytes_of(plan const& p) {
    index_t n = 0;
    for (node_id id : p.g.nodes.ids()) n += 2 * filter_bytes(p.g, p.s, id);
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == kind::leaf && !written_before(p.g, id)) n += new_bytes(p.g, p.s, id);
    }
    for (destination const& to : p.g.statements) n += destination_bytes(to);
    for (intermediate const& i : intermediates_of(p)) n += 2 * i.bytes;
    return n + bytes_read_again(p);
}

FELT_PLANNING_SELDOM inline index_t bytes_unfused_of(plan const& p) {
    graph const& g = p.g;
    schedule const& s = p.s;
    index_t n = 0;
    for (node_id id : g.nodes.ids()) {
        node const& f = g[id];
        if (stays_unfused(f) || repeated(g, id)) continue;
        n += elements_of(f) * f.value_bytes;
        n += softmax_moves * carried_scores(g, id) * f.value_bytes;
        for (node_id x : g.operands(id)) n += memory_read(g, s, x);
    }
    for (statement_id k : g.statements.ids()) {
        node_id const root = g[k].root;
        bool const copied = stays_unfused(g[root]) && g[root].what != kind::once;
        if (copied) n += destination_bytes(g[k]) + memory_read(g, s, root);
        if (kept_aside_unfused(g, s, k)) n += 2 * destination_bytes(g[k]);
    }
    return n;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning

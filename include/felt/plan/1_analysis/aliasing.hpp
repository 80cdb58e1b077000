// SPDX-License-Identifier: BSD-3-Clause
//
// What statements read of what they and others write, and what is read more than once.
#pragma once
#include <felt/plan/1_analysis/place.hpp>

namespace felt::planning::detail {

// Where the bytes of a strided block of memory begin and end.
struct memory_range {
    char const* lo;
    char const* hi;
};
inline memory_range range_of(void const* data, index_t const* extent, index_t const* stride,
                             int rank, int value_bytes) {
    auto const* p = static_cast<char const*>(data);
    index_t lo = 0, hi = 0;
    for (int a = 0; a < rank; ++a) {
        if (extent[a] == 0) return {p, p};
        (stride[a] < 0 ? lo : hi) += stride[a] * (extent[a] - 1);
    }
    return {p + lo * value_bytes, p + (hi + 1) * value_bytes};
}
// Of a statement's destination, or of a leaf.
template <class Memory>
memory_range range_of(Memory const& f) {
    return range_of(f.data, f.extent, f.stride, f.rank, f.value_bytes);
}
inline bool overlap(memory_range const& a, memory_range const& b) {
    return a.lo < b.hi && b.lo < a.hi;
}

// Element by element leaf id is read where statement k writes: safe in place. `sp`: the loops in
// which that is, the statement's or others over its destination.
inline bool same_elements(graph const& g, statement_id k, node_id id, space_id sp) {
    destination const& to = g[k];
    node const& leaf = g[id];
    auto const* base = static_cast<char const*>(leaf.data) + leaf.offset * leaf.value_bytes;
    if (leaf.space != sp || base != to.data || leaf.value_bytes != to.value_bytes) return false;
    loop_space const& in = g[to.space];
    for (int l = 0; l < in.rank; ++l) {
        if (in.extent[l] > 1 && leaf.by_loop[l] != to.by_loop[l]) return false;
    }
    return true;
}

// Why statement k can't write to its destination at once; null if it can. What a leaf may
// touch is the range of all of its axes.
FELT_PLANNING inline char const* find_alias(graph const& g, statement_id k) {
    destination const& to = g[k];
    if (to.no_alias) return nullptr;
    for (node_id id : g.nodes_of(k)) {
        node const& f = g[id];
        if (f.what != kind::leaf || f.lie_along != nullptr) continue;
        if (overlap(range_of(to), range_of(f)) && !same_elements(g, k, id, to.space)) {
            return "reads what it writes, by other indices";
        }
    }
    return nullptr;
}

// Whether the value of node id changes from statement `from` to statement `to`: something it reads
// is written by `from` or between them.
FELT_PLANNING inline bool changes(graph const& g, node_id id, statement_id from, statement_id to) {
    for (node_id x : g.subtree(id)) {
        if (g[x].what != kind::leaf) continue;
        for (statement_id writer = from; writer < to; ++writer) {
            if (overlap(range_of(g[writer]), range_of(g[x]))) return true;
        }
    }
    return false;
}

inline statement_id statement_of(graph const& g, node_id id) {
    statement_id k = g.statements.end_id() - 1;
    while (g[k].root > id) --k;
    return k;
}

// Whether what is computed in the loops `inner` moves with any of the loops `outer`, inside of
// which they run.
inline bool moves_with(graph const& g, space_id inner, space_id outer) {
    node const* around = nullptr;
    for (space_id sp = inner; sp != outer; sp = around->space) {
        if (!g[sp].owner) return false;
        around = &g[g[sp].owner];
    }
    for (int l = 0; around != nullptr && l < g[outer].rank; ++l) {
        if (g[outer].extent[l] > 1 && around->at.follows(l)) return true;
    }
    return false;
}

// Marks the leaves of a statement's loops that loops inside of these read too: a block of them
// should stay in a cache from one to the other.
FELT_PLANNING inline void find_read_again(graph const& g, schedule& s, statement_id k) {
    space_id const outer = g[k].space;
    for (node_id id : g.read_in(outer)) {
        node const& f = g[id];
        if (f.what != kind::leaf || f.data == nullptr) continue;
        for (node_id x : g.nodes_of(k)) {
            node const& other = g[x];
            bool const same = other.what == kind::leaf && other.data == f.data &&
                              other.rank == f.rank &&
                              std::equal(f.stride, f.stride + f.rank, other.stride);
            if (same && other.space != f.space && moves_with(g, other.space, outer)) {
                s[id].read_again = true;
                break;
            }
        }
    }
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// What statements read of what they and others write, and what is read more than once.
#pragma once
#include <felt/plan/1_analysis/place.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Where the bytes of a strided block of memory begin and end.
struct memory_range {
    char const* lo;
    char const* hi;
};
inline memory_range range_of(void const* data, index_t const* extent, index_t const* stride,
                             int rank, int value_bytes) {
    auto const* p = static_cast<char const*>(data);
    index_t lo = 0, hi = 0;
    for (axis_id a{0}; a < rank; ++a) {
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

// Whether two leaves have the same elements, as far as they reach.
inline bool same_memory(node const& a, node const& b) {
    return a.what == kind::leaf && b.what == kind::leaf && a.data == b.data && a.rank == b.rank &&
           std::equal(a.stride, a.stride + a.rank, b.stride);
}

// Whether node id reads memory of a destination. What a leaf may touch is the range of all of its
// axes; what is packed is a copy.
inline bool touches(graph const& g, node_id id, destination const& to) {
    node const& f = g[id];
    if (f.what != kind::leaf || f.lie_along != nullptr) return false;
    return overlap(range_of(to), range_of(f));
}
template <class Nodes>
bool any_touches(graph const& g, Nodes const& nodes, destination const& to) {
    for (node_id id : nodes) {
        if (touches(g, id, to)) return true;
    }
    return false;
}

// Element by element leaf id is read where statement k writes: safe in place. `sp`: the loops in
// which that is, the statement's or others over its destination.
inline bool same_elements(graph const& g, statement_id k, node_id id, space_id sp) {
    destination const& to = g[k];
    node const& leaf = g[id];
    auto const* base = static_cast<char const*>(leaf.data) + leaf.offset * leaf.value_bytes;
    if (leaf.space != sp || base != to.data || leaf.value_bytes != to.value_bytes) return false;
    loop_space const& in = g[to.space];
    for (loop_id l : in.loops()) {
        if (in.extent[l] > 1 && leaf.by_loop[l] != to.by_loop[l]) return false;
    }
    return true;
}
// Two statements over loops of the same extents write the same elements in the same order.
inline bool same_elements(destination const& a, destination const& b) {
    return a.data == b.data && a.value_bytes == b.value_bytes &&
           std::equal(a.stride, a.stride + a.rank, b.stride);
}

// Whether one of these nodes reads what statement k writes, but for the element that is written at
// the same time.
template <class Nodes>
bool reads_elsewhere(graph const& g, Nodes const& nodes, statement_id k) {
    for (node_id id : nodes) {
        if (touches(g, id, g[k]) && !same_elements(g, k, id, g[k].space)) return true;
    }
    return false;
}

// Why statement k can't write to its destination at once; null if it can.
FELT_PLANNING inline char const* find_alias(graph const& g, statement_id k) {
    bool const safe = g[k].no_alias || !reads_elsewhere(g, g.nodes_of(k), k);
    return safe ? nullptr : "reads what it writes, by other indices";
}

inline statement_id statement_of(graph const& g, node_id id) {
    statement_id k = g.statements.end_id() - 1;
    while (g[k].root > id) --k;
    return k;
}

// Whether something that node id reads is written by the statement of an earlier node, or after it.
FELT_PLANNING inline bool is_overwritten(graph const& g, node_id earlier, node_id id) {
    statement_id const to = statement_of(g, id);
    for (statement_id k = statement_of(g, earlier); k < to; ++k) {
        if (any_touches(g, g.subtree(id), g[k])) return true;
    }
    return false;
}

// Whether what is computed in the loops `inner` moves with any of the loops `outer`, inside of
// which they run.
inline bool moves_with(graph const& g, space_id inner, space_id outer) {
    node const* around = nullptr;
    for (space_id sp = inner; sp != outer; sp = around->space) {
        if (!g[sp].owner) return false;
        around = &g[g[sp].owner];
    }
    for (loop_id l{0}; around != nullptr && l < g[outer].rank; ++l) {
        if (g[outer].extent[l] > 1 && around->at.follows(l)) return true;
    }
    return false;
}

// Marks the leaves of a statement's loops that loops inside of these read too: a block of them
// should stay in a cache from one to the other. (Those of inner loops are not marked: var<0> and
// var<1> of 16384 x 1024 took 10 to 16 and 7.8 ms in tiles that keep them near, and take 5.6
// and 5.5 by two passes, where a last cache of 260 MB holds all of it.)
FELT_PLANNING inline void find_read_again(graph const& g, schedule& s, statement_id k) {
    space_id const outer = g[k].space;
    for (node_id id : g.read_in(outer)) {
        node const& f = g[id];
        if (f.what != kind::leaf || f.data == nullptr) continue;
        for (node_id x : g.nodes_of(k)) {
            bool const elsewhere = same_memory(f, g[x]) && g[x].space != f.space;
            if (elsewhere && moves_with(g, g[x].space, outer)) {
                s[id].read_again = true;
                break;
            }
        }
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

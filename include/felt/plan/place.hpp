// SPDX-License-Identifier: BSD-3-Clause
//
// Statements find their place in a graph: loops of their own, what they read of what they write,
// and the nodes that are the same as others.
#pragma once
#include <felt/plan/blocks.hpp>
#include <felt/plan/merge.hpp>
#include <felt/plan/plan.hpp>
#include <felt/plan/twins.hpp>

namespace felt::planning::detail {

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

// Why statement k can't write to its destination at once; null if it can. A leaf's stride is in the
// facts of its axes; what it may touch is the range of all of them.
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

// Equal nodes of the statements of one pass share what is computed.
inline void find_twins(graph const& g, schedule& s, pass_facts const& pass) {
    node_id const begin = g[pass.first].root, end = g[g[pass.last - 1].root].end;
    s.twin_axes.clear();
    for (node_id b = begin; b < end; ++b) {
        if (s[b].by == way::streamed) continue;
        s[b].slot = b;
        for (node_id a = begin; a < b; ++a) {
            if (s[a].by == way::streamed || !same_value(g, a, b)) continue;
            if (changes(g, b, statement_of(g, a), statement_of(g, b))) continue;
            s[b].slot = a;
            find_twin_axes(g, s, b);
            break;
        }
    }
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

// Gives a statement whose tree was described its loops.
FELT_PLANNING inline void place_statement(graph& g, destination to) {
    std::copy(to.stride, to.stride + to.rank, to.by_loop);
    to.space = g.add_space(to.extent, to.rank);
    node& root = g[to.root];
    follow_destination(root.at, root, to.rank);
    place(g, to.root, to.space);
    g.statements.add(to);
}

FELT_PLANNING inline void place_described(graph& g, described const& from) {
    destination to;
    to.root = from.root;
    to.data = from.data;
    to.value_bytes = from.value_bytes;
    to.rank = from.rank;
    to.no_alias = from.no_alias;
    std::copy(from.extent, from.extent + from.rank, to.extent);
    std::copy(from.stride, from.stride + from.rank, to.stride);
    place_statement(g, to);
}

}  // namespace felt::planning::detail

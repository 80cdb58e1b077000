// SPDX-License-Identifier: BSD-3-Clause
//
// Statements find their place in a plan: loops of their own, what they read of what they write, and
// the nodes that are the same as others.
#pragma once
#include <felt/plan/blocks.hpp>
#include <felt/plan/merge.hpp>
#include <felt/plan/plan.hpp>
#include <felt/plan/twins.hpp>

namespace felt::planning::detail {

// Element by element the leaf is read where the destination is written: safe in place. `space`: the
// loops in which that is, the statement's or others over its destination.
inline bool same_elements(plan const& p, statement_facts const& to, node_facts const& leaf,
                          int space) {
    auto const* base = static_cast<char const*>(leaf.data) + leaf.offset * leaf.value_bytes;
    if (leaf.space != space || base != to.data || leaf.value_bytes != to.value_bytes) {
        return false;
    }
    loop_space const& in = p.loop(to.space);
    for (int l = 0; l < in.rank; ++l) {
        if (in.extent[l] > 1 && leaf.by_loop[l] != to.by_loop[l]) return false;
    }
    return true;
}

// A leaf's stride is in the facts of its axes; what it may touch is the range of all of them.
FELT_PLANNING inline void find_aliases(plan& p, statement_facts& to) {
    if (to.no_alias) return;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (f.what != kind::leaf || f.lie_along != nullptr) continue;
        if (overlap(range_of(to), range_of(f)) && !same_elements(p, to, f, to.space)) {
            to.temporary = true;
            to.why = "reads what it writes, by other indices";
        }
    }
}

// Whether the value of node id changes from statement k to statement `to`: something it reads is
// written by k or between them.
FELT_PLANNING inline bool changes(plan const& p, int id, int k, int to) {
    for (int x = id; x < p.at(id).end; ++x) {
        if (p.at(x).what != kind::leaf) continue;
        for (int writer = k; writer < to; ++writer) {
            statement_facts const& s = p.statement[static_cast<std::size_t>(writer)];
            if (overlap(range_of(s), range_of(p.at(x)))) return true;
        }
    }
    return false;
}

inline int statement_of(plan const& p, int id) {
    int k = static_cast<int>(p.statement.size()) - 1;
    while (p.statement[static_cast<std::size_t>(k)].root > id) --k;
    return k;
}

// Equal nodes of the statements of one pass share what is computed.
inline void find_twins(plan& p, pass_facts const& pass) {
    int const begin = p.statement[static_cast<std::size_t>(pass.first)].root;
    int const end = p.at(p.statement[static_cast<std::size_t>(pass.last - 1)].root).end;
    p.twin_axes.clear();
    for (int b = begin; b < end; ++b) {
        if (p.at(b).by == way::streamed) continue;
        p.at(b).slot = b;
        for (int a = begin; a < b; ++a) {
            if (p.at(a).by == way::streamed || !same_value(p.node, a, b)) continue;
            if (changes(p, b, statement_of(p, a), statement_of(p, b))) continue;
            p.at(b).slot = a;
            find_twin_axes(p, b);
            break;
        }
    }
}

// Whether what is computed in the loops `inner` moves with any of the loops `outer`, inside of
// which they run.
inline bool moves_with(plan const& p, int inner, int outer) {
    node_facts const* around = nullptr;
    for (int s = inner; s != outer; s = around->space) {
        if (p.loop(s).owner < 0) return false;
        around = &p.at(p.loop(s).owner);
    }
    for (int l = 0; around != nullptr && l < p.loop(outer).rank; ++l) {
        if (p.loop(outer).extent[l] > 1 && around->at.follows(l)) return true;
    }
    return false;
}

// Marks the leaves of a statement's loops that loops inside of these read too: a block of them
// should stay in a cache from one to the other.
FELT_PLANNING inline void find_read_again(plan& p, statement_facts const& to) {
    for (int id : p.read_in(to.space)) {
        node_facts& f = p.at(id);
        if (f.what != kind::leaf || f.data == nullptr) continue;
        for (int x = to.root; x < p.at(to.root).end && !f.read_again; ++x) {
            node_facts const& other = p.at(x);
            bool const same = other.what == kind::leaf && other.data == f.data &&
                              other.rank == f.rank &&
                              std::equal(f.stride, f.stride + f.rank, other.stride);
            f.read_again = same && other.space != f.space && moves_with(p, other.space, to.space);
        }
    }
}

// Gives a statement whose tree was described its loops.
FELT_PLANNING inline void place_statement(plan& p, statement_facts to) {
    std::copy(to.stride, to.stride + to.rank, to.by_loop);
    to.space = p.add_space(to.extent, to.rank);
    node_facts& root = p.at(to.root);
    axis_map& at = stand_still(root.at, root.rank, to.rank);
    for (int a = 0; a < root.rank; ++a) {
        if (root.extent[a] != 1) at.coef[a][to.rank - root.rank + a] = 1;
    }
    place(p, to.root, to.space);
    p.statement.push_back(to);
}

FELT_PLANNING inline void place_described(plan& p, described const& s) {
    statement_facts to;
    to.root = s.root;
    to.data = s.data;
    to.value_bytes = s.value_bytes;
    to.rank = s.rank;
    to.no_alias = s.no_alias;
    std::copy(s.extent, s.extent + s.rank, to.extent);
    std::copy(s.stride, s.stride + s.rank, to.stride);
    place_statement(p, to);
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Values that lie where the results go until these replace them: they take no scratch, however long
// their rows are. A product is kept there, or an expensive value with several readers (softmax),
// and under it the product that it is computed from.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/3_tiling/cost_model.hpp>
#include <algorithm>
#include <string_view>

namespace felt::inline FELT_ABI::planning::detail {

// Whether node `id` is memory of statement k's destination.
inline bool is_destination(graph const& g, statement_id k, node_id id) {
    return g[id].what == kind::leaf && overlap(range_of(g[k]), range_of(g[id]));
}

// Whether the expression reads the destination or values that are kept there.
inline bool is_read(graph const& g, schedule const& s, statement_id k, bool kept = true) {
    for (node_id id : g.nodes_of(k)) {
        if ((kept && s[id].reused != nullptr) || is_destination(g, k, id)) return true;
    }
    return false;
}

inline bool is_beyond_caches(graph const& g, statement_id k) {
    loop_space const& in = g[g[k].space];
    index_t bytes = g[k].value_bytes;
    for (loop_id l : in.loops()) bytes *= in.extent[l];
    return bytes >= streaming_limit;
}

inline bool is_identity(axis_map const& m, loop_space const& in) {
    for (axis_id a : m.all_axes()) {
        if (m.offset[a] != 0) return false;
        for (loop_id l : m.all_loops()) {
            if (in.extent[l] > 1 && m.coef[a][l] != (a == l ? 1 : 0)) return false;
        }
    }
    return m.rank == m.loops;
}

// Whether loops are the statement's own, or run over a value that is kept in its destination.
inline bool run_over_destination(graph const& g, schedule const& s, statement_id k, space_id sp) {
    node_id const owner = g[sp].owner;
    if (sp == g[k].space) return true;
    return owner && g[owner].what == kind::once && s[owner].reused == g[k].data &&
           g[owner].space == g[k].space;
}

// Whether node f has an element for each of the destination's: it may be larger, and read in part.
inline bool has_its_extents(destination const& to, node const& f) {
    return f.rank == to.rank && std::equal(to.extent, to.extent + to.rank, f.extent);
}

// Whether a product can be written where its box lies in the destination: columns are contiguous
// there, and not several axes, of which a box has parts.
inline bool stores_in_rows(graph const& g, schedule const& s, statement_id k, node_id id) {
    label_list const& columns = s[g[id].product].axes.n;
    loop_space const& in = g[g[id].inner];
    auto const is_long = [&](label_id l) { return in.extent[l] > 1; };
    auto const axes = std::count_if(columns.begin(), columns.end(), is_long);
    return columns.count > 0 && g[k].by_loop[columns.last()] == 1 && axes <= 1;
}

// Whether node `id` is read element by element where a result of its type is stored, along lanes
// that are contiguous there.
inline bool lies_as_stored(graph const& g, schedule const& s, statement_id k, node_id id) {
    node const& f = g[id];
    destination const& to = g[k];
    loop_id const lane = s[f.space].lane;
    return lane >= 0 && to.by_loop[lane] == 1 && has_its_extents(to, f) &&
           is_identity(f.at, g[f.space]) && f.type == std::string_view(g[to.root].type);
}

// Whether a row along the scanned axis leaves the caches before functions of it are computed.
inline bool is_long(node const& scan) {
    return scan.extent[scan.whole] * scan.value_bytes > scratch_limit / 2;
}

// Whether an equal node of node `id`, the first of them, is read too.
inline bool has_equal_node(graph const& g, schedule const& s, statement_id k, node_id id) {
    for (node_id x = id + 1; x < g[g[k].root].end; ++x) {
        if (s[x].slot == id) return true;
    }
    return false;
}

// Whether node `id` is all that its statement computes, from boxes that it copies. (What picks its
// elements one by one is better off with stores past the caches.)
inline bool is_copied_root(graph const& g, schedule const& s, statement_id k, node_id id) {
    node const& f = g[id];
    if (id != g[k].root || s[id].by != way::scratch) return false;
    loop_id const lane = s[f.space].lane;
    if (f.what == kind::gather && lane >= 0 && f.at.coef[f.axis][lane] != 0)
        return !is_beyond_caches(g, k);
    return f.what == kind::general || f.what == kind::concat || f.what == kind::gather;
}

// Whether what node `id` holds may lie where the results go: each element is read for the last
// time when the result takes its place, or a value that is kept there.
inline bool may_reuse_destination(graph const& g, schedule const& s, statement_id k, node_id id) {
    node const& f = g[id];
    destination const& to = g[k];
    bool const copied = is_copied_root(g, s, k, id);
    if (!lies_as_operand(f) && f.what != kind::contract && !copied) return false;
    if (f.what == kind::scan && (f.space != to.space || has_equal_node(g, s, k, id))) return false;
    if (f.what == kind::scan && id != to.root && is_long(f)) return false;
    loop_space const& in = g[f.space];
    if (!run_over_destination(g, s, k, f.space) || s[id].slot != id) return false;
    if (!lies_as_stored(g, s, k, id)) return false;
    if (f.what == kind::contract && !stores_in_rows(g, s, k, id)) return false;
    for (node_id x : g.nodes_of(k)) {
        bool const same = g[x].space == f.space && s[x].slot == id;
        if (same && !is_identity(g[x].at, in)) return false;
        if (x != id && x != in.owner && s[x].reused != nullptr) return false;
    }
    return true;
}

inline void reuse_destination(graph const& g, schedule& s, statement_id k, node_id id) {
    destination const& to = g[k];
    s[id].reused = to.data;
    std::copy(to.by_loop, to.by_loop + to.rank, s[id].stride);
}

// A row too long for scratch can be kept so, and a short one is written only once.
FELT_PLANNING inline void reuse_destination_if_unread(graph const& g, schedule& s, statement_id k) {
    if (s[k].temporary || is_read(g, s, k)) return;
    for (node_id id : g.nodes_of(k)) {
        bool const product = g[id].what == kind::contract, far = is_beyond_caches(g, k);
        if (!may_reuse_destination(g, s, k, id) || (product && far)) continue;
        reuse_destination(g, s, k, id);
        s[id].past_caches = far && is_copied_root(g, s, k, id);
        return;
    }
}

// What may lie in the destination although the destination is read: all that reads it is below
// equal nodes, the first of which reads it for all. None if there is nothing.
inline node_id kept_in_place(graph const& g, schedule const& s, statement_id k) {
    node_id kept;
    for (node_id id = g[k].root, next; id < g[g[k].root].end; id = next) {
        node const& f = g[id];
        bool const mine =
            !kept ? f.what == kind::once && may_reuse_destination(g, s, k, id) : s[id].slot == kept;
        next = mine ? f.end : id + 1;
        if (mine && !kept) kept = id;
        if (!mine && is_destination(g, k, id)) return {};
    }
    return kept;
}

// Whether node `id`, which is kept in a destination that it reads, overwrites what has been read:
// streaming, the same element, and by equal nodes nothing, for they read what it holds.
inline bool holds_for_all(graph const& g, schedule const& s, statement_id k, node_id id) {
    space_id const own = g[id].inner;
    for (node_id x : g.nodes_of(k)) {
        bool const streamed = g[x].space == own && is_destination(g, k, x);
        if (streamed && !same_elements(g, k, x, own)) return false;
        if (s[x].by == way::hoisted) return false;
        if (x != id && s[x].slot == id && !is_reused(s, x)) return false;
    }
    return true;
}

// Whether product `id`, of which an equal one is read below a reduction, is computed again for
// that, or in boxes of few rows or columns, to fit in scratch.
inline bool recomputes_or_splits(graph const& g, schedule const& s, node_id id) {
    space_id const own = g[id].space;
    bool equal = false, again = false;
    for (node_id x : g.nodes.ids()) {
        if (s[x].slot != id || g[x].space == own || s[x].by != way::scratch) continue;
        equal = true;
        again = again || s[x].recomputed;
    }
    return again || (equal && small_tile_penalty(g, s, id, s[own].block) >
                                  tiles_too_small * small_tile_penalty(g, s, id, g[own].extent));
}

// A product that is read again below a reduction over its rows and does not fit in scratch with
// them; false if there is none.
FELT_PLANNING inline bool reuse_destination_for_product(graph const& g, schedule& s,
                                                        statement_id k) {
    if (s[k].temporary || is_read(g, s, k, false)) return false;
    for (node_id id : g.nodes_of(k)) {
        bool const product =
            g[id].what == kind::contract && s[id].by == way::scratch && !s[id].reused;
        if (!product || !recomputes_or_splits(g, s, id) || !may_reuse_destination(g, s, k, id))
            continue;
        reuse_destination(g, s, k, id);
        return true;
    }
    return false;
}

// In a group: the value of every element that a statement stores, as it is or streamed through
// functions, and that may lie where it is stored, if there is one.
inline node_id stored_value(graph const& g, schedule const& s, statement_id k) {
    destination const& to = g[k];
    node_id kept = g[to.root].what == kind::once ? to.root : node_id{};
    int products = 0;
    for (node_id id : g.nodes_of(k)) {
        if (g[id].space != to.space || g[id].what != kind::contract) continue;
        if (!kept && stores_in_rows(g, s, k, id)) kept = id;
        ++products;
    }
    bool const one = kept == to.root || products == 1;
    bool const fits = kept && one && s[kept].strip < 0 && lies_as_stored(g, s, k, kept);
    return fits && !s[k].temporary && !is_read(g, s, k) ? kept : node_id{};
}

// When statement k of a pass stores: in its turn within a strip, or after the last strip.
inline int time_of(schedule const& s, pass_facts const& pass, statement_id k) {
    return k.number() + (s[k].accumulates ? pass.last.number() : 0);
}

// When the value that node `id` holds for equal ones is read for the last time.
inline int last_read(graph const& g, schedule const& s, pass_facts const& pass, node_id id) {
    int last = -1;
    for (statement_id k : pass.statements()) {
        node_id grown = g[k].root;  // one past the nodes below sums that grow strip by strip
        for (node_id x : g.nodes_of(k)) {
            if (s[x].strip >= 0) grown = std::max(grown, g[x].end);
            if (s[x].slot != id) continue;
            last = std::max(last, x < grown ? k.number() : time_of(s, pass, k));
        }
    }
    return last;
}

// Whether what node `id` of an earlier statement holds may lie where statement k stores: nobody
// reads from there what was there before.
inline bool may_lie_ahead(graph const& g, schedule const& s, node_id id, statement_id k) {
    statement_id const from = statement_of(g, id);
    if (s[id].reused != nullptr || s[id].strip >= 0 || g[id].space != g[from].space ||
        s[from].accumulates != s[k].accumulates || s[from].strip != s[k].strip) {
        return false;
    }
    for (node_id x = g[from].root; x < g[k].root; ++x) {
        if (is_destination(g, k, x)) return false;
    }
    return lies_as_stored(g, s, k, id) &&
           (g[id].what != kind::contract || stores_in_rows(g, s, k, id));
}

// In a pass of several statements: what is stored as it is lies there for all that read it, and
// what is stored streamed through functions lies where it is read for the last time.
FELT_PLANNING inline void reuse_destinations(graph const& g, schedule& s, pass_facts const& pass) {
    for (statement_id k : pass.statements()) {
        for (node_id id : g.nodes_of(k)) s[id].reused = nullptr;
    }
    if (pass.last == pass.first + 1) return;
    for (statement_id k : pass.statements()) {
        node_id const kept = stored_value(g, s, k);
        if (!kept) continue;
        node_id const owner = s[kept].slot;
        if (kept != g[k].root && last_read(g, s, pass, owner) != time_of(s, pass, k)) continue;
        if (owner != kept && may_lie_ahead(g, s, owner, k)) reuse_destination(g, s, k, owner);
        reuse_destination(g, s, k, kept);
    }
}

}  // namespace felt::inline FELT_ABI::planning::detail

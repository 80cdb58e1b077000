// SPDX-License-Identifier: BSD-3-Clause
//
// Hoisting: a value is computed before the loops, as a whole, into a buffer. Equal nodes read it.
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/5_hoisting/recomputed.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Whether a view takes boxes of node id, which has no loops of its own.
inline bool is_boxed_source(graph const& g, node_id id) {
    loop_space const& in = g[g[id].space];
    return !g[id].inner && in.owner && in.first == id && takes_boxes(g, in.owner);
}

// What is equal to the source of a view, and is one too, is computed with the first of them.
inline void join_equal_sources(graph const& g, schedule& s, statement_id k, node_id id) {
    node_id first;
    for (node_id x : g.nodes_of(k)) {
        if (!is_boxed_source(g, x) || !same_value(g, id, x)) continue;
        if (!first) first = x;
        s[x].slot = first;
    }
}

// Node id and its equals in the statement, of which it is the first.
inline void mark_hoisted(graph const& g, schedule& s, statement_id k, node_id id, char const* why) {
    if (is_boxed_source(g, id) && !s[id].slot) {
        join_equal_sources(g, s, k, id);
        id = s[id].slot;
    }
    for (node_id x = id; x < g[g[k].root].end; ++x) {
        placement& f = s[x];
        if (x != id && f.slot != id) continue;
        f.by = way::hoisted;
        f.why = why;
        f.recomputed = false;
        for (node_id below : g.subtree(x)) s[below].reused = nullptr;
    }
}

// The blocks of hoisted values, each as a whole; the innermost first.
inline void cut_hoisted(graph const& g, schedule& s, statement_id k) {
    node_id const root = g[k].root;
    for (node_id id = g[root].end - 1; id >= root; --id) {
        node const& f = g[id];
        if (s[id].by != way::hoisted) continue;
        if (!f.inner) {
            choose_tile(g, s, f.space, f.extent, scratch_limit);
            continue;
        }
        tile_box(g, s, id, f.extent);
        if (f.what == kind::contract) s[f.product].mc = std::min(s[f.product].mc, most_mc);
    }
}

// Node id, and all that are equal. Products have more room then.
FELT_PLANNING inline void hoist(graph const& g, schedule& s, statement_id k, node_id id,
                                char const* why) {
    for (node_id x : g.nodes_of(k)) {
        if (g[x].what == kind::contract) s[g[x].product].most_terms = all_terms;
    }
    mark_hoisted(g, s, k, s[id].slot ? s[id].slot : id, why);
    cut_hoisted(g, s, k);
}

// Whether node id could be computed first.
inline bool may_hoist(graph const& g, schedule const& s, statement_id k, node_id id,
                      node_id parent) {
    bool const first = !s[id].slot || s[id].slot == id;
    return id != g[k].root && first && s[id].by != way::hoisted && makes_values(g, id, parent);
}

// Operands of products that are gathered, joined or numbered otherwise are copied first: whoever
// packs them, block by block, copies them again. Whether there are any.
inline bool hoist_copied_operands(graph const& g, schedule& s, statement_id k, char const* why) {
    bool some = false;
    for (node_id id : g.nodes_of(k)) {
        for (int side = 0; side < 2 && g[id].what == kind::contract; ++side) {
            node_id const x = below_strides(g, g.operand(id, side));
            bool const first = !s[x].slot || s[x].slot == x;
            if (!first || !g[x].inner || s[x].by != way::scratch) continue;
            mark_hoisted(g, s, k, x, why);
            some = true;
        }
    }
    return some;
}

// Everything that has loops of its own is computed first, the innermost before what reads it; what
// the statement's loops read themselves only if it is `near`. Whether there was something.
FELT_PLANNING inline bool hoist_all(graph const& g, schedule& s, statement_id k, bool near,
                                    char const* why) {
    bool some = false;
    for_each_node(g, g[k].root, node_id{}, [&](node_id id, node_id parent) {
        // What is only joined or numbered otherwise is gone through once as it is.
        bool const once_anyway =
            parent && !g[id].inner &&
            (g[parent].what == kind::reshape || g[parent].what == kind::concat);
        bool const stays = !near && g[id].space == g[k].space;
        if (once_anyway || stays || !may_hoist(g, s, k, id, parent)) return;
        mark_hoisted(g, s, k, id, why);
        some = true;
    });
    some = hoist_copied_operands(g, s, k, why) || some;
    cut_hoisted(g, s, k);
    return some;
}

}  // namespace felt::inline FELT_ABI::planning::detail

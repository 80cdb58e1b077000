// SPDX-License-Identifier: BSD-3-Clause
//
// Hoisting: a value is computed before the loops, as a whole, into a buffer. Equal nodes read it.
#pragma once
#include <felt/plan/place.hpp>
#include <felt/plan/times.hpp>

namespace felt::planning::detail {

// Whether a view takes boxes of node id, which has no loops of its own.
inline bool is_boxed_source(plan const& p, int id) {
    int const owner = p.at(id).inner >= 0 ? -1 : p.loop(p.at(id).space).owner;
    return owner >= 0 && p.loop(p.at(id).space).first == id && takes_boxes(p, owner);
}

// What is equal to the source of a view, and is one too, is computed with the first of them.
inline void join_equal_sources(plan& p, statement_facts const& to, int id) {
    for (int x = to.root, first = -1; x < p.at(to.root).end; ++x) {
        if (!is_boxed_source(p, x) || !same_value(p.node, id, x)) continue;
        if (first < 0) first = x;
        p.at(x).slot = first;
    }
}

// Node id and its equals in the statement, of which it is the first.
inline void mark_hoisted(plan& p, statement_facts const& to, int id, char const* why) {
    if (is_boxed_source(p, id) && p.at(id).slot < 0) {
        join_equal_sources(p, to, id);
        id = p.at(id).slot;
    }
    for (int x = id; x < p.at(to.root).end; ++x) {
        node_facts& f = p.at(x);
        if (x != id && f.slot != id) continue;
        f.by = way::hoisted;
        f.why = why;
        f.recompute = 1;
        for (int below = x; below < f.end; ++below) p.at(below).home = nullptr;
    }
}

// The blocks of hoisted values, each as a whole; the innermost first.
inline void cut_hoisted(plan& p, statement_facts const& to) {
    for (int id = p.at(to.root).end - 1; id >= to.root; --id) {
        node_facts& f = p.at(id);
        if (f.by != way::hoisted) continue;
        if (f.inner < 0) {
            choose_block(p, f.space, f.extent, scratch_limit);
            continue;
        }
        own_need(p, id, f.extent);
        f.chunk[0] = std::min(f.chunk[0], pack_rows);
    }
}

// Node id, and all that are equal. Products have more room then.
FELT_PLANNING inline void hoist(plan& p, statement_facts const& to, int id, char const* why) {
    for (int x = to.root; x < p.at(to.root).end; ++x) p.at(x).most_terms = all_terms;
    mark_hoisted(p, to, p.at(id).slot < 0 ? id : p.at(id).slot, why);
    cut_hoisted(p, to);
}

// Whether node id could be computed first.
inline bool may_hoist(plan const& p, statement_facts const& to, int id, int parent) {
    node_facts const& f = p.at(id);
    bool const first = f.slot < 0 || f.slot == id;
    return id != to.root && first && f.by != way::hoisted && makes_values(p, id, parent);
}

// Everything that has loops of its own is computed first, the innermost before what reads it; what
// the statement's loops read themselves only if it is `near`. Whether there was something.
FELT_PLANNING inline bool hoist_all(plan& p, statement_facts const& to, bool near,
                                    char const* why) {
    bool some = false;
    for_each_node(p, to.root, -1, [&](int id, int parent) {
        // What is only joined or numbered otherwise is gone through once as it is.
        bool const once_anyway =
            parent >= 0 && p.at(id).inner < 0 &&
            (p.at(parent).what == kind::reshape || p.at(parent).what == kind::concat);
        bool const stays = !near && p.at(id).space == to.space;
        if (once_anyway || stays || !may_hoist(p, to, id, parent)) return;
        mark_hoisted(p, to, id, why);
        some = true;
    });
    cut_hoisted(p, to);
    return some;
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a run on a device, made of the graph of its statements before anything runs: what is
// computed first into memory of its own, which statements share a launch, and the loops of each
// launch. run() executes this object, explain() prints it.
#pragma once
#include <felt/device/launches.hpp>
#include <felt/device/transform.hpp>
#include <felt/plan/1_analysis/describe.hpp>
#include <felt/plan/1_analysis/place.hpp>

namespace felt::inline FELT_ABI::device {

using planning::destination;
using planning::kind;
using planning::space_id;
using planning::table;

// What the type of a node says of how it is computed, and what is decided.
struct placement {
    bool never_streams = false, computed_first = false, may_run_in_order = false;  // by its type
    bool is_kept = false;  // a product that is computed with its statement
    launch_id launch;      // which computes it into memory, if any does
    node_id slot;          // the first node of the same value, for those that are computed
};

// The products that a statement is computed with: none, the first of several, or all, the only one
// or one product in several places.
enum class kept : unsigned char { none, first, all };

// What is decided about a statement.
struct statement_schedule {
    kept keeps = kept::none;
    statement_id shares_until;  // those before that one may share its sums
    bool temporary = false;     // computed aside first, because it reads what it writes
};

// What is decided about a graph.
struct schedule {
    table<node_id, placement> nodes;
    table<statement_id, statement_schedule> statements;
    table<launch_id, launch_facts> launch;  // in the order of the run
    std::vector<pass_facts> pass;

    placement& operator[](node_id id) { return nodes[id]; }
    placement const& operator[](node_id id) const { return nodes[id]; }
    statement_schedule& operator[](statement_id k) { return statements[k]; }
    statement_schedule const& operator[](statement_id k) const { return statements[k]; }
};

struct plan : schedule {
    planning::graph g;
    bool unfused = false;
    std::string by_host;  // products where the host reaches the memory: the plan of its loops

    // The bytes of the tensors that a run makes beside its destinations.
    index_t temporary_bytes() const;
    index_t bytes_read(launch_facts const&) const;
    index_t bytes_written(launch_facts const&) const;
};

// What their types say of N, the next node of the graph, and of all below it.
template <class How, class N>
void note_types(table<node_id, placement>& nodes) {
    placement& f = nodes.add();
    f.never_streams = never_streams<N>;
    f.computed_first = is_computed_first<How, N>;
    f.may_run_in_order = may_run_on<N, N::rank, How>();
    [&]<class... X>(tuple<X...> const*) {
        (note_types<How, X>(nodes), ...);
    }(static_cast<operands_of<N> const*>(nullptr));
}

// Whether node id does not stream: it takes a launch of its own.
inline bool stands_alone(plan const& p, node_id id) {
    return p[id].never_streams && !p[id].is_kept;
}
// Whether node id is computed before its reader, into memory of its own.
inline bool is_stage(plan const& p, node_id id) { return p[id].computed_first && !p[id].is_kept; }
// Whether a reduction is over the two axes that windows() adds: whoever reads it folds its window.
inline bool folds_windows(plan const& p, node_id id) {
    return p.g[id].what == kind::reduce && !p[id].never_streams;
}
// Whether node id reads its operands in the loops that it is read in; all others are read by
// indices.
inline bool reads_in_step(planning::node const& f) {
    return f.what == kind::map || f.what == kind::affine || f.what == kind::once;
}

// Gives a statement, which was described, its loops.
FELT_PLANNING inline void place_statement(plan& p, destination const& to) {
    planning::place_statement(p.g, to, [&](planning::graph const& g, node_id id) {
        bool const computed_first = id != to.root && is_stage(p, id);
        return reads_in_step(g[id]) && !computed_first;
    });
}

// Node id and what is read where it is computed: all below it, up to what is computed before.
inline void find_live(plan const& p, node_id id, std::vector<node_id>& live) {
    live.push_back(id);
    for (node_id x : p.g.operands(id)) {
        if (is_stage(p, x)) live.push_back(x);
        else find_live(p, x, live);
    }
}

}  // namespace felt::inline FELT_ABI::device

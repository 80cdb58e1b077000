// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a run on a device, made of the graph of its statements before anything runs: what is
// computed first into memory of its own, which statements share a launch, and the loops of each
// launch. run() executes this object, explain() prints it.
#pragma once
#include <felt/device/computed_first.hpp>
#include <felt/device/launches.hpp>
#include <felt/plan/1_analysis/describe.hpp>

namespace felt::device {

using planning::destination;
using planning::kind;
using planning::space_id;
using planning::table;

// What the type of a node says of where it is computed, and what is decided.
struct placement {
    bool never_streams = false, has_own_tensor = false;  // by its type
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
template <class N>
void note_types(table<node_id, placement>& nodes) {
    placement& f = nodes.add();
    f.never_streams = never_streams<N>;
    f.has_own_tensor = has_own_tensor<N>;
    [&]<class... X>(tuple<X...> const*) {
        (note_types<X>(nodes), ...);
    }(static_cast<operands_of<N> const*>(nullptr));
}

// Whether node id does not stream: it takes a launch of its own.
inline bool stands_alone(plan const& p, node_id id) {
    return p[id].never_streams && !p[id].is_kept;
}
// Whether node id is computed before its reader, into memory of its own.
inline bool is_stage(plan const& p, node_id id) {
    return p.unfused ? p[id].has_own_tensor : stands_alone(p, id);
}
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

// Whether all that node id reads may lie in memory as a destination of that rank does. For those
// types alone a transform is compiled.
inline bool may_run_on(plan const& p, node_id id, int rank, bool computed_here) {
    planning::node const& f = p.g[id];
    if (f.what == kind::scalar) return true;
    if (f.rank != rank) return false;
    if (f.what == kind::affine) {
        kind const x = p.g[id + 1].what;
        return x == kind::leaf || x == kind::scalar;
    }
    if (f.what == kind::leaf || (!computed_here && is_stage(p, id))) return true;
    if (!reads_in_step(f)) return false;
    bool all = true;
    for (node_id x : p.g.operands(id)) all = all && may_run_on(p, x, rank, false);
    return all;
}

namespace detail {

inline walker row_major_steps(index_t const* extent, int rank) {
    walker by(static_cast<std::size_t>(rank));
    index_t n = 1;
    for (int a = rank - 1; a >= 0; --a) {
        by[static_cast<std::size_t>(a)] = n;
        n *= extent[a];
    }
    return by;
}

// The steps along the loops of a space of all numbers that depend on them, of nodes `live`. What is
// computed before is dense.
inline std::vector<walker> walkers_of(plan const& p, std::vector<node_id> const& live,
                                      space_id in) {
    std::vector<walker> all;
    int const rank = p.g[in].rank;
    for (node_id id : live) {
        planning::node const& f = p.g[id];
        if (f.space != in) continue;
        if (f.what == kind::leaf || f.what == kind::generator) {
            all.emplace_back(f.by_loop, f.by_loop + rank);
        } else if (f.what == kind::reshape || p[id].launch) {
            auto const stride = row_major_steps(f.extent, f.rank);
            index_t offset, by_loop[max_axes];
            planning::detail::locate(f.at, stride.data(), offset, by_loop);
            all.emplace_back(by_loop, by_loop + rank);
        } else if (f.what != kind::scalar && !reads_in_step(f)) {
            for (int a = 0; a < f.rank; ++a) all.emplace_back(f.at.coef[a], f.at.coef[a] + rank);
        }
    }
    return all;
}

inline void note_reach(walk& w, std::vector<walker> const& all) {
    for (walker const& by : all) {
        for (int l = 0; l < w.rank; ++l) {
            auto const step = by[static_cast<std::size_t>(l)];
            w.reach[l] = std::max(w.reach[l], step < 0 ? -step : step);
        }
    }
}

// Loops over axes of these extents, with what walks along them.
inline walk walk_over(index_t const* extent, int rank, std::vector<walker> all) {
    walk w;
    w.rank = rank;
    for (int l = 0; l < rank; ++l) {
        w.extent[l] = extent[l];
        w.axis[l] = l;
    }
    merge_range(w, 0, rank, all);
    note_reach(w, all);
    auto const steps_by_one = [&](walker const& by) { return by[by.size() - 1] == 1; };
    w.in_order = rank > 0 && w.size() == w.extent[rank - 1] &&
                 std::all_of(all.begin(), all.end(), steps_by_one);
    return w;
}

// Of a reduction: its operand's axes, those that stay before those that do not.
inline walk walk_to_fold(plan const& p, node_id id, std::vector<node_id> const& live) {
    planning::node const &f = p.g[id], &x = p.g[id + 1];
    walk w;
    w.rank = x.rank;
    int l = 0;
    for (bool summed : {false, true}) {
        for (int a = 0; a < x.rank; ++a) {
            if ((f.mask >> a & 1U) != summed) continue;
            w.extent[l] = x.extent[a];
            w.axis[l++] = a;
        }
        if (!summed) w.kept = l;
    }
    auto const by_axis = walkers_of(p, live, f.inner);
    std::vector<walker> all = by_axis;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (int loop = 0; loop < x.rank; ++loop) {
            all[i][static_cast<std::size_t>(loop)] =
                by_axis[i][static_cast<std::size_t>(w.axis[loop])];
        }
    }
    merge_range(w, 0, w.kept, all);
    merge_range(w, w.kept, w.rank, all);
    note_reach(w, all);
    return w;
}

}  // namespace detail

}  // namespace felt::device

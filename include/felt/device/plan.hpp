// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a run on a device, made of the graph of its statements before anything runs: what is
// computed first into memory of its own, which statements share a launch, and the loops of each
// launch. run() executes this object, explain() prints it.
#pragma once
#include <felt/device/launches.hpp>
#include <felt/device/product_kept.hpp>
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/1_analysis/describe.hpp>

namespace felt::device {

using planning::destination;
using planning::kind;
using planning::table;

// What is decided about a node, and where its axes are in the launch that reads it.
struct placement {
    bool is_kept = false;  // a product that is computed with its statement
    launch_id launch;      // which computes it into memory, if any does
    node_id slot;          // the first node of the same value, for those that are computed
    bool in_step = false;  // its elements are taken in step with the loops, not by other indices
    planning::axis_map at = {};      // its axes by those loops
    index_t offset = 0;              // of what is in memory, and of a generator's numbers: the
    index_t by_loop[max_axes] = {};  // element at loop 0, 0, ..., and the stride along each loop
};

// What is decided about a statement.
struct statement_schedule {
    kept keeps = kept::none;    // the products that are computed with it
    statement_id shares_until;  // those before that one may share its sums
    bool temporary = false;     // computed aside first, because it reads what it writes
};

struct plan {
    planning::graph g;  // described, without loops
    table<node_id, placement> nodes;
    table<statement_id, statement_schedule> statements;
    table<launch_id, launch_facts> launch;  // in the order of the run
    std::vector<pass_facts> pass;
    bool unfused = false;
    std::string by_host;  // products where the host reaches the memory: the plan of its loops

    placement& operator[](node_id id) { return nodes[id]; }
    placement const& operator[](node_id id) const { return nodes[id]; }
    statement_schedule& operator[](statement_id k) { return statements[k]; }
    statement_schedule const& operator[](statement_id k) const { return statements[k]; }

    // The bytes of the tensors that a run makes beside its destinations.
    index_t temporary_bytes() const;
    index_t bytes_read(launch_facts const&) const;
    index_t bytes_written(launch_facts const&) const;
};

// Whether node id does not stream: it takes a launch of its own.
inline bool stands_alone(plan const& p, node_id id) {
    kind const what = p.g[id].what;
    if (what == kind::reduce) return !folds_windows(p.g, id);
    if (what == kind::contract) return !p[id].is_kept;
    return what == kind::scatter || what == kind::scan;
}

// Whether node id is computed before its reader, into memory of its own.
inline bool is_stage(plan const& p, node_id id) {
    switch (p.g[id].what) {
        case kind::map:
        case kind::concat:
        case kind::gather:
        case kind::reduce:
            return p.unfused || stands_alone(p, id);
        default:
            return stands_alone(p, id);
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
    if (f.what != kind::map && f.what != kind::once) return false;
    bool all = true;
    for (node_id x : p.g.operands(id)) all = all && may_run_on(p, x, rank, false);
    return all;
}

namespace detail {

// Where the axes of the nodes of one launch are, and which of them take their elements in step with
// its loops. What is computed before is dense.
class placing {
public:
    placing(plan& p, std::vector<node_id>& live) : p_(p), live_(live) {}

    // Node id, whose axes follow the loops by its `at`. `stage(x)` computes x before.
    void place(node_id id, bool in_step, bool computed_here = false) {
        planning::node const& f = p_.g[id];
        p_[id].in_step = in_step;
        live_.push_back(id);
        if (!computed_here && is_stage(p_, id)) return locate_dense(id);
        bool const through = f.what == kind::map || f.what == kind::affine || f.what == kind::once;
        if (f.what == kind::leaf || f.what == kind::generator) locate(id, f.stride);
        if (f.what == kind::reshape) locate_dense(id);
        for (node_id x : p_.g.operands(id)) {
            follow(x, id, through);
            place(x, in_step && through);
        }
    }

    void locate_dense(node_id id) {
        planning::node const& f = p_.g[id];
        index_t stride[max_axes];
        index_t n = 1;
        for (int a = f.rank - 1; a >= 0; --a) {
            stride[a] = n;
            n *= f.extent[a];
        }
        locate(id, stride);
    }

private:
    void locate(node_id id, index_t const* stride) {
        placement& to = p_[id];
        planning::detail::locate(to.at, stride, to.offset, to.by_loop);
    }

    void follow(node_id x, node_id id, bool through) {
        p_[x].at = {};  // it may have been placed in another launch before
        planning::node const &f = p_.g[id], &operand = p_.g[x];
        if (!through) {
            p_[x].at = planning::identity(operand.rank);
        } else if (f.what == kind::affine) {
            planning::detail::follow_view(p_[x].at, operand, f, p_[id].at);
        } else {
            planning::detail::follow_last(p_[x].at, operand, f, p_[id].at);
        }
    }

    plan& p_;
    std::vector<node_id>& live_;
};

// The steps, along `rank` loops, of all numbers that depend on them.
inline std::vector<walker> walkers_of(plan const& p, std::vector<node_id> const& live, int rank) {
    std::vector<walker> all;
    auto const n = static_cast<std::size_t>(rank);
    for (node_id id : live) {
        planning::node const& f = p.g[id];
        placement const& to = p[id];
        if (!to.in_step) continue;
        bool const number = f.what == kind::leaf || f.what == kind::generator ||
                            f.what == kind::reshape || to.launch;
        bool const nothing = f.what == kind::scalar || f.what == kind::map ||
                             f.what == kind::affine || f.what == kind::once;
        if (number) {
            all.emplace_back(to.by_loop, to.by_loop + n);
        } else if (!nothing) {
            for (int a = 0; a < f.rank; ++a) all.emplace_back(to.at.coef[a], to.at.coef[a] + n);
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
    auto const by_axis = walkers_of(p, live, x.rank);
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

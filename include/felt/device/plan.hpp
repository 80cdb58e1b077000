// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a run on a device, made of the graph of its statements before anything runs: what is
// computed first into memory of its own, which statements share a launch, and the loops of each
// launch. run() executes this object, explain() prints it.
#pragma once
#include <felt/device/launches.hpp>
#include <felt/device/product_kept.hpp>
#include <felt/plan/place.hpp>

namespace felt::device {

using planning::kind;
using planning::node_facts;
using planning::statement_facts;

struct plan {
    planning::graph node;
    std::vector<statement_facts> statement;
    std::vector<launch_facts> launch;  // in the order of the run
    std::vector<pass_facts> pass;
    std::vector<int> launch_of;     // which computes a node into memory; -1: none
    std::vector<int> slot;          // the first node of the same value, for those that are computed
    std::vector<kept> keeps;        // by statement: the products that are computed with it
    std::vector<bool> is_kept;      // by node
    std::vector<int> shares_until;  // by statement: those before that one may share its sums
    bool unfused = false;
    std::string by_host;  // products where the host reaches the memory: the plan of its loops

    node_facts const& at(int id) const { return node[static_cast<std::size_t>(id)]; }
    node_facts& at(int id) { return node[static_cast<std::size_t>(id)]; }

    // The bytes of the tensors that a run makes beside its destinations.
    index_t temporary_bytes() const;
    index_t bytes_read(launch_facts const&) const;
    index_t bytes_written(launch_facts const&) const;
};

// Whether node id does not stream: it takes a launch of its own.
inline bool stands_alone(plan const& p, int id) {
    kind const what = p.at(id).what;
    if (what == kind::reduce) return !folds_windows(p.node, id);
    if (what == kind::contract) return !p.is_kept[static_cast<std::size_t>(id)];
    return what == kind::scatter || what == kind::scan;
}

// Whether node id is computed before its reader, into memory of its own.
inline bool is_stage(plan const& p, int id) {
    switch (p.at(id).what) {
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
inline bool may_run_on(plan const& p, int id, int rank, bool computed_here) {
    node_facts const& f = p.at(id);
    if (f.what == kind::scalar) return true;
    if (f.rank != rank) return false;
    if (f.what == kind::affine) {
        kind const x = p.at(id + 1).what;
        return x == kind::leaf || x == kind::scalar;
    }
    if (f.what == kind::leaf || (!computed_here && is_stage(p, id))) return true;
    if (f.what != kind::map && f.what != kind::once) return false;
    bool all = true;
    for (int x = id + 1; x < f.end; x = p.at(x).end) all = all && may_run_on(p, x, rank, false);
    return all;
}

namespace detail {

// Where the axes of the nodes of one launch are, and which of them take their elements in step with
// its loops: they have space 0, those read by other indices -1. What is computed before is dense.
class placing {
public:
    placing(plan& p, std::vector<int>& live) : p_(p), live_(live) {}

    // Node id, whose axes follow the loops by its `at`. `stage(x)` computes x before.
    void place(int id, bool in_step, bool computed_here = false) {
        node_facts& f = p_.at(id);
        f.space = in_step ? 0 : -1;
        live_.push_back(id);
        if (!computed_here && is_stage(p_, id)) return locate_dense(f);
        bool const through = f.what == kind::map || f.what == kind::affine || f.what == kind::once;
        if (f.what == kind::leaf) planning::detail::locate(f);
        if (f.what == kind::generator) planning::detail::locate(f);
        if (f.what == kind::reshape) locate_dense(f);
        for (int x = id + 1; x < p_.at(id).end; x = p_.at(x).end) {
            follow(x, id, through);
            place(x, in_step && through);
        }
    }

    static void locate_dense(node_facts& f) {
        index_t n = 1;
        for (int a = f.rank - 1; a >= 0; --a) {
            f.stride[a] = n;
            n *= f.extent[a];
        }
        planning::detail::locate(f);
    }

private:
    void follow(int x, int id, bool through) {
        node_facts const& f = p_.at(id);
        if (!through) {
            p_.at(x).at = planning::identity(p_.at(x).rank);
        } else if (f.what == kind::affine) {
            planning::detail::follow_view(p_.at(x), f);
        } else {
            planning::detail::follow_last(p_.at(x), f);
        }
    }

    plan& p_;
    std::vector<int>& live_;
};

// The steps, along `rank` loops, of all numbers that depend on them.
inline std::vector<walker> walkers_of(plan const& p, std::vector<int> const& live, int rank) {
    std::vector<walker> all;
    auto const n = static_cast<std::size_t>(rank);
    for (int id : live) {
        node_facts const& f = p.at(id);
        if (f.space != 0) continue;
        bool const number = f.what == kind::leaf || f.what == kind::generator ||
                            f.what == kind::reshape ||
                            p.launch_of[static_cast<std::size_t>(id)] >= 0;
        bool const nothing = f.what == kind::scalar || f.what == kind::map ||
                             f.what == kind::affine || f.what == kind::once;
        if (number) {
            all.emplace_back(f.by_loop, f.by_loop + n);
        } else if (!nothing) {
            for (int a = 0; a < f.rank; ++a) all.emplace_back(f.at.coef[a], f.at.coef[a] + n);
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
inline walk walk_to_fold(plan const& p, int id, std::vector<int> const& live) {
    node_facts const& f = p.at(id);
    node_facts const& x = p.at(id + 1);
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

// SPDX-License-Identifier: BSD-3-Clause
//
// Which statements of a group share a pass. A pass advances along one axis, strip by strip; in
// each strip its statements run in order, so that a later one reads what an earlier one has
// just written, while it is in cache. A statement takes part in one of two ways:
//
//   its destination has the axis           each strip writes its part
//   its reductions or products sum over it  each strip adds its part, the end stores the result
//
// A statement may join if everything it reads of the others' destinations lies in the strip.
#pragma once
#include <felt/plan/6_statement_fusion/grouping.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// How a statement would follow the strip: by loop `loop` of its destination, or by summing.
struct role {
    bool accumulates = false;
    loop_id loop;
};

// For every space: the loops that move with the strip, as bits.
using linked_loops = table<space_id, unsigned>;

// Marks the nodes nearest to the root that sum over an axis of extent n, the first if there are
// several, as roles of a destination come in that order.
FELT_PLANNING_SELDOM inline void set_sums(graph const& g, schedule& s, node_id id, index_t n,
                                          bool& some) {
    node const& f = g[id];
    loop_id& strip = s[id].strip;  // take_role has cleared it
    if (trait_of(f).sums) {
        loop_space const& in = g[f.inner];
        for (loop_id l : in.loops()) {
            if (strip < 0 && sums_over(f, l) && in.extent[l] == n) strip = l;
        }
        some = some || strip >= 0;
        return;
    }
    if (s[id].by != way::streamed) return;
    for (node_id x : g.operands(id)) set_sums(g, s, x, n, some);
}

// For every loop space below a statement: the loops that move with the strip.
FELT_PLANNING_SELDOM inline void link(graph const& g, schedule const& s, node_id id,
                                      linked_loops& linked) {
    node const& f = g[id];
    unsigned const outer = linked[f.space];
    loop_id const strip = s[id].strip;
    for (node_id x : g.operands(id)) {
        if (f.inner) {
            unsigned bits = strip >= 0 ? 1U << strip : 0U;
            for (loop_id l : g[f.inner].loops()) {
                bool const view =
                    f.what == kind::general && f.rule[l].offset == 0 && f.rule[l].divide == 1;
                axis_id const a = view ? followed_axis(f, l) : axis_of_loop(f, l);
                if (a < 0) continue;
                for (loop_id o : f.at.all_loops()) {
                    if (f.at.coef[a][o] == 1 && (outer >> o & 1U) != 0) bits |= 1U << l;
                }
            }
            linked[g[x].space] = bits;
        }
        link(g, s, x, linked);
    }
}

// Whether leaf id reads the memory of statement k only inside the strip, whose stride there is
// `step`: its other loops are other axes, or together stay within one index of the strip.
inline bool reads_inside(graph const& g, schedule const& s, node_id id, linked_loops const& linked,
                         statement_id k, index_t step) {
    node const& leaf = g[id];
    destination const& of = g[k];
    bool const alike = leaf.value_bytes == of.value_bytes;  // no part of complex numbers
    if (data_of(g, s, id) != of.data || offset_of(g, s, id) != 0 || !alike) return false;
    index_t moving = 0, reach = 0;
    bool other_axes = leaf.rank == of.rank, backwards = false;
    unsigned const bits = linked[leaf.space];
    for (loop_id l : g[leaf.space].loops()) {
        index_t const n = g[leaf.space].extent[l], by = by_loop_of(g, s, id)[l];
        if (by == 0 || n <= 1) continue;
        if ((bits >> l & 1U) != 0) {
            moving += by;
            continue;
        }
        bool other_axis = false;
        for (axis_id a : of.axes()) {
            other_axis = other_axis || (of.stride[a] == by && of.stride[a] != step);
        }
        other_axes = other_axes && other_axis;
        backwards = backwards || by < 0;
        reach += by * (n - 1);
    }
    return moving == step && (other_axes || (!backwards && reach < step));
}

// The loops of every space of statement k that move with the strip.
inline linked_loops linked_below(graph const& g, schedule const& s, statement_id k) {
    linked_loops linked(g.spaces.size(), 0U);
    if (s[k].strip >= 0) linked[g[k].space] = 1U << s[k].strip;
    link(g, s, g[k].root, linked);
    return linked;
}

// The axis of node f that moves with the strip and with nothing else; -1 if none does so.
inline axis_id strip_axis(node const& f, linked_loops const& linked) {
    unsigned const bits = linked[f.space];
    axis_id axis;
    for (loop_id l : f.at.all_loops()) {
        for (axis_id a{0}; a < f.rank && (bits >> l & 1U) != 0; ++a) {
            if (f.at.coef[a][l] == 0) continue;
            bool alone = axis < 0 && f.at.coef[a][l] == 1 && f.at.offset[a] == 0;
            for (loop_id o : f.at.all_loops()) alone = alone && (o == l || f.at.coef[a][o] == 0);
            if (!alone) return {};
            axis = a;
        }
    }
    return axis;
}

// Of the equal nodes `first` and others up to `end`: whether all of them move with the strip along
// one axis, and a sum reads one.
inline bool share_strips(graph const& g, schedule const& s, node_id first, node_id end) {
    bool summed = false, read = false;
    for (node_id id = first; id < end; ++id) {
        if (!g[id].optional || s[id].slot != first) continue;
        if (s[id].strip_axis < 0 || s[id].strip_axis != s[first].strip_axis) return false;
        summed = summed || s[statement_of(g, id)].accumulates;
        read = read || id != first;
    }
    return summed && read;
}

// What equal nodes share that sums of different statements read (cse_plan.hpp) is computed for a
// whole strip of the pass, `width` wide: their own blocks differ.
FELT_PLANNING_SELDOM inline void hold_strips(graph const& g, schedule& s, pass_facts const& pass,
                                             index_t width) {
    node_id const begin = g[pass.first].root, end = g[g[pass.last - 1].root].end;
    bool some = false;
    for (node_id id = begin; id < end; ++id) some = some || g[id].optional;
    if (!some) return;
    for (statement_id k : pass.statements()) {
        auto const linked = linked_below(g, s, k);
        for (node_id id : g.nodes_of(k)) {
            bool const shared = g[id].optional && s[id].reused == nullptr;
            s[id].strip_axis = shared ? strip_axis(g[id], linked) : axis_id();
            s[id].strip_extent = width;
        }
    }
    for (node_id first = begin; first < end; ++first) {
        bool const owner = g[first].optional && s[first].slot == first;
        if (!owner || share_strips(g, s, first, end)) continue;
        for (node_id id = first; id < end; ++id) {
            if (g[id].optional && s[id].slot == first) s[id].strip_axis = {};
        }
    }
}

// Statements, in their roles, that run strip by strip.
struct in_strips {
    graph const& g;
    schedule const& s;

    static bool writes_alike(statement_id, statement_id) { return false; }
    FELT_PLANNING_SELDOM std::string why_not(statement_id reader, node_id id,
                                             statement_id writer) const {
        bool const later = writer > reader;
        if (s[writer].accumulates) {
            return later ? "it writes what an earlier statement still reads"
                         : "it reads a sum that is complete only after the last strip";
        }
        index_t const step = g[writer].stride[s[writer].strip];
        if (reads_inside(g, s, id, linked_below(g, s, reader), writer, step)) return {};
        return later ? "it writes what an earlier statement reads in other strips"
                     : "it reads other strips of what an earlier statement writes";
    }
};

// Give statement k the role; false if it can't have it.
inline bool take_role(graph const& g, schedule& s, statement_id k, role const& r, index_t n) {
    s[k].accumulates = r.accumulates;
    s[k].strip = r.loop;
    for (node_id id : g.nodes_of(k)) {
        s[id].strip = {};
        s[id].strip_axis = {};
        s[id].reused = nullptr;
    }
    if (!r.accumulates) return true;
    bool some = false;
    set_sums(g, s, g[k].root, n, some);
    return some;
}

inline std::vector<role> roles_for(graph const& g, statement_id k, index_t n) {
    std::vector<role> list;
    for (loop_id l : g[g[k].space].loops()) {
        if (g[g[k].space].extent[l] == n) list.push_back({false, l});
    }
    list.push_back({true, {}});
    return list;
}

// Statements from `first` on that can share a pass over an axis of extent n, in the role given.
FELT_PLANNING_SELDOM inline pass_facts grow(graph const& g, schedule& s, statement_id first,
                                            role const& r, index_t n) {
    pass_facts pass{first, first + 1, n, n};
    if (s[first].temporary || !take_role(g, s, first, r, n)) return pass;
    extend(g, pass, [&](statement_id k) {
        if (s[k].temporary) return "it " + std::string(s[k].why);
        std::string why = "it has no axis of extent " + std::to_string(n);
        for (role const& option : roles_for(g, k, n)) {
            if (!take_role(g, s, k, option, n)) continue;
            why = conflict(g, {first, k}, k, in_strips{g, s});
            if (why.empty()) break;
        }
        return why;
    });
    return pass;
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning

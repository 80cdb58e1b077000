// SPDX-License-Identifier: BSD-3-Clause
//
// How the axes of nodes and the loops of spaces follow each other, and place(): which loops a node
// is read in.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/block_diagonal.hpp>
#include <felt/plan/graph.hpp>
#include <felt/plan/schedule.hpp>
#include <algorithm>
#include <utility>

namespace felt::inline FELT_ABI::planning {

// The extent of every label of a contraction; returns their number.
inline int label_extents(graph const& g, node_id id, index_t* extent) {
    node const& f = g[id];
    int count = f.rank;
    for (loop_id l{0}; l < max_axes; ++l) extent[l] = 1;
    for (int side = 0; side < 2; ++side) {
        node const& x = g[g.operand(id, side)];
        for (axis_id a : x.axes()) {
            label_id const label(f.label[side][a]);
            if (x.extent[a] != 1) extent[label] = x.extent[a];
            count = std::max(count, label + 1);
        }
    }
    return count;
}

namespace detail {

// The axis of node f that loop l of its own gives; -1 if f sums over it or scans it, or is a view.
inline axis_id axis_of_loop(node const& f, loop_id l) {
    return trait_of(f).takes_boxes ? axis_id() : f.axis_followed(0, l);
}

// How axis l of an operand of node f, the first or the second one, follows the axes of f: a view's
// own rule, or step by step. If it follows none, and f is no view, all of it is read.
inline axis_rule operand_rule(node const& f, int side, int l) {
    if (f.rule != nullptr) return f.rule[l];
    axis_rule r;
    if (f.what == kind::contract) return r;
    r.out1 = f.axis_followed(side, l);
    r.stride = r.out1 >= 0 ? 1 : 0;
    return r;
}

// The axis that a rule follows step by step; -1 if there is none.
inline axis_id axis_in_step(axis_rule const& r) {
    if (r.out2 >= 0 && r.dilation == 1) return axis_id(r.out2);
    return axis_id(r.out1 >= 0 && r.stride == 1 ? r.out1 : -1);
}

// Whether node f sums over loop l of its own.
inline bool sums_over(node const& f, loop_id l) {
    return trait_of(f).sums && axis_of_loop(f, l) < 0;
}

// The loops of a space over which a reduction sums rows, a bit each; none if it sums along lanes.
inline unsigned loops_of_summed_rows(graph const& g, schedule const& s, space_id sp) {
    node_id const owner = g[sp].owner;
    loop_id const lane = s[sp].lane;
    if (!owner || lane < 0 || g[owner].what != kind::reduce) return 0U;
    return (g[owner].mask >> lane & 1U) != 0 ? 0U : g[owner].mask;
}

// Whether so many sums meet in a result of reduction id that their rounding is carried: of rows,
// and of the pieces that blocks make of one.
inline bool carries(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    loop_space const& in = g[f.inner];
    loop_schedule const& how = s[f.inner];
    index_t sums = 1;
    for (loop_id l : in.loops()) {
        index_t const each = l == how.lane ? std::max<index_t>(how.block[l], 1) : 1;
        if ((f.mask >> l & 1U) != 0) sums *= (in.extent[l] + each - 1) / each;
    }
    return f.carries && (s[id].strip >= 0 || sums > few_sums);
}

// Axis `to` of m follows axis `from` of `of`, times c.
inline void follow(axis_map& m, int to, axis_map const& of, int from, index_t c) {
    m.offset[to] += c * of.offset[from];
    for (loop_id l{0}; l < m.loops; ++l) m.coef[to][l] += c * of.coef[from][l];
}

// The map of a node that was just described, all of which is 0. It is made where it stays: a copy
// would read many numbers at once that were just stored one by one, and wait for that.
inline axis_map& init_map(axis_map& m, int rank, int loops) {
    m.rank = rank;
    m.loops = loops;
    return m;
}

// The map of a statement's root, whose axes are the last ones of its destination.
inline void follow_destination(axis_map& m, node const& root, int rank) {
    init_map(m, root.rank, rank);
    for (axis_id a : root.axes()) {
        if (root.extent[a] != 1) m.coef[a][rank - root.rank + a] = 1;
    }
}

// The source of a view, which moves by `by`, moves as the view's rules say.
inline void follow_view(axis_map& m, node const& source, node const& view, axis_map const& by) {
    init_map(m, source.rank, by.loops);
    for (axis_id a : source.axes()) {
        axis_rule const& r = view.rule[a];
        m.offset[a] = r.offset;
        if (r.out1 >= 0) follow(m, a, by, r.out1, r.stride);
        if (r.out2 >= 0) follow(m, a, by, r.out2, r.dilation);
    }
}

// The operand of function f, which moves by `by`, moves with its last axes, but for those of one
// index.
inline void follow_last(axis_map& m, node const& operand, node const& f, axis_map const& by) {
    init_map(m, operand.rank, by.loops);
    for (axis_id a : operand.axes()) {
        if (operand.extent[a] != 1) follow(m, a, by, f.rank - operand.rank + a, 1);
    }
}

// The loops that move node f, a bit each.
inline unsigned moving_loops(node const& f) {
    unsigned loops = 0;
    for (axis_id a : f.axes()) {
        for (loop_id l{0}; l < f.at.loops && f.extent[a] > 1; ++l) {
            loops |= f.at.coef[a][l] != 0 ? 1U << l : 0U;
        }
    }
    return loops;
}

// Whether a view never leaves its source and never divides: then it is only other strides.
inline bool stays_inside(node const& view, node const& source) {
    for (axis_id s : source.axes()) {
        axis_rule const& r = view.rule[s];
        index_t first = r.offset, last = r.offset;
        for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
            if (out < 0) continue;
            index_t const reach = c * (view.extent[out] - 1);
            (reach < 0 ? first : last) += reach;
        }
        if (r.divide != 1 || first < 0 || last >= source.extent[s]) return false;
    }
    return true;
}

// The axis of a view that source axis s follows, step by step or set apart; -1 if it follows none,
// -2 if it follows otherwise, or in pieces. Axes of one index lead nowhere.
inline axis_id followed_axis(node const& view, int s) {
    axis_rule const& r = view.rule[s];
    int axis = -1;
    if (r.mode != pad_mode::constant) return axis_id(-2);
    for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
        if (out < 0 || view.extent[out] <= 1) continue;
        if (c != 1 || axis >= 0) return axis_id(-2);
        axis = out;
    }
    return axis_id(r.divide == 1 || r.exact ? axis : -2);
}

// Whether a view only gives the elements of its source other indices, and puts some around and
// between them.
inline bool shifts(node const& view, int sources) {
    unsigned followed = 0, all = 0;
    for (int s = 0; s < sources; ++s) {
        axis_id const axis = followed_axis(view, s);
        if (axis == -2 || (axis >= 0 && (followed >> axis & 1U) != 0)) return false;
        if (axis >= 0) followed |= 1U << axis;
    }
    for (axis_id a : view.axes()) {
        if (view.extent[a] > 1) all |= 1U << a;
    }
    return followed == all;
}

// Whether the values of id are in memory when they are read: a leaf, or a box of scratch.
inline bool lies_in_memory(graph const& g, node_id id) {
    node const& f = g[id];
    if (f.what == kind::affine) return lies_in_memory(g, id + 1);
    return trait_of(f).is_in_memory;
}

// Whether the values of id have strides when they are read: memory, or a view, whose box has them.
inline bool has_strides(graph const& g, node_id id) {
    node const& f = g[id];
    if (f.what == kind::affine) return has_strides(g, id + 1);
    return f.what == kind::general || trait_of(f).is_in_memory;
}

// What streams on the host: functions, and views that are no more than other strides.
struct streams_on_host {
    bool operator()(graph const& g, node_id id) const {
        node const& f = g[id];
        if (f.what != kind::general) return f.what == kind::map || f.what == kind::affine;
        return stays_inside(f, g[id + 1]) && has_strides(g, id + 1);
    }
};

}  // namespace detail

// Puts node id, whose axes follow the loops of a space by its `at`, and all below it. What
// `streams` reads its operands in the loops that it is read in itself.
template <class Streams>
FELT_PLANNING void place(graph& g, node_id id, space_id space, Streams const& streams);

namespace detail {

// The operands of node id, whose axes follow the loops of a space by `at`.
template <class Streams>
void place_operands(graph& g, node_id id, axis_map const& at, space_id space,
                    Streams const& streams) {
    node const& f = g[id];
    for (node_id c : g.operands(id)) {
        if (f.what == kind::affine || f.what == kind::general) follow_view(g[c].at, g[c], f, at);
        else follow_last(g[c].at, g[c], f, at);
        place(g, c, space, streams);
    }
}

}  // namespace detail

template <class Streams>
void place(graph& g, node_id id, space_id space, Streams const& streams) {
    g.add_to(space, id);
    node& f = g[id];
    if (f.what == kind::scalar) return;
    if (f.what == kind::leaf || f.what == kind::generator) {
        return detail::locate(f.at, f.stride, f.offset, f.by_loop);
    }
    if (streams(g, id)) return detail::place_operands(g, id, f.at, space, streams);
    // A node with loops of its own. Spaces of one node are numbered in a row: those below come
    // after.
    if (f.what == kind::contract) {
        index_t extent[max_axes] = {};
        int const labels = label_extents(g, id, extent);
        f.inner = g.add_space(extent, labels, id);
        g.add_space(extent, labels, id);
        contraction product;
        for (int side = 0; side < 2; ++side) {
            node_id const operand = g.operand(id, side);
            node& child = g[operand];
            axis_map& m = detail::init_map(child.at, child.rank, labels);
            for (axis_id a : child.axes()) {
                product.labels[side] |= 1U << f.label[side][a];
                if (child.extent[a] != 1) m.coef[a][f.label[side][a]] = 1;
            }
            place(g, operand, f.inner + side, streams);
        }
        product.diagonal = find_diagonal(g, id);
        f.product = g.products.add(product);
        return;
    }
    if (f.what == kind::map) {  // over its own axes
        f.inner = g.add_space(f.extent, f.rank, id);
        return detail::place_operands(g, id, identity(f.rank), f.inner, streams);
    }
    f.inner = g.spaces.end_id();
    for (node_id c : g.operands(id)) g.add_space(g[c].extent, g[c].rank, id);
    space_id inner = f.inner;
    for (node_id c : g.operands(id)) {
        g[c].at = identity(g[c].rank);
        place(g, c, inner, streams);
        ++inner;
    }
}

// Gives a statement whose tree was described its loops.
template <class Streams = detail::streams_on_host>
FELT_PLANNING void place_statement(graph& g, destination to, Streams const& streams = {}) {
    std::copy(to.stride, to.stride + to.rank, to.by_loop);
    to.space = g.add_space(to.extent, to.rank);
    node& root = g[to.root];
    detail::follow_destination(root.at, root, to.rank);
    place(g, to.root, to.space, streams);
    g.statements.add(to);
}

}  // namespace felt::inline FELT_ABI::planning

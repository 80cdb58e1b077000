// SPDX-License-Identifier: BSD-3-Clause
//
// Which loops a node is read in. A statement has loops over its destination's axes. Streaming
// nodes and views of them live in the loops of their reader; a node that is not streamed has
// loops of its own: a reduction over its operand's axes, a contraction over its labels (one
// space for each operand), a general view over its source.
#pragma once
#include <felt/plan/node_list.hpp>
#include <felt/plan/statements.hpp>
#include <string>
#include <utility>

namespace felt::planning {

struct loop_space {
    int owner = -1;             // the node whose operand is read in these loops; -1: a statement
    int first = -1, last = -1;  // the nodes that are read in these loops
    int rank = 0;
    index_t extent[max_axes] = {};
    int lane = -1;                 // the loop that runs along SIMD lanes; -1: rank 0
    int columns = -1;              // the loop that the columns of products follow; -1: the lanes
    index_t block[max_axes] = {};  // the box of one step
    int order[max_axes] = {};      // loops from outermost to innermost
    index_t mirror = 0;            // > 0: squares of that side, (i, j) and then (j, i)
    int fetched = -1;              // a leaf of which the next block is fetched early,
    index_t fetch_step = 0;        // and how far away that is, in elements

    void run_along(int l) {
        lane = l;
        columns = -1;
    }
    int columns_along() const { return columns >= 0 ? columns : lane; }
};

// An axis of the first of equal nodes follows these loops of a space around both.
struct twin_axis {
    int id, axis, space;  // of the other one
    unsigned loops;
};

struct loops {
    graph node;
    std::vector<loop_space> space;
    std::vector<twin_axis> twin_axes;

    node_facts& at(int id) { return node[static_cast<std::size_t>(id)]; }
    node_facts const& at(int id) const { return node[static_cast<std::size_t>(id)]; }
    loop_space& loop(int s) { return space[static_cast<std::size_t>(s)]; }
    loop_space const& loop(int s) const { return space[static_cast<std::size_t>(s)]; }

    node_list read_in(int s) const { return {node, loop(s).first}; }

    void add_to(int s, int id) {
        loop_space& in = loop(s);
        (in.first < 0 ? in.first : at(in.last).next) = id;
        in.last = id;
        at(id).space = s;
    }

    int add_space(index_t const* extent, int rank, int owner = -1) {
        loop_space s;
        s.owner = owner;
        s.rank = rank;
        for (int l = 0; l < rank; ++l) {
            s.extent[l] = s.block[l] = extent[l];
            s.order[l] = l;
        }
        s.lane = rank - 1;
        space.push_back(s);
        return static_cast<int>(space.size()) - 1;
    }
};

// The extent of every label of a contraction; returns their number.
inline int label_extents(loops const& p, int id, index_t* extent) {
    node_facts const& f = p.at(id);
    int count = f.rank;
    for (int l = 0; l < max_axes; ++l) extent[l] = 1;
    int operand = id + 1;
    for (int const* label : f.label) {
        node_facts const& x = p.at(operand);
        for (int a = 0; a < x.rank; ++a) {
            if (x.extent[a] != 1) extent[label[a]] = x.extent[a];
            if (label[a] + 1 > count) count = label[a] + 1;
        }
        operand = x.end;
    }
    return count;
}

namespace detail {

// The axis of node f that loop l of its own gives; -1 if f sums over it or scans it, or is a view.
inline int axis_of_loop(node_facts const& f, int l) {
    if (f.what == kind::contract) return l < f.rank ? l : -1;
    if (f.what == kind::scan) return l == f.whole ? -1 : l;
    if (f.what == kind::once) return l;
    if (f.what != kind::reduce || (f.mask >> l & 1U) != 0) return -1;
    int axis = 0;
    for (int i = 0; i < l; ++i) axis += (f.mask >> i & 1U) == 0;
    return axis;
}

// Whether node f sums over loop l of its own.
inline bool sums_over(node_facts const& f, int l) {
    return (f.what == kind::contract || f.what == kind::reduce) && axis_of_loop(f, l) < 0;
}

// The loops of space s over which a reduction sums rows, a bit each; none if it sums along lanes.
inline unsigned loops_of_summed_rows(loops const& p, int s) {
    int const owner = p.loop(s).owner, lane = p.loop(s).lane;
    if (owner < 0 || lane < 0 || p.at(owner).what != kind::reduce) return 0U;
    return (p.at(owner).mask >> lane & 1U) != 0 ? 0U : p.at(owner).mask;
}

// Whether so many sums meet in a result of reduction f that their rounding is carried: of rows, and
// of the pieces that blocks make of one.
inline bool carries(node_facts const& f, loop_space const& in) {
    constexpr index_t few = 128;
    index_t sums = 1;
    for (int l = 0; l < in.rank; ++l) {
        index_t const each = l == in.lane ? std::max<index_t>(in.block[l], 1) : 1;
        if ((f.mask >> l & 1U) != 0) sums *= (in.extent[l] + each - 1) / each;
    }
    return f.carries && (f.strip >= 0 || sums > few);
}

// Axis `to` of m follows axis `from` of `of`, times c.
inline void follow(axis_map& m, int to, axis_map const& of, int from, index_t c) {
    m.offset[to] += c * of.offset[from];
    for (int l = 0; l < m.loops; ++l) m.coef[to][l] += c * of.coef[from][l];
}

// The map of a node that was just described, all of which is 0. It is made where it stays: a copy
// would read many numbers at once that were just stored one by one, and wait for that.
inline axis_map& stand_still(axis_map& m, int rank, int loops) {
    m.rank = rank;
    m.loops = loops;
    return m;
}

// Where a leaf lies, by the loops that it is read in.
inline void locate(node_facts& f) {
    f.offset = 0;
    for (int l = 0; l < f.at.loops; ++l) f.by_loop[l] = 0;
    for (int a = 0; a < f.rank; ++a) {
        f.offset += f.at.offset[a] * f.stride[a];
        for (int l = 0; l < f.at.loops; ++l) f.by_loop[l] += f.at.coef[a][l] * f.stride[a];
    }
}

// The loops that move node f, a bit each.
inline unsigned moving_loops(node_facts const& f) {
    unsigned loops = 0;
    for (int a = 0; a < f.rank; ++a) {
        for (int l = 0; l < f.at.loops && f.extent[a] > 1; ++l) {
            loops |= f.at.coef[a][l] != 0 ? 1U << l : 0U;
        }
    }
    return loops;
}

// Whether a view never leaves its source and never divides: then it is only other strides.
inline bool stays_inside(node_facts const& view, node_facts const& source) {
    for (int s = 0; s < source.rank; ++s) {
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
inline int followed_axis(node_facts const& view, int s) {
    axis_rule const& r = view.rule[s];
    int axis = -1;
    if (r.mode != pad_mode::constant) return -2;
    for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
        if (out < 0 || view.extent[out] <= 1) continue;
        if (c != 1 || axis >= 0) return -2;
        axis = out;
    }
    return r.divide == 1 || r.exact ? axis : -2;
}

// Whether a view only gives the elements of its source other indices, and puts some around and
// between them.
inline bool shifts(node_facts const& view, int sources) {
    unsigned followed = 0, all = 0;
    for (int s = 0; s < sources; ++s) {
        int const axis = followed_axis(view, s);
        if (axis == -2 || (axis >= 0 && (followed >> axis & 1U) != 0)) return false;
        if (axis >= 0) followed |= 1U << axis;
    }
    for (int a = 0; a < view.rank; ++a) {
        if (view.extent[a] > 1) all |= 1U << a;
    }
    return followed == all;
}

// Whether the values of id are in memory when they are read: a leaf, or a box of scratch.
inline bool lies_in_memory(graph const& g, int id) {
    node_facts const& f = g[static_cast<std::size_t>(id)];
    if (f.what == kind::affine) return lies_in_memory(g, id + 1);
    return f.what == kind::leaf || f.what == kind::contract || f.what == kind::reduce ||
           lies_as_operand(f);
}

// The source of a view moves as its rules say.
inline void follow_view(node_facts& source, node_facts const& view) {
    axis_map& m = stand_still(source.at, source.rank, view.at.loops);
    for (int s = 0; s < source.rank; ++s) {
        axis_rule const& r = view.rule[s];
        m.offset[s] = r.offset;
        if (r.out1 >= 0) follow(m, s, view.at, r.out1, r.stride);
        if (r.out2 >= 0) follow(m, s, view.at, r.out2, r.dilation);
    }
}

// The operand of a function moves with its last axes, but for those of one index.
inline void follow_last(node_facts& operand, node_facts const& f) {
    axis_map& m = stand_still(operand.at, operand.rank, f.at.loops);
    for (int a = 0; a < operand.rank; ++a) {
        if (operand.extent[a] != 1) follow(m, a, f.at, f.rank - operand.rank + a, 1);
    }
}

}  // namespace detail

// Put node id, whose axes follow the loops of `space` by its `at`, and all below it.
FELT_PLANNING inline void place(loops& p, int id, int space) {
    p.add_to(space, id);
    node_facts& f = p.at(id);
    int const x = id + 1;
    switch (f.what) {
        case kind::leaf:
        case kind::generator:
            detail::locate(f);
            return;
        case kind::scalar:
            return;
        case kind::map:
            for (int c = x; c < f.end; c = p.at(c).end) {
                detail::follow_last(p.at(c), f);
                place(p, c, space);
            }
            return;
        case kind::general:
            if (!detail::stays_inside(f, p.at(x)) || !detail::lies_in_memory(p.node, x)) break;
            [[fallthrough]];
        case kind::affine:
            detail::follow_view(p.at(x), f);
            place(p, x, space);
            return;
        default:
            break;
    }
    // A node with loops of its own.
    f.by = way::scratch;
    if (f.what == kind::contract) {
        index_t extent[max_axes] = {};
        int const labels = label_extents(p, id, extent);
        int const inner = f.inner = p.add_space(extent, labels, id);
        p.add_space(extent, labels, id);
        int operand = x;
        for (int side = 0; side < 2; ++side) {
            node_facts& child = p.at(operand);
            axis_map& m = detail::stand_still(child.at, child.rank, labels);
            for (int a = 0; a < child.rank; ++a) {
                if (child.extent[a] != 1) m.coef[a][f.label[side][a]] = 1;
            }
            place(p, operand, inner + side);
            operand = child.end;
        }
        return;
    }
    int first = -1;
    int const end = f.end;
    for (int c = x; c < end; c = p.at(c).end) {
        node_facts const& child = p.at(c);
        int const s = p.add_space(child.extent, child.rank, id);
        if (first < 0) first = s;
        // Spaces of one node are numbered in a row: those below come after.
    }
    p.at(id).inner = first;
    for (int c = x; c < end; c = p.at(c).end) {
        p.at(c).at = identity(p.at(c).rank);
        place(p, c, first++);
    }
}

}  // namespace felt::planning

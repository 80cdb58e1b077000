// SPDX-License-Identifier: BSD-3-Clause
//
// How often the values of every node are computed on average, all loops that enclose it counted,
// and what is computed more than 1.5 times.
#pragma once
#include <felt/plan/nests.hpp>

namespace felt::planning::detail {

// Beyond this a value is computed first, as a whole (rule 4 of the execution page): on average over
// what is read near the statement, and each value that is read further below.
inline constexpr double most_times = 1.5, most_times_below = 4;

// Whether an operand of view id is evaluated into a box, from which elements are picked.
inline bool takes_boxes(loops const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.inner < 0) return false;
    if (f.what == kind::general) return !computes_source(p, id);
    return f.what == kind::reshape || f.what == kind::concat || f.what == kind::gather ||
           f.what == kind::scatter;
}

// Whether node id is where values are made that could be computed first: it has loops of its own
// and does not only copy, or a view takes boxes of it.
inline bool makes_values(loops const& p, int id, int parent) {
    node_facts const& f = p.at(id);
    switch (f.what) {
        case kind::reduce:
        case kind::contract:
        case kind::once:
        case kind::scatter:
            return true;
        case kind::general:
            return f.inner >= 0 && computes_source(p, id);
        case kind::map:
        case kind::generator:
            return parent >= 0 && takes_boxes(p, parent);
        default:
            return false;
    }
}

// Calls f(id, parent) for the nodes of a statement; the root has parent -1.
template <class F>
void for_each_node(loops const& p, int id, int parent, F&& f) {
    f(id, parent);
    for (int c = id + 1; c < p.at(id).end; c = p.at(c).end) for_each_node(p, c, id, f);
}

// Sets `recompute` of the nodes of a statement, whose blocks are chosen, by the loops next to them.
FELT_PLANNING inline void count_times(loops& p, int root, int space) {
    std::vector<double> runs(p.space.size(), 1.0);  // how often each space's loops run through
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts& f = p.at(id);
        if (f.by == way::streamed || f.inner < 0) continue;
        loop_space const& in = p.loop(f.space);
        int const owner = in.owner;
        bool const operand = owner >= 0 && p.at(owner).what == kind::contract;
        double const outside = runs[static_cast<std::size_t>(f.space)];
        // In the loops of a product, boxes that several pieces ask for stay; those of its own
        // neighbouring boxes may overlap.
        double const inside =
            operand && f.space != space ? overlapping(in, f, in.block) : recompute(in, f, in.block);
        f.recompute = f.by == way::hoisted ? 1 : outside * inside;
        index_t x[max_axes] = {};
        if (f.by == way::hoisted) std::copy(f.extent, f.extent + f.rank, x);
        else image_extents(f, in.block, x);
        int side = 0;
        for (int c = id + 1; c < f.end; c = p.at(c).end, ++side) {
            double again = 1;
            if (f.what == kind::general) again = overlap(f, p.at(c), x);
            bool const product = f.what == kind::contract && f.by != way::hoisted;
            if (product) again = remade(p, id, side, in.block);
            runs[static_cast<std::size_t>(f.inner + side)] = f.recompute * again;
        }
    }
}

struct wasted_work {
    double ideal = 0, actual = 0, most = 0;
    int worst = -1;  // the node that wastes most
};

// What is computed more than once in the loops of a statement and of the operands that its products
// make ready there. What is read further inside is counted and said, and not hoisted.
FELT_PLANNING inline wasted_work find_waste(loops const& p, int root, int space) {
    wasted_work w;
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts const& f = p.at(id);
        int const owner = p.loop(f.space).owner;
        bool const operand =
            owner >= 0 && p.at(owner).what == kind::contract && p.at(owner).space == space;
        if ((f.space != space && !operand) || f.by != way::scratch) continue;
        w.ideal += f.work;
        w.actual += f.work * f.recompute;
        if (f.work * (f.recompute - 1) > w.most) {
            w.most = f.work * (f.recompute - 1);
            w.worst = id;
        }
    }
    return w;
}

// The value further below, in loops inside of a statement's, that exceeds its bound most, with all
// loops around it counted; -1 if none does. Equal nodes count as one, of which each may read a
// part. `recompute` becomes what was counted, if that is more.
FELT_PLANNING inline int find_waste_below(loops& p, int root, int space) {
    loop_nests const around(p, root, space);
    std::vector<double> shares(p.node.size(), 0.0);
    double most = 0;
    int worst = -1;
    for_each_node(p, root, -1, [&](int id, int parent) {
        node_facts& f = p.at(id);
        double const times = around.of(id).times;
        if (f.by == way::scratch) f.recompute = std::max(f.recompute, times);
        int const owner = p.loop(f.space).owner;
        bool const operand = owner >= 0 && p.at(owner).what == kind::contract;
        bool const near = f.space == space || (operand && p.at(owner).space == space);
        if (f.by == way::hoisted || (near && f.inner >= 0) || !makes_values(p, id, parent)) return;
        int const first = f.slot >= 0 ? f.slot : id;
        double& all = shares[static_cast<std::size_t>(first)];
        all += around.of(id).share;
        double const often = std::max(all, times);
        if (often <= most_times_below || f.work * (often - 1) <= most) return;
        most = f.work * (often - 1);
        worst = first;
    });
    return worst;
}

}  // namespace felt::planning::detail

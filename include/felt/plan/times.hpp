// SPDX-License-Identifier: BSD-3-Clause
//
// How often the values of every node are computed on average, at any depth: as often as its reader
// asks for them (again where the reader itself is computed again, or where the boxes that a view
// asks for overlap), and again where its own loops return to them.
#pragma once
#include <felt/plan/blocks.hpp>
#include <vector>

namespace felt::planning::detail {

// Sets `recompute` of the nodes of a statement, whose blocks are chosen.
FELT_PLANNING inline void count_times(loops& p, int root, int space) {
    std::vector<double> runs(p.space.size(), 1.0);  // how often each space's loops run through
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts& f = p.at(id);
        if (f.by == way::streamed) continue;
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

// Whether node id finds its values in the slot of an equal node.
inline bool is_held_by_twin(loops const& p, int id) {
    node_facts const& f = p.at(id);
    return f.by == way::scratch && f.slot >= 0 && f.slot != id && f.scratch_bytes == 0;
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

}  // namespace felt::planning::detail

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
        // In the loops of a product, boxes that several pieces ask for stay.
        double const inside = operand && f.space != space ? 1 : recompute(in, f, in.block);
        f.recompute = f.by == way::hoisted ? 1 : outside * inside;
        index_t x[max_axes];
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

// Operations of node id alone, without those of the nodes below that wait in scratch or memory.
inline double own_work(loops const& p, int id) {
    double work = p.at(id).work;
    for (int x = id + 1; x < p.at(id).end;) {
        bool const below = p.at(x).by != way::streamed;
        if (below) work -= p.at(x).work;
        x = below ? p.at(x).end : x + 1;
    }
    return work;
}

struct wasted_work {
    double ideal = 0, actual = 0, most = 0;
    int worst = -1;  // the node that wastes most; equal nodes count as the first of them
};

// What computing values more than once costs; nodes that are equal and do not share count too.
FELT_PLANNING inline wasted_work find_waste(loops const& p, int root) {
    wasted_work w;
    std::vector<double> times(p.node.size(), 0.0);
    for (int id = root; id < p.at(root).end;) {
        node_facts const& f = p.at(id);
        bool const held = is_held_by_twin(p, id);
        if (f.by == way::scratch && !held) {
            times[static_cast<std::size_t>(f.slot >= root ? f.slot : id)] += f.recompute;
        }
        id = held ? f.end : id + 1;  // nobody asks for what is below
    }
    for (int id = root; id < p.at(root).end; ++id) {
        double const n = times[static_cast<std::size_t>(id)];
        if (n == 0) continue;
        double const work = own_work(p, id);
        w.ideal += work;
        w.actual += work * n;
        if (work * (n - 1) > w.most) {
            w.most = work * (n - 1);
            w.worst = id;
        }
    }
    return w;
}

}  // namespace felt::planning::detail

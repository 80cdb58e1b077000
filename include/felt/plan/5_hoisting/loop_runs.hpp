// SPDX-License-Identifier: BSD-3-Clause
//
// How often the loops of a space run and how far they go at a time, and with them the boxes of a
// node.
#pragma once
#include <felt/plan/3_tiling/tiling.hpp>
#include <felt/plan/5_hoisting/trip_counts.hpp>
#include <cmath>

namespace felt::inline FELT_ABI::planning::detail {

// How the loops of a space run: inside of which others, and for each loop of the space with which
// of them it moves and how far it goes at a time, on average.
struct space_run {
    loop_nest around;
    std::uint64_t moves[max_axes] = {};
    double length[max_axes] = {};
    double points = 0;  // iterations of the space's loops, all in all

    // Loop l is asked for `asked` indices at a time, which lie where the loops of `base` are, and
    // goes through them by `block`.
    void enter(loop_id l, double asked, std::uint64_t base, index_t block) {
        // Where that is an average, some boxes have an index more than others.
        double const most = std::ceil(asked - 1e-9), more = asked - (most - 1);
        double const n = more * steps(most, block) + (1 - more) * steps(most - 1, block);
        moves[l] = base | around.enter(n);
        length[l] = asked / std::max(n, 1.0);
    }

private:
    static double steps(double indices, index_t block) {
        return std::ceil(indices / static_cast<double>(std::max<index_t>(block, 1)));
    }
};

// The boxes of a node that its reader asks for.
struct node_run {
    std::uint64_t axis_moves[max_axes];
    double length[max_axes];  // of a box, on average
    std::uint64_t moves = 0;
    double asked = 1;  // how often a box is computed
    double times = 1;  // how often an element is that is read, on average
    double share = 1;  // the same of all elements: below 1 if only a part is read

    double box() const {
        double n = 1;
        for (double l : length) n *= l;
        return n;
    }
};

inline node_run whole_run(node const& f) {
    node_run r;
    for (axis_id a{0}; a < max_axes; ++a) {
        r.axis_moves[a] = 0;
        r.length[a] = a < f.rank ? static_cast<double>(f.extent[a]) : 1;
    }
    return r;
}

FELT_PLANNING inline node_run run_of(graph const& g, schedule const& s, node_id id,
                                     space_run const& in) {
    node const& f = g[id];
    node_run r = whole_run(f);
    if (s[id].by == way::hoisted) return r;
    for (axis_id a : f.axes()) {
        if (a == f.whole) continue;
        double n = 1;
        for (loop_id l : f.at.all_loops()) {
            if (f.at.coef[a][l] == 0) continue;
            r.axis_moves[a] |= in.moves[l];
            n += static_cast<double>(std::abs(f.at.coef[a][l])) * (in.length[l] - 1);
        }
        r.length[a] = std::clamp(n, std::min(1.0, r.length[a]), r.length[a]);
        r.moves |= r.axis_moves[a];
    }
    r.asked = in.around.changes(r.moves);
    double boxes = 1;  // that do not overlap
    for (axis_id a : f.axes()) {
        double const all = static_cast<double>(std::max<index_t>(f.extent[a], 1));
        boxes *= std::min(in.around.turns(r.axis_moves[a]), all / std::max(r.length[a], 1.0));
    }
    r.times = std::max(1.0, r.asked / std::max(boxes, 1.0));
    r.share = r.asked * r.box() / std::max(1.0, elements(f));
    return r;
}

}  // namespace felt::inline FELT_ABI::planning::detail

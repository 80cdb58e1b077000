// SPDX-License-Identifier: BSD-3-Clause
//
// Equal nodes share what one of them holds, as long as both are asked for the same elements: where
// their axes follow the loops that both are read in by the same map.
#pragma once
#include <felt/plan/loops.hpp>
#include <algorithm>

namespace felt::planning::detail {

// An axis: offset + sum over the loops l of space s of coef[l] * loop[l].
struct axis_by_loops {
    int space;
    index_t offset;
    index_t coef[max_axes];

    bool operator==(axis_by_loops const&) const = default;
};

inline axis_by_loops axis_of(node_facts const& f, int a) {
    axis_by_loops x{f.space, f.at.offset[a], {}};
    std::copy(f.at.coef[a], f.at.coef[a] + f.at.loops, x.coef);
    return x;
}

// The same axis by the loops further out, in which the owner of its own is read; false if there are
// none, or if it runs while the box of the owner stays.
FELT_PLANNING inline bool lift(loops const& p, axis_by_loops& x) {
    int const owner = p.loop(x.space).owner;
    if (owner < 0) return false;
    node_facts const& around = p.at(owner);
    axis_by_loops up{around.space, x.offset, {}};
    for (int l = 0; l < p.loop(x.space).rank; ++l) {
        if (x.coef[l] == 0) continue;
        int const axis = axis_of_loop(around, l);
        if (axis < 0) return false;
        up.offset += x.coef[l] * around.at.offset[axis];
        for (int o = 0; o < around.at.loops; ++o) up.coef[o] += x.coef[l] * around.at.coef[axis][o];
    }
    x = up;
    return true;
}

// The loops of every space around the first of two equal nodes that its axes follow.
FELT_PLANNING inline void find_twin_axes(loops& p, int id) {
    node_facts const& first = p.at(p.at(id).slot);
    for (int a = 0; a < first.rank; ++a) {
        axis_by_loops x = axis_of(first, a);
        do {
            unsigned follows = 0;
            for (int l = 0; l < p.loop(x.space).rank; ++l) follows |= x.coef[l] != 0 ? 1U << l : 0U;
            if (follows != 0) p.twin_axes.push_back({id, a, x.space, follows});
        } while (lift(p, x));
    }
}

// Whether an axis that can't be lifted runs with the strips of a pass: in the loops of a statement,
// or along what a node sums over strip by strip.
inline bool follows_strip(loops const& p, axis_by_loops const& x) {
    int const owner = p.loop(x.space).owner;
    if (owner < 0) return true;
    for (int l = 0; l < p.loop(x.space).rank; ++l) {
        if (x.coef[l] != 0 && l != p.at(owner).strip) return false;
    }
    return p.at(owner).strip >= 0;
}

// Whether axis a of two equal nodes is asked for by the same indices: by the same map in loops that
// both are read in, or in the strips of two statements of a pass.
FELT_PLANNING inline bool move_together(loops const& p, node_facts const& f, node_facts const& twin,
                                        int a) {
    axis_by_loops x, y = axis_of(twin, a);
    do {
        x = axis_of(f, a);
        do {
            if (x.space == y.space) return x == y;
        } while (lift(p, x));
    } while (lift(p, y));
    return follows_strip(p, x) && follows_strip(p, y);
}

// Whether the box x that f is asked for always lies in the box that an equal node holds then.
inline bool held_by_twin(loops const& p, node_facts const& f, index_t const* x) {
    node_facts const& twin = p.at(f.slot);
    if (twin.by == way::hoisted || f.strip_axis >= 0) return true;
    for (int a = 0; a < f.rank; ++a) {
        if (x[a] > twin.held[a]) return false;
        if (twin.held[a] != f.extent[a] && !move_together(p, f, twin, a)) return false;
    }
    return true;
}

}  // namespace felt::planning::detail

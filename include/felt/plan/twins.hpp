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

// Whether the owner of the loops that x follows asks for all of its box at once. If not, what is
// read there holds the last piece of it, when the owner is done.
inline bool is_in_one_piece(loops const& p, axis_by_loops const& x) {
    loop_space const& in = p.loop(x.space);
    for (int l = 0; l < in.rank && in.owner >= 0; ++l) {
        int const axis = x.coef[l] == 0 ? -1 : axis_of_loop(p.at(in.owner), l);
        if (axis >= 0 && in.block[l] < p.at(in.owner).held[axis]) return false;
    }
    return true;
}

// Whether axis a of two equal nodes is asked for by the same indices: by the same map in loops that
// both are read in, or in the strips of two statements of a pass. `cut`: the blocks of the loops
// below are known.
FELT_PLANNING inline bool move_together(loops const& p, node_facts const& f, node_facts const& twin,
                                        int a, bool cut) {
    axis_by_loops x, y = axis_of(twin, a);
    do {
        x = axis_of(f, a);
        do {
            if (x.space == y.space) return x == y;
        } while (lift(p, x));
        if (cut && !is_in_one_piece(p, y)) return false;
    } while (lift(p, y));
    return follows_strip(p, x) && follows_strip(p, y);
}

// Whether two nodes are on both sides of a product. Which is asked first is the product's affair.
inline bool on_both_sides(loops const& p, int a, int b) {
    for (int id = 0; id < a; ++id) {
        node_facts const& f = p.at(id);
        int const right = f.what == kind::contract ? p.at(id + 1).end : 0;
        if (a < right && right <= b && b < f.end) return true;
    }
    return false;
}

// Whether the box x that node id is asked for always lies in the box that an equal node holds then.
inline bool held_by_twin(loops const& p, int id, index_t const* x) {
    node_facts const& f = p.at(id);
    node_facts const& twin = p.at(f.slot);
    if (twin.by == way::hoisted || f.strip_axis >= 0) return true;
    if (on_both_sides(p, f.slot, id)) return false;
    for (int a = 0; a < f.rank; ++a) {
        if (x[a] > twin.held[a]) return false;
        if (twin.held[a] != f.extent[a] && !move_together(p, f, twin, a, true)) return false;
    }
    return true;
}

// Loops of the spaces from..., as of the spaces `like`...
inline void loop_like(loops& p, int from, int like, int count) {
    for (int i = 0; i < count; ++i) {
        loop_space& to = p.loop(from + i);
        loop_space const& of = p.loop(like + i);
        to.lane = of.lane, to.columns = of.columns;
        std::copy(of.block, of.block + of.rank, to.block);
        std::copy(of.order, of.order + of.rank, to.order);
    }
}

// What node id has below it is summed in the loops and the order that its equal, `like`, has.
FELT_PLANNING inline void sum_like(loops& p, int id, int like) {
    for (int x = id, y = like, end = p.at(id).end; x < end; ++x, ++y) {
        node_facts& f = p.at(x);
        node_facts const& of = p.at(y);
        f.swapped = of.swapped;
        std::copy(of.chunk, of.chunk + 3, f.chunk);
        f.left_in_place = of.left_in_place, f.right_in_place = of.right_in_place;
        f.left_boxed = of.left_boxed, f.boxed_whole = of.boxed_whole;
        f.last_shared = of.last_shared, f.last_row = of.last_row;
        if (f.lie_along != nullptr && x > id) {
            f.along = of.along, f.offset = of.offset;
            std::copy(of.stride, of.stride + max_axes, f.stride);
            std::copy(of.by_loop, of.by_loop + max_axes, f.by_loop);
        }
        if (f.inner < 0) continue;
        int count = 0;
        for (int c = x + 1; c < f.end; c = p.at(c).end) ++count;
        loop_like(p, f.inner, of.inner, count);
    }
}

// Equal nodes compute equal bits: which of them has a value depends on the boxes that were asked
// for before, and so on how the loops are shared out among threads. Nodes of a pass, once their
// loops are cut.
FELT_PLANNING inline void sum_alike(loops& p, int begin, int end) {
    for (int id = begin, next; id < end; id = next) {
        node_facts const& f = p.at(id);
        bool const twin = f.slot >= 0 && f.slot != id;
        next = twin ? f.end : id + 1;
        // What lies in a destination has the orientation of that.
        if (twin && f.home == nullptr) sum_like(p, id, f.slot);
    }
}

// Whether a view reads node id, or what reads it: at a border it may ask for less than a block.
// Strips and parts of what sums it ask for less on purpose, and each for other elements.
inline bool is_below_view(loops const& p, int id) {
    bool view = false;
    for (int s = p.at(id).space; p.loop(s).owner >= 0; s = p.at(p.loop(s).owner).space) {
        node_facts const& f = p.at(p.loop(s).owner);
        if (f.strip >= 0) return false;
        view = view || (f.what != kind::reduce && f.what != kind::contract && !lies_as_operand(f));
    }
    return view;
}

// What equal nodes look for in the box of the first of them, which a border may have cut: all along
// the axes of which it has room for all.
FELT_PLANNING inline void find_wanted_by_twins(loops& p, int root) {
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts& f = p.at(id);
        f.twins_want = 0;
        if (f.by != way::scratch || f.slot < 0 || f.slot == id) continue;
        node_facts& first = p.at(f.slot);
        if (f.scratch_bytes > 0 || first.by != way::scratch || first.strip >= 0) continue;
        if (first.strip_axis >= 0 || first.carried || !is_below_view(p, f.slot)) continue;
        for (int a = 0; a < first.rank && first.home == nullptr; ++a) {
            if (first.held[a] == first.extent[a]) first.twins_want |= 1U << a;
        }
    }
}

}  // namespace felt::planning::detail

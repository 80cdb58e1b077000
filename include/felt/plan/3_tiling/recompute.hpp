// SPDX-License-Identifier: BSD-3-Clause
//
// How often values are computed when the loops of a space advance by blocks, in some order.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/footprint.hpp>
#include <utility>

namespace felt::inline FELT_ABI::planning::detail {

inline double steps_of(loop_space const& in, loop_id l, index_t const* block) {
    index_t const b = std::max<index_t>(block[l], 1);
    return static_cast<double>(std::max<index_t>((in.extent[l] + b - 1) / b, 1));
}

// How often a value of node id is computed because the boxes of neighbouring steps overlap.
FELT_PLANNING inline double overlapping(graph const& g, schedule const& s, space_id sp, node_id id,
                                        index_t const* block) {
    node const& f = g[id];
    loop_space const& in = g[sp];
    double factor = 1;
    index_t x[max_axes] = {};
    image_extents(g, s, id, block, x);
    for (axis_id a : f.axes()) {
        if (a == f.whole) continue;
        double steps = 1;
        bool overlaps = false;
        int followed = 0;
        for (loop_id l : in.loops()) {
            if (f.at.coef[a][l] == 0) continue;
            steps *= steps_of(in, l, block);
            overlaps = overlaps || ++followed > 1 || std::abs(f.at.coef[a][l]) != 1;
        }
        if (!overlaps) continue;
        double const all = static_cast<double>(std::max<index_t>(f.extent[a], 1));
        factor *= std::max(1.0, steps * static_cast<double>(x[a]) / all);
    }
    return factor;
}

// How often a value of node id is computed on average when the loops, from outermost to innermost
// in this order, advance by block: once more for every step of a loop that the node does not follow
// but that runs outside of one it follows, and again where boxes overlap.
FELT_PLANNING inline double recompute(graph const& g, schedule const& s, space_id sp, node_id id,
                                      loop_id const* order, index_t const* block) {
    loop_space const& in = g[sp];
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        loop_id const l = order[i];
        if (box_moves(g[id], l)) factor *= std::exchange(pending, 1);
        else pending *= steps_of(in, l, block);
    }
    return factor * overlapping(g, s, sp, id, block);
}

// Whether the value of node id, or of the equal one that holds it, is computed before the loops.
inline bool computed_first(schedule const& s, node_id id) {
    return s[id].part > 0 || (s[id].slot && s[s[id].slot].part > 0);
}

// Whether a reshape would go through all of its source for a part of loop l: elements of the part
// are not consecutive.
inline bool scatters(node const& f, loop_id l) {
    bool leading = true;
    for (axis_id a{0}; a < f.rank && f.what == kind::reshape; ++a) {
        if (f.extent[a] <= 1) continue;
        if (f.at.coef[a][l] != 0) return !leading;
        leading = false;
    }
    return false;
}

// Whether something read in the loops of a space stays the same along loop l.
inline bool crosses(graph const& g, schedule const& s, space_id sp, loop_id l) {
    for (node_id id : g.read_in(sp)) {
        if (s[id].by != way::scratch || computed_first(s, id)) continue;
        if (!box_moves(g[id], l) || scatters(g[id], l)) return true;
    }
    return false;
}

// Whether blocks have all of loop l, because a scan along it lies where the results replace it.
inline bool stays_whole(graph const& g, schedule const& s, space_id sp, loop_id l) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (f.whole >= 0 && s[id].reused != nullptr && f.at.coef[f.whole][l] != 0) return true;
    }
    return false;
}

inline bool contains_product(graph const& g, node_id id) {
    for (node_id x : g.subtree(id)) {
        if (g[x].what == kind::contract) return true;
    }
    return false;
}

inline bool has_products(graph const& g, space_id sp) {
    for (node_id id : g.read_in(sp)) {
        if (contains_product(g, id)) return true;
    }
    return false;
}

// The loop that threads share out: the outermost along which nothing is computed in common; -1
// if there is none. Rather many rows than parts of them, unless there are products, which know
// best.
inline loop_id shared_loop(graph const& g, schedule const& s, space_id sp) {
    loop_id found;
    for (int i = 0; i < g[sp].rank; ++i) {
        loop_id const l = s[sp].order[i];
        if (g[sp].extent[l] <= 1 || crosses(g, s, sp, l)) continue;
        bool const enough = found < 0 || g[sp].extent[l] >= shared_rows;
        if (l != s[sp].lane && enough) return l;
        if (found < 0) found = l;
        if (has_products(g, sp)) break;
    }
    return found;
}

// How often the operand of a product is made ready when the loops around advance by block: again
// for every step of a loop that only the other operand follows, unless that loop is inside and
// the operand's box stays, which it does if it is made ready in one piece.
inline double repack_factor(graph const& g, schedule const& s, node_id id, int side,
                            loop_id const* order, index_t const* block) {
    node const& f = g[id];
    node const& x = g[g.operand(id, side)];
    loop_space const &in = g[f.space], &own = g[f.inner];
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        loop_id const l = order[i];
        bool follows = false;
        for (axis_id a : x.axes()) {
            label_id const label(f.label[side][a]);
            follows = follows || (label < f.rank && f.at.coef[label][l] != 0);
        }
        if (follows) factor *= std::exchange(pending, 1);
        else pending *= steps_of(in, l, block);
    }
    index_t terms = 1;
    for (loop_id l{f.rank}; l < own.rank; ++l) terms *= own.extent[l];
    return terms > s[f.product].kc ? factor * pending : factor;
}

// How often a view that is asked for boxes of extents x asks for an element of its source.
inline double overlap(node const& view, node const& source, index_t const* x) {
    double factor = 1;
    if (shifts(view, source.rank)) return factor;
    for (axis_id a : source.axes()) {
        axis_rule const& r = view.rule[a];
        index_t reach = 1;
        double steps = 1;
        for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
            if (out < 0) continue;
            reach += std::abs(c) * (x[out] - 1);
            index_t const boxes = (view.extent[out] + x[out] - 1) / std::max<index_t>(x[out], 1);
            steps *= static_cast<double>(std::max<index_t>(boxes, 1));
        }
        index_t const all = std::max<index_t>(source.extent[a], 1);
        index_t const box = std::min(all, (reach - 1) / r.divide + 1);
        factor *= std::max(1.0, steps * static_cast<double>(box) / static_cast<double>(all));
    }
    return factor;
}

}  // namespace felt::inline FELT_ABI::planning::detail

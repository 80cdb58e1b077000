// SPDX-License-Identifier: BSD-3-Clause
//
// What blocks cost: how often values are computed when loops advance by blocks, in which order, and
// how much work that is.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/need.hpp>
#include <utility>

namespace felt::planning::detail {

inline double steps_of(loop_space const& in, int l, index_t const* block) {
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
    for (int a = 0; a < f.rank; ++a) {
        if (a == f.whole) continue;
        double steps = 1;
        bool overlaps = false;
        for (int l = 0, followed = 0; l < in.rank; ++l) {
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

// How often a value of node id is computed on average when the loops advance by block, outermost
// first: once more for every step of a loop that the node does not follow but that runs outside of
// one it follows, and again where boxes overlap.
FELT_PLANNING inline double recompute(graph const& g, schedule const& s, space_id sp, node_id id,
                                      index_t const* block) {
    loop_space const& in = g[sp];
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        int const l = s[sp].order[i];
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
inline bool scatters(node const& f, int l) {
    bool leading = true;
    for (int a = 0; a < f.rank && f.what == kind::reshape; ++a) {
        if (f.extent[a] <= 1) continue;
        if (f.at.coef[a][l] != 0) return !leading;
        leading = false;
    }
    return false;
}

// Whether something read in the loops of a space stays the same along loop l.
inline bool crosses(graph const& g, schedule const& s, space_id sp, int l) {
    for (node_id id : g.read_in(sp)) {
        if (s[id].by != way::scratch || computed_first(s, id)) continue;
        if (!box_moves(g[id], l) || scatters(g[id], l)) return true;
    }
    return false;
}

// Whether blocks have all of loop l, because a scan along it lies where the results replace it.
inline bool stays_whole(graph const& g, schedule const& s, space_id sp, int l) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (f.whole >= 0 && s[id].home != nullptr && f.at.coef[f.whole][l] != 0) return true;
    }
    return false;
}

// The loop that threads share out: the outermost along which nothing is computed in common; -1
// if there is none.
inline int shared_loop(graph const& g, schedule const& s, space_id sp) {
    for (int i = 0; i < g[sp].rank; ++i) {
        int const l = s[sp].order[i];
        if (g[sp].extent[l] > 1 && !crosses(g, s, sp, l)) return l;
    }
    return -1;
}

inline bool contains_product(graph const& g, node_id id) {
    for (node_id x : g.subtree(id)) {
        if (g[x].what == kind::contract) return true;
    }
    return false;
}

inline bool contains_kept_product(graph const& g, schedule const& s, node_id id) {
    for (node_id x : g.subtree(id)) {
        if (g[x].what == kind::contract && s[x].home != nullptr) return true;
    }
    return false;
}

// The axis of node id that the lanes of its operand's loops, those of space sp, follow; -1 if none
// does.
inline int axis_along_lanes(graph const& g, schedule const& s, node_id id, space_id sp) {
    node const& f = g[id];
    int const lane = s[sp].lane;
    if (lane < 0) return -1;
    switch (f.what) {
        case kind::reduce:
        case kind::once:
        case kind::scan:
            return axis_of_loop(f, lane);
        case kind::concat:
            return lane;
        case kind::gather:
        case kind::scatter:
            return sp == f.inner && lane != f.axis ? lane : -1;
        case kind::general: {
            axis_rule const& r = f.rule[lane];
            if (r.out2 >= 0 && r.dilation == 1) return r.out2;
            return r.out1 >= 0 && r.stride == 1 ? r.out1 : -1;
        }
        default:
            return -1;
    }
}

// What it takes to begin rows that a box of extents x cuts: those of its reader are cut anyway.
inline double work_of_rows(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    double all = 0;
    if (lies_as_operand(f)) return all;
    for (node_id c : g.operands(id)) {
        int const a = axis_along_lanes(g, s, id, g[c].space);
        if (a < 0 || x[a] >= f.extent[a]) continue;
        all += row_start * elements(g[c]) / static_cast<double>(std::max<index_t>(x[a], 1));
    }
    return all;
}

// Products of few rows or columns keep the arithmetic units waiting for their operands. In the
// destination, rows go together that follow each other there.
inline double thin(graph const& g, schedule const& s, node_id id, index_t const* block) {
    node const& f = g[id];
    if (!contains_product(g, id)) return 1;
    index_t x[max_axes] = {};
    image_extents(g, s, id, block, x);
    unsigned const along = column_axes(g, s, id);
    double size[2] = {1, 1};  // rows and columns; those that are summed over are not cut
    bool has[2] = {false, false};
    bool together = true;
    for (int a = f.rank - 1; a >= 0; --a) {
        unsigned const side = along >> a & 1U;
        has[side] = true;
        if (side == 0 && !together) continue;
        size[side] *= static_cast<double>(std::max<index_t>(x[a], 1));
        bool const cut = side == 0 && x[a] < f.extent[a];
        together = together && !(cut && contains_kept_product(g, s, id));
    }
    return 1 + (has[0] ? idle_rows / size[0] : 0) + (has[1] ? idle_columns / size[1] : 0);
}

// In a scan along its lanes one element waits for the other, unless there are other rows to go on
// with, up to as many as a batch has lanes.
inline double waits(graph const& g, schedule const& s, node_id id, index_t const* x) {
    node const& f = g[id];
    if (f.what != kind::scan || s[f.inner].lane != f.whole) return 1;
    index_t rows = 1;
    for (int a = 0; a < f.rank; ++a) rows *= a == f.whole ? 1 : x[a];
    return std::max(1.0, by_element / static_cast<double>(std::max<index_t>(rows, 1)));
}

// Operations to compute the whole of every node once, with what is below it.
FELT_PLANNING inline void count_work(graph& g) {
    for (node_id id = g.nodes.end_id() - 1; id; --id) {
        node& f = g[id];
        f.work = elements(f) * std::max(f.cost, 1);
        if (f.what == kind::contract) {
            loop_space const& in = g[f.inner];
            for (int l = f.rank; l < in.rank; ++l) f.work *= static_cast<double>(in.extent[l]);
            f.work /= static_cast<double>(blocks_of(g, id));
        }
        for (node_id c : g.operands(id)) f.work += g[c].work;
    }
}

// How often the operand of a product is made ready when the loops around advance by block: again
// for every step of a loop that only the other operand follows, unless that loop is inside and
// the operand's box stays, which it does if it is made ready in one piece.
inline double remade(graph const& g, schedule const& s, node_id id, int side,
                     index_t const* block) {
    node const& f = g[id];
    node const& x = g[g.operand(id, side)];
    loop_space const &in = g[f.space], &own = g[f.inner];
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        int const l = s[f.space].order[i];
        bool follows = false;
        for (int a = 0; a < x.rank; ++a) {
            int const label = f.label[side][a];
            follows = follows || (label < f.rank && f.at.coef[label][l] != 0);
        }
        if (follows) factor *= std::exchange(pending, 1);
        else pending *= steps_of(in, l, block);
    }
    index_t terms = 1;
    for (int l = f.rank; l < own.rank; ++l) terms *= own.extent[l];
    return terms > s[id].chunk[2] ? factor * pending : factor;
}

// How often a view that is asked for boxes of extents x asks for an element of its source.
inline double overlap(node const& view, node const& source, index_t const* x) {
    double factor = 1;
    if (shifts(view, source.rank)) return factor;
    for (int a = 0; a < source.rank; ++a) {
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

// Work of all nodes read in the loops of a space, counting what is computed twice.
FELT_PLANNING inline double space_work(graph const& g, schedule& s, space_id sp,
                                       index_t const* block) {
    double n = 0;
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (s[id].by != way::scratch) continue;
        double const times = s[id].recompute = recompute(g, s, sp, id, block);
        index_t box[max_axes] = {};
        image_extents(g, s, id, block, box);
        double const slower = thin(g, s, id, block) * waits(g, s, id, box);
        n += times * (f.work * slower + work_of_rows(g, s, id, box));
        if (f.what == kind::general) {
            node const& source = g[id + 1];
            n += times * (overlap(f, source, box) - 1) * source.work;
        }
        for (int side = 0; f.what == kind::contract && side < 2; ++side) {
            space_id const inner = f.inner + side;
            double const remakes = remade(g, s, id, side, block);
            loop_space const& in = g[inner];
            for (int l = f.rank; l < in.rank; ++l) box[l] = in.extent[l];  // all shared terms
            for (node_id x : g.read_in(inner)) {
                if (s[x].by != way::scratch) continue;
                double const again = remakes * overlapping(g, s, inner, x, box);
                s[x].recompute = again * times;
                n += (again - 1) * times * g[x].work;
            }
        }
    }
    return n;
}

// Work that is done again because an equal node holds only a part of what is asked for, once the
// loops of a space are cut into blocks.
FELT_PLANNING inline double work_of_twins(graph const& g, schedule const& s, space_id sp,
                                          index_t const* block) {
    double again = 0;
    node_id done;  // what is below a node is counted with it
    for (twin_axis const& t : s.twin_axes) {
        placement const& f = s[t.id];
        if (t.space != sp || t.id < done || f.by != way::scratch || f.strip_axis >= 0) continue;
        if (s[f.slot].by == way::hoisted) continue;
        bool is_cut = false;
        for (int l = 0; l < g[sp].rank; ++l) {
            is_cut = is_cut || ((t.loops >> l & 1U) != 0 && steps_of(g[sp], l, block) > 1);
        }
        if (!is_cut || move_together(g, s, t.id, f.slot, t.axis, false)) continue;
        again += g[t.id].work;
        done = g[t.id].end;
    }
    return again;
}

}  // namespace felt::planning::detail

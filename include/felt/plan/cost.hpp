// SPDX-License-Identifier: BSD-3-Clause
//
// What blocks cost: how often values are computed when loops advance by blocks, in which order, and
// how much work that is.
#pragma once
#include <felt/plan/need.hpp>
#include <utility>

namespace felt::planning::detail {

inline double steps_of(loop_space const& in, int l, index_t const* block) {
    index_t const b = std::max<index_t>(block[l], 1);
    return static_cast<double>(std::max<index_t>((in.extent[l] + b - 1) / b, 1));
}

// How often a value of f is computed because the boxes of neighbouring steps overlap.
FELT_PLANNING inline double overlapping(loop_space const& in, node_facts const& f,
                                        index_t const* block) {
    double factor = 1;
    index_t x[max_axes] = {};
    image_extents(f, block, x);
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

// How often a value of f is computed on average when the loops advance by block, outermost
// first: once more for every step of a loop that f does not follow but that runs outside of one
// it follows, and again where boxes overlap.
FELT_PLANNING inline double recompute(loop_space const& in, node_facts const& f,
                                      index_t const* block) {
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        int const l = in.order[i];
        if (box_moves(f, l)) factor *= std::exchange(pending, 1);
        else pending *= steps_of(in, l, block);
    }
    return factor * overlapping(in, f, block);
}

// Whether the value of f, or of the equal node that holds it, is computed before the loops.
inline bool computed_first(loops const& p, node_facts const& f) {
    return f.part > 0 || (f.slot >= 0 && p.at(f.slot).part > 0);
}

// Whether a reshape would go through all of its source for a part of loop l: elements of the part
// are not consecutive.
inline bool scatters(node_facts const& f, int l) {
    bool leading = true;
    for (int a = 0; a < f.rank && f.what == kind::reshape; ++a) {
        if (f.extent[a] <= 1) continue;
        if (f.at.coef[a][l] != 0) return !leading;
        leading = false;
    }
    return false;
}

// Whether something read in the loops s stays the same along loop l.
inline bool crosses(loops const& p, int s, int l) {
    for (int id : p.read_in(s)) {
        node_facts const& f = p.at(id);
        if (f.by != way::scratch || computed_first(p, f)) continue;
        if (!box_moves(f, l) || scatters(f, l)) return true;
    }
    return false;
}

// Whether blocks have all of loop l, because a scan along it lies where the results replace it.
inline bool stays_whole(loops const& p, int s, int l) {
    for (int id : p.read_in(s)) {
        node_facts const& f = p.at(id);
        if (f.whole >= 0 && f.home != nullptr && f.at.coef[f.whole][l] != 0) return true;
    }
    return false;
}

// The loop that threads share out: the outermost along which nothing is computed in common; -1
// if there is none.
inline int shared_loop(loops const& p, int s) {
    loop_space const& in = p.loop(s);
    for (int i = 0; i < in.rank; ++i) {
        if (in.extent[in.order[i]] > 1 && !crosses(p, s, in.order[i])) return in.order[i];
    }
    return -1;
}

inline bool contains_product(loops const& p, int id) {
    for (int x = id; x < p.at(id).end; ++x) {
        if (p.at(x).what == kind::contract) return true;
    }
    return false;
}

inline bool contains_kept_product(loops const& p, int id) {
    for (int x = id; x < p.at(id).end; ++x) {
        if (p.at(x).what == kind::contract && p.at(x).home != nullptr) return true;
    }
    return false;
}

// The axis of node f that the lanes of its operand's loops, those of space s, follow; -1 if none
// does.
inline int axis_along_lanes(loops const& p, node_facts const& f, int s) {
    int const lane = p.loop(s).lane;
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
            return s == f.inner && lane != f.axis ? lane : -1;
        case kind::general: {
            axis_rule const& r = f.rule[lane];
            if (r.out2 >= 0 && r.dilation == 1) return r.out2;
            return r.out1 >= 0 && r.stride == 1 ? r.out1 : -1;
        }
        default:
            return -1;
    }
}

// What it takes to begin a row, in operations on an element.
inline constexpr double row_start = 400;

// What it takes to begin rows that a box of extents x cuts: those of its reader are cut anyway.
inline double work_of_rows(loops const& p, int id, index_t const* x) {
    node_facts const& f = p.at(id);
    double all = 0;
    if (lies_as_operand(f)) return all;
    for (int c = id + 1, s = f.inner; c < f.end; c = p.at(c).end, ++s) {
        int const a = axis_along_lanes(p, f, s);
        if (a < 0 || x[a] >= f.extent[a]) continue;
        all += row_start * elements(p.at(c)) / static_cast<double>(std::max<index_t>(x[a], 1));
    }
    return all;
}

// Products of few rows or columns keep the arithmetic units waiting for their operands. In the
// destination, rows go together that follow each other there.
inline double thin(loops const& p, int id, index_t const* block) {
    node_facts const& f = p.at(id);
    if (!contains_product(p, id)) return 1;
    index_t x[max_axes] = {};
    image_extents(f, block, x);
    unsigned const along = column_axes(p, id);
    double size[2] = {1, 1};  // rows and columns; those that are summed over are not cut
    bool has[2] = {false, false};
    bool together = true;
    for (int a = f.rank - 1; a >= 0; --a) {
        unsigned const side = along >> a & 1U;
        has[side] = true;
        if (side == 0 && !together) continue;
        size[side] *= static_cast<double>(std::max<index_t>(x[a], 1));
        bool const cut = side == 0 && x[a] < f.extent[a];
        together = together && !(cut && contains_kept_product(p, id));
    }
    return 1 + (has[0] ? 8 / size[0] : 0) + (has[1] ? 16 / size[1] : 0);
}

// In a scan along its lanes one element waits for the other, unless there are other rows to go on
// with, up to as many as a batch has lanes.
inline double waits(loops const& p, node_facts const& f, index_t const* x) {
    if (f.what != kind::scan || p.loop(f.inner).lane != f.whole) return 1;
    index_t rows = 1;
    for (int a = 0; a < f.rank; ++a) rows *= a == f.whole ? 1 : x[a];
    return std::max(1.0, 16 / static_cast<double>(std::max<index_t>(rows, 1)));
}

// Operations to compute the whole of every node once, with what is below it.
FELT_PLANNING inline void count_work(loops& p) {
    for (int id = static_cast<int>(p.node.size()) - 1; id >= 0; --id) {
        node_facts& f = p.at(id);
        f.work = elements(f) * std::max(f.cost, 1);
        if (f.what == kind::contract) {
            loop_space const& in = p.loop(f.inner);
            for (int l = f.rank; l < in.rank; ++l) f.work *= static_cast<double>(in.extent[l]);
            f.work /= static_cast<double>(blocks_of(p, id));
        }
        for (int c = id + 1; c < f.end; c = p.at(c).end) f.work += p.at(c).work;
    }
}

// How often the operand of a product is made ready when the loops in advance by block: again
// for every step of a loop that only the other operand follows, unless that loop is inside and
// the operand's box stays, which it does if it is made ready in one piece.
inline double remade(loops const& p, int id, int side, index_t const* block) {
    node_facts const& f = p.at(id);
    loop_space const& in = p.loop(f.space);
    int operand = id + 1;
    if (side == 1) operand = p.at(operand).end;
    node_facts const& x = p.at(operand);
    double factor = 1, pending = 1;
    for (int i = 0; i < in.rank; ++i) {
        int const l = in.order[i];
        bool follows = false;
        for (int a = 0; a < x.rank; ++a) {
            int const label = f.label[side][a];
            follows = follows || (label < f.rank && f.at.coef[label][l] != 0);
        }
        if (follows) factor *= std::exchange(pending, 1);
        else pending *= steps_of(in, l, block);
    }
    index_t terms = 1;
    for (int l = f.rank; l < p.loop(f.inner).rank; ++l) terms *= p.loop(f.inner).extent[l];
    return terms > f.chunk[2] ? factor * pending : factor;
}

// How often a view that is asked for boxes of extents x asks for an element of its source.
inline double overlap(node_facts const& view, node_facts const& source, index_t const* x) {
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

// Work of all nodes read in the loops s, counting what is computed twice.
FELT_PLANNING inline double space_work(loops& p, int s, index_t const* block) {
    double n = 0;
    for (int id : p.read_in(s)) {
        node_facts& f = p.at(id);
        if (f.by != way::scratch) continue;
        f.recompute = recompute(p.loop(s), f, block);
        index_t box[max_axes] = {};
        image_extents(f, block, box);
        double const slower = thin(p, id, block) * waits(p, f, box);
        n += f.recompute * (f.work * slower + work_of_rows(p, id, box));
        if (f.what == kind::general) {
            node_facts const& source = p.at(id + 1);
            n += f.recompute * (overlap(f, source, box) - 1) * source.work;
        }
        for (int side = 0; f.what == kind::contract && side < 2; ++side) {
            double const remakes = remade(p, id, side, block);
            loop_space const& in = p.loop(f.inner + side);
            index_t asked[max_axes] = {};  // a box of the product, and all shared terms
            image_extents(f, block, asked);
            for (int l = f.rank; l < in.rank; ++l) asked[l] = in.extent[l];
            for (int x : p.read_in(f.inner + side)) {
                node_facts& inner = p.at(x);
                if (inner.by != way::scratch) continue;
                double const again = remakes * overlapping(in, inner, asked);
                inner.recompute = again * f.recompute;
                n += (again - 1) * f.recompute * inner.work;
            }
        }
    }
    return n;
}

// Work that is done again because an equal node holds only a part of what is asked for, once the
// loops s are cut into blocks.
FELT_PLANNING inline double work_of_twins(loops const& p, int s, index_t const* block) {
    double again = 0;
    int done = -1;  // what is below a node is counted with it
    for (twin_axis const& t : p.twin_axes) {
        node_facts const& f = p.at(t.id);
        if (t.space != s || t.id < done || f.by != way::scratch || f.strip_axis >= 0) continue;
        if (p.at(f.slot).by == way::hoisted) continue;
        bool is_cut = false;
        for (int l = 0; l < p.loop(s).rank; ++l) {
            is_cut = is_cut || ((t.loops >> l & 1U) != 0 && steps_of(p.loop(s), l, block) > 1);
        }
        if (!is_cut || move_together(p, f, p.at(f.slot), t.axis, false)) continue;
        again += f.work;
        done = f.end;
    }
    return again;
}

}  // namespace felt::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Into which boxes the loops are cut, so that everything a box needs fits in scratch and as
// little as possible is computed twice. Starts from the whole and halves one axis at a time.
#pragma once
#include <felt/plan/need.hpp>
#include <utility>

namespace felt::planning {

namespace detail {

inline double steps_of(loop_space const& in, int l, index_t const* block) {
    index_t const b = std::max<index_t>(block[l], 1);
    return static_cast<double>(std::max<index_t>((in.extent[l] + b - 1) / b, 1));
}

// How often a value of f is computed because the boxes of neighbouring steps overlap.
FELT_PLANNING inline double overlapping(loop_space const& in, node_facts const& f,
                                        index_t const* block) {
    double factor = 1;
    index_t x[max_axes];
    image_extents(f, block, x);
    for (int a = 0; a < f.rank; ++a) {
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
        if (f.at.follows(l)) factor *= std::exchange(pending, 1);
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
    for (node_facts const& f : p.node) {
        if (f.space != s || f.by != way::scratch || computed_first(p, f)) continue;
        if (!f.at.follows(l) || scatters(f, l)) return true;
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

// Products of few rows or columns keep the arithmetic units waiting for their operands.
inline double thin(loops const& p, int id, index_t const* block) {
    node_facts const& f = p.at(id);
    if (!contains_product(p, id)) return 1;
    index_t x[max_axes];
    image_extents(f, block, x);
    unsigned const along = column_axes(p, id);
    double size[2] = {1, 1};  // rows and columns; those that are summed over are not cut
    bool has[2] = {false, false};
    for (int a = 0; a < f.rank; ++a) {
        unsigned const side = along >> a & 1U;
        size[side] *= static_cast<double>(std::max<index_t>(x[a], 1));
        has[side] = true;
    }
    return 1 + (has[0] ? 8 / size[0] : 0) + (has[1] ? 16 / size[1] : 0);
}

// Operations to compute the whole of every node once, with what is below it.
FELT_PLANNING inline void count_work(loops& p) {
    for (int id = static_cast<int>(p.node.size()) - 1; id >= 0; --id) {
        node_facts& f = p.at(id);
        f.work = elements(f) * std::max(f.cost, 1);
        if (f.what == kind::contract) {
            loop_space const& in = p.loop(f.inner);
            for (int l = f.rank; l < in.rank; ++l) f.work *= static_cast<double>(in.extent[l]);
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
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        node_facts& f = p.at(id);
        if (f.space != s || f.by != way::scratch) continue;
        f.recompute = recompute(p.loop(s), f, block);
        n += f.recompute * f.work * thin(p, id, block);
        if (f.what == kind::general) {
            index_t x[max_axes];
            image_extents(f, block, x);
            node_facts const& source = p.at(id + 1);
            n += f.recompute * (overlap(f, source, x) - 1) * source.work;
        }
        for (int side = 0; f.what == kind::contract && side < 2; ++side) {
            double const remakes = remade(p, id, side, block);
            loop_space const& in = p.loop(f.inner + side);
            index_t asked[max_axes];  // a box of the product, and all shared terms
            image_extents(f, block, asked);
            for (int l = f.rank; l < in.rank; ++l) asked[l] = in.extent[l];
            for (int x = id + 1; x < f.end; ++x) {
                node_facts& inner = p.at(x);
                if (inner.space != f.inner + side || inner.by != way::scratch) continue;
                double const again = remakes * overlapping(in, inner, asked);
                inner.recompute = again * f.recompute;
                n += (again - 1) * f.recompute * inner.work;
            }
        }
    }
    return n;
}

// Loops that dear nodes follow go outside: each loop is tried as the outermost.
FELT_PLANNING inline double best_order(loops& p, int s, index_t const* block) {
    loop_space& in = p.loop(s);
    int best[max_axes];
    double least = -1;
    for (int first = 0; first < std::max(in.rank, 1); ++first) {
        int n = 0;
        if (in.rank > 0) in.order[n++] = first;
        for (int l = 0; l < in.rank; ++l) {
            if (l != first) in.order[n++] = l;
        }
        // Among equals a loop that is cut stands outside of those that are whole.
        bool const cut = in.rank == 0 || steps_of(in, first, block) > 1;
        double const w = (1 + space_work(p, s, block)) * (cut ? 1 : 1.0001);
        if (least < 0 || w < least * 0.99999) {
            least = w;
            std::copy(in.order, in.order + in.rank, best);
        }
    }
    std::copy(best, best + in.rank, in.order);
    return space_work(p, s, block);
}

// The block after loop l was halved; lanes are cut in steps of 64, to no less than `floor`.
inline index_t halved(index_t n, bool lanes, index_t floor) {
    if (!lanes) return n <= 1 ? n : (n + 1) / 2;
    return n <= floor ? n : std::max(floor, round_up(n / 2, 64));
}

// Whether axis a of node f advances with a loop of s that is cut.
inline bool is_cut_along(loops const& p, node_facts const& f, int a, int s, index_t const* block) {
    axis_by_loops x = axis_of(f, a);
    while (x.space != s) {
        if (!lift(p, x)) return false;
    }
    for (int l = 0; l < p.loop(s).rank; ++l) {
        if (x.coef[l] != 0 && steps_of(p.loop(s), l, block) > 1) return true;
    }
    return false;
}

// Work that is done again because an equal node holds only a part of what is asked for, once the
// loops s are cut into blocks.
FELT_PLANNING inline double work_of_twins(loops const& p, int s, index_t const* block) {
    double again = 0;
    for (int id = 0, next; id < static_cast<int>(p.node.size()); id = next) {
        node_facts const& f = p.at(id);
        next = id + 1;
        if (f.slot < 0 || f.slot == id || f.by != way::scratch || f.strip_axis >= 0) continue;
        node_facts const& first = p.at(f.slot);
        if (first.by == way::hoisted) continue;
        for (int a = 0; a < f.rank && next == id + 1; ++a) {
            if (!is_cut_along(p, first, a, s, block) || move_together(p, f, first, a)) continue;
            again += f.work;
            next = f.end;  // what is below it is counted with it
        }
    }
    return again;
}

// The loop to cut next: the one that costs least; -1 if all are as short as they may be. Among
// equals the longer loop is cut; lanes count as half as long; loops that something was reduced
// along stay whole, so that a row is read once.
inline int loop_to_cut(loops& p, int s, index_t* block, index_t floor, double& least) {
    int best = -1;
    for (int l = 0; l < p.loop(s).rank; ++l) {
        bool const lanes = l == p.loop(s).lane;
        index_t const before = block[l];
        block[l] = halved(before, lanes, floor);
        if (block[l] < before) {
            double const length = static_cast<double>(lanes ? before / 2 : before);
            double const w = (1 + best_order(p, s, block) + work_of_twins(p, s, block)) *
                             (1 + 1e-3 / length + (crosses(p, s, l) ? 1e-2 : 0));
            if (best < 0 || w < least) {
                best = l;
                least = w;
            }
        }
        block[l] = before;
    }
    return best;
}

inline bool has_products(loops const& p, int s) {
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        if (p.at(id).space == s && contains_product(p, id)) return true;
    }
    return false;
}

// Where lanes may stay long, shorter pieces of rows cost more than the caches give, unless all rows
// then find room there.
inline index_t least_piece(need const& n, loop_space const& in, index_t const* block) {
    constexpr index_t piece = 512;
    if (in.lane < 0 || n.home <= scratch_limit) return piece;
    bool const room = n.home / std::max<index_t>(block[in.lane] / piece, 1) <= scratch_limit;
    return room ? piece : block[in.lane];
}

// Blocks of the loops s over `extent` such that what they need fits the budget. Where there are
// no products, which want large blocks, they shrink on until they fit the first-level cache, as
// long as that costs nothing.
FELT_PLANNING inline void choose_block(loops& p, int s, index_t const* extent, index_t budget) {
    index_t block[max_axes];
    std::copy(extent, extent + p.loop(s).rank, block);
    index_t const wish = has_products(p, s) ? budget : std::min(budget, staging_limit / 2);
    for (;;) {
        need const n = space_need(p, s, block);
        bool const spread = n.home > scratch_limit;  // it will be read from memory again and again
        if (fits(n, wish) && !spread) break;
        bool const may_stop = fits(n, budget);
        double const now = 1 + best_order(p, s, block) + work_of_twins(p, s, block);
        double least = 0;
        index_t const floor = may_stop ? least_piece(n, p.loop(s), block) : 64;
        int const l = loop_to_cut(p, s, block, floor, least);
        if (l < 0 || (may_stop && least > now * (spread ? 1.02 : 1.005))) break;
        block[l] = halved(block[l], l == p.loop(s).lane, floor);
    }
    best_order(p, s, block);
    std::copy(block, block + p.loop(s).rank, p.loop(s).block);
}

}  // namespace detail
}  // namespace felt::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// Which statements of a group share a pass. A pass advances along one axis, strip by strip; in
// each strip its statements run in order, so that a later one reads what an earlier one has
// just written, while it is in cache. A statement takes part in one of two ways:
//
//   its destination has the axis           each strip writes its part
//   its reductions or products sum over it  each strip adds its part, the end stores the result
//
// A statement may join if everything it reads of the others' destinations lies in the strip.
#pragma once
#include <felt/plan/place.hpp>

namespace felt::planning {

namespace detail {

// How statement k would follow the strip: by loop `loop` of its destination, or by summing.
struct role {
    bool accumulates = false;
    int loop = -1;
};

// Marks the nodes nearest to the root that sum over an axis of extent n, the first if there are
// several, as roles of a destination come in that order.
FELT_PLANNING_SELDOM inline void set_sums(plan& p, int id, index_t n, bool& some) {
    node_facts& f = p.at(id);
    f.strip = -1;
    if (f.what == kind::reduce || f.what == kind::contract) {
        loop_space const& in = p.loop(f.inner);
        for (int l = 0; l < in.rank; ++l) {
            if (f.strip < 0 && sums_over(f, l) && in.extent[l] == n) f.strip = l;
        }
        some = some || f.strip >= 0;
        return;
    }
    if (f.by != way::streamed) return;
    for (int x = id + 1; x < f.end; x = p.at(x).end) set_sums(p, x, n, some);
}

// For every loop space below a statement: the loops that move with the strip, as bits.
FELT_PLANNING_SELDOM inline void link(plan const& p, int id, std::vector<unsigned>& linked) {
    node_facts const& f = p.at(id);
    unsigned const outer = linked[static_cast<std::size_t>(f.space)];
    int spaces = 0;
    for (int x = id + 1; x < f.end; x = p.at(x).end) {
        if (f.inner >= 0) {
            unsigned bits = f.strip >= 0 ? 1U << f.strip : 0U;
            for (int l = 0; l < p.loop(f.inner).rank; ++l) {
                bool const view =
                    f.what == kind::general && f.rule[l].offset == 0 && f.rule[l].divide == 1;
                int const a = view ? followed_axis(f, l) : axis_of_loop(f, l);
                if (a < 0) continue;
                for (int o = 0; o < f.at.loops; ++o) {
                    if (f.at.coef[a][o] == 1 && (outer >> o & 1U) != 0) bits |= 1U << l;
                }
            }
            linked[static_cast<std::size_t>(f.inner + spaces++)] = bits;
        }
        link(p, x, linked);
    }
}

// Whether a leaf reads memory `of` only inside the strip, whose stride there is `step`: its other
// loops are other axes, or together stay within one index of the strip.
inline bool reads_inside(plan const& p, node_facts const& leaf, std::vector<unsigned> const& linked,
                         statement_facts const& of, index_t step) {
    bool const alike = leaf.value_bytes == of.value_bytes;  // no part of complex numbers
    if (leaf.data != of.data || leaf.offset != 0 || !alike) return false;
    index_t moving = 0, reach = 0;
    bool other_axes = leaf.rank == of.rank, backwards = false;
    unsigned const bits = linked[static_cast<std::size_t>(leaf.space)];
    for (int l = 0; l < p.loop(leaf.space).rank; ++l) {
        index_t const n = p.loop(leaf.space).extent[l], by = leaf.by_loop[l];
        if (by == 0 || n <= 1) continue;
        if ((bits >> l & 1U) != 0) {
            moving += by;
            continue;
        }
        bool other_axis = false;
        for (int a = 0; a < of.rank; ++a) {
            other_axis = other_axis || (of.stride[a] == by && of.stride[a] != step);
        }
        other_axes = other_axes && other_axis;
        backwards = backwards || by < 0;
        reach += by * (n - 1);
    }
    return moving == step && (other_axes || (!backwards && reach < step));
}

// The loops of every space of statement `to` that move with the strip.
inline std::vector<unsigned> linked_below(plan const& p, statement_facts const& to) {
    std::vector<unsigned> linked(p.space.size(), 0U);
    if (to.strip >= 0) linked[static_cast<std::size_t>(to.space)] = 1U << to.strip;
    link(p, to.root, linked);
    return linked;
}

// The axis of node f that moves with the strip and with nothing else; -1 if none does so.
inline int strip_axis(node_facts const& f, std::vector<unsigned> const& linked) {
    unsigned const bits = linked[static_cast<std::size_t>(f.space)];
    int axis = -1;
    for (int l = 0; l < f.at.loops; ++l) {
        for (int a = 0; a < f.rank && (bits >> l & 1U) != 0; ++a) {
            if (f.at.coef[a][l] == 0) continue;
            bool alone = axis < 0 && f.at.coef[a][l] == 1 && f.at.offset[a] == 0;
            for (int o = 0; o < f.at.loops; ++o) alone = alone && (o == l || f.at.coef[a][o] == 0);
            if (!alone) return -1;
            axis = a;
        }
    }
    return axis;
}

// Of the equal nodes `first` and others up to `end`: whether all of them move with the strip along
// one axis, and a sum reads one.
inline bool share_strips(plan const& p, int first, int end) {
    bool summed = false, read = false;
    for (int id = first; id < end; ++id) {
        node_facts const& f = p.at(id);
        if (!f.optional || f.slot != first) continue;
        if (f.strip_axis < 0 || f.strip_axis != p.at(first).strip_axis) return false;
        summed = summed || p.statement[static_cast<std::size_t>(statement_of(p, id))].accumulates;
        read = read || id != first;
    }
    return summed && read;
}

// What equal nodes share that sums of different statements read (share.hpp) is computed for a
// whole strip of the pass, `width` wide: their own blocks differ.
FELT_PLANNING_SELDOM inline void hold_strips(plan& p, pass_facts const& pass, index_t width) {
    int const begin = p.statement[static_cast<std::size_t>(pass.first)].root;
    int const end = p.at(p.statement[static_cast<std::size_t>(pass.last - 1)].root).end;
    bool const some = std::any_of(p.node.begin() + begin, p.node.begin() + end,
                                  [](node_facts const& f) { return f.optional; });
    for (int k = pass.first; k < pass.last && some; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        auto const linked = linked_below(p, to);
        for (int id = to.root; id < p.at(to.root).end; ++id) {
            node_facts& f = p.at(id);
            f.strip_axis = f.optional && f.home == nullptr ? strip_axis(f, linked) : -1;
            f.strip_extent = width;
        }
    }
    for (int first = begin; first < end && some; ++first) {
        bool const owner = p.at(first).optional && p.at(first).slot == first;
        if (!owner || share_strips(p, first, end)) continue;
        for (int id = first; id < end; ++id) {
            if (p.at(id).optional && p.at(id).slot == first) p.at(id).strip_axis = -1;
        }
    }
}

// Why statement b, in its role, may not run strip by strip after a; empty if it may.
FELT_PLANNING_SELDOM inline std::string conflict(plan const& p, statement_facts const& a,
                                                 statement_facts const& b) {
    if (overlap(range_of(a), range_of(b))) return "it writes what an earlier statement writes";
    for (auto const& [reader, writer] : {std::pair{&b, &a}, std::pair{&a, &b}}) {
        auto const linked = linked_below(p, *reader);
        for (int id = reader->root; id < p.at(reader->root).end; ++id) {
            node_facts const& f = p.at(id);
            if (f.what != kind::leaf) continue;
            if (!overlap(range_of(f), range_of(*writer))) continue;
            bool const later = writer == &b;
            if (writer->accumulates) {
                return later ? "it writes what an earlier statement still reads"
                             : "it reads a sum that is complete only after the last strip";
            }
            if (!reads_inside(p, f, linked, *writer, writer->stride[writer->strip])) {
                return later ? "it writes what an earlier statement reads in other strips"
                             : "it reads other strips of what an earlier statement writes";
            }
        }
    }
    return {};
}

// Give statement k the role; false if it can't have it.
inline bool take_role(plan& p, statement_facts& k, role const& r, index_t n) {
    k.accumulates = r.accumulates;
    k.strip = r.loop;
    for (int id = k.root; id < p.at(k.root).end; ++id) {
        node_facts& f = p.at(id);
        f.strip = f.strip_axis = -1;
        f.home = nullptr;
    }
    if (!r.accumulates) return true;
    bool some = false;
    set_sums(p, k.root, n, some);
    return some;
}

inline std::vector<role> roles_for(plan const& p, statement_facts const& k, index_t n) {
    std::vector<role> list;
    for (int l = 0; l < k.rank; ++l) {
        if (p.loop(k.space).extent[l] == n) list.push_back({false, l});
    }
    list.push_back({true, -1});
    return list;
}

// Statements from `first` on that can share a pass over an axis of extent n, in the role given.
FELT_PLANNING_SELDOM inline pass_facts grow(plan& p, int first, role const& r, index_t n) {
    pass_facts pass{first, first + 1, n, 0, {}};
    auto at = [&](int k) -> statement_facts& { return p.statement[static_cast<std::size_t>(k)]; };
    if (at(first).temporary || !take_role(p, at(first), r, n)) return pass;
    for (int k = first + 1; k < static_cast<int>(p.statement.size()); ++k) {
        std::string why = at(k).temporary ? "it " + std::string(at(k).why)
                                          : "it has no axis of extent " + std::to_string(n);
        bool joined = false;
        for (role const& option : roles_for(p, at(k), n)) {
            if (at(k).temporary || !take_role(p, at(k), option, n)) continue;
            why.clear();
            for (int j = first; j < k && why.empty(); ++j) why = conflict(p, at(j), at(k));
            if ((joined = why.empty())) break;
        }
        if (!joined) {
            pass.why = why;
            break;
        }
        pass.last = k + 1;
    }
    return pass;
}

}  // namespace detail
}  // namespace felt::planning

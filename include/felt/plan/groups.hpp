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
#include <felt/plan/plan.hpp>

namespace felt::planning {

namespace detail {

// How statement k would follow the strip: by loop `loop` of its destination, or by summing.
struct role {
    bool accumulates = false;
    int loop = -1;
};

// Marks the nodes nearest to the root that sum over an axis of extent n.
FELT_PLANNING inline void set_sums(plan& p, int id, index_t n, bool& some) {
    node_facts& f = p.at(id);
    f.strip = -1;
    if (f.what == kind::reduce || f.what == kind::contract) {
        loop_space const& in = p.loop(f.inner);
        for (int l = 0; l < in.rank; ++l) {
            bool const summed = f.what == kind::contract ? l >= f.rank : (f.mask >> l & 1U) != 0;
            if (summed && in.extent[l] == n) f.strip = l;
        }
        // The first position of a maximum can't grow strip by strip.
        if (f.what == kind::reduce && f.scalar_only) f.strip = -1;
        some = some || f.strip >= 0;
        return;
    }
    if (f.by != way::streamed) return;
    for (int x = id + 1; x < f.end; x = p.at(x).end) set_sums(p, x, n, some);
}

// For every loop space below a statement: the loops that move with the strip, as bits.
FELT_PLANNING inline void link(plan const& p, int id, std::vector<unsigned>& linked) {
    node_facts const& f = p.at(id);
    unsigned const outer = linked[static_cast<std::size_t>(f.space)];
    int spaces = 0;
    for (int x = id + 1; x < f.end; x = p.at(x).end) {
        if (f.inner >= 0) {
            unsigned bits = f.strip >= 0 ? 1U << f.strip : 0U;
            for (int l = 0, a = 0; l < p.loop(f.inner).rank; ++l) {
                bool const kept = f.what == kind::contract ? l < f.rank
                                  : f.what == kind::reduce ? (f.mask >> l & 1U) == 0
                                                           : f.what == kind::once;
                if (!kept) continue;
                for (int o = 0; o < f.at.loops; ++o) {
                    if (f.at.coef[a][o] == 1 && (outer >> o & 1U) != 0) bits |= 1U << l;
                }
                ++a;
            }
            linked[static_cast<std::size_t>(f.inner + spaces++)] = bits;
        }
        link(p, x, linked);
    }
}

// Whether a leaf reads memory `of` only inside the strip, whose stride there is `step`.
inline bool reads_inside(plan const& p, node_facts const& leaf, std::vector<unsigned> const& linked,
                         statement_facts const& of, index_t step) {
    if (leaf.data != of.data || leaf.rank != of.rank || leaf.offset != 0) return false;
    index_t moving = 0;
    unsigned const bits = linked[static_cast<std::size_t>(leaf.space)];
    for (int l = 0; l < p.loop(leaf.space).rank; ++l) {
        if (leaf.by_loop[l] == 0 || p.loop(leaf.space).extent[l] <= 1) continue;
        if ((bits >> l & 1U) != 0) {
            moving += leaf.by_loop[l];
            continue;
        }
        bool other_axis = false;
        for (int a = 0; a < of.rank; ++a) {
            other_axis = other_axis || (of.stride[a] == leaf.by_loop[l] && of.stride[a] != step);
        }
        if (!other_axis) return false;
    }
    return moving == step;
}

// Why statement b, in its role, may not run strip by strip after a; empty if it may.
FELT_PLANNING inline std::string conflict(plan const& p, statement_facts const& a, statement_facts const& b) {
    auto const range = [](statement_facts const& s) {
        return range_of(s.data, s.extent, s.stride, s.rank, s.value_bytes);
    };
    if (overlap(range(a), range(b))) return "it writes what an earlier statement writes";
    for (auto const& [reader, writer] : {std::pair{&b, &a}, std::pair{&a, &b}}) {
        std::vector<unsigned> linked(p.space.size(), 0U);
        if (reader->strip >= 0) linked[static_cast<std::size_t>(reader->space)] = 1U << reader->strip;
        link(p, reader->root, linked);
        for (int id = reader->root; id < p.at(reader->root).end; ++id) {
            node_facts const& f = p.at(id);
            if (f.what != kind::leaf) continue;
            auto const read = range_of(f.data, f.extent, f.stride, f.rank, f.value_bytes);
            if (!overlap(read, range(*writer))) continue;
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
    for (int id = k.root; id < p.at(k.root).end; ++id) p.at(id).strip = -1;
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

// Scratch of all statements of a pass for strips of `width`, and the destinations' own strips.
FELT_PLANNING inline need pass_need(plan& p, pass_facts const& pass, index_t width) {
    need all;
    for (int k = pass.first; k < pass.last; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        loop_space const in = p.loop(to.space);
        index_t block[max_axes];
        std::copy(in.extent, in.extent + in.rank, block);
        if (to.strip >= 0) block[to.strip] = std::min(block[to.strip], width);
        need const n = space_need(p, to.space, block);
        std::copy(block, block + in.rank, p.loop(to.space).block);
        all.bytes += n.bytes;
        all.staged = std::max(all.staged, n.staged);
        if (!to.accumulates) all.bytes += product(block, in.rank) * to.value_bytes;
    }
    return all;
}

// Statements from `first` on that can share a pass over an axis of extent n, in the role given.
FELT_PLANNING inline pass_facts grow(plan& p, int first, role const& r, index_t n) {
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

// The widest strip whose needs fit; false if not even 64 do.
FELT_PLANNING inline bool choose_strip(plan& p, pass_facts& pass) {
    for (index_t width = 4096; width >= 64; width /= 2) {
        pass.strip = width;
        if (fits(pass_need(p, pass, width), scratch_limit)) return true;
    }
    return false;
}

inline void forget_roles(plan& p, int first, int last) {
    for (int k = first; k < last; ++k) {
        statement_facts& s = p.statement[static_cast<std::size_t>(k)];
        take_role(p, s, {}, 0);
    }
}

// The longest pass that begins with statement `first`.
FELT_PLANNING inline pass_facts longest(plan& p, int first) {
    int const count = static_cast<int>(p.statement.size());
    pass_facts best{first, first + 1, 0, 0, {}};
    if (first + 1 == count) return best;
    statement_facts const start = p.statement[static_cast<std::size_t>(first)];
    std::vector<index_t> extents(start.extent, start.extent + start.rank);
    for (int id = start.root; id < p.at(start.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (f.inner < 0 || f.space != start.space) continue;
        loop_space const& in = p.loop(f.inner);
        extents.insert(extents.end(), in.extent, in.extent + in.rank);
    }
    role chosen;
    for (index_t n : extents) {
        for (role const& r : roles_for(p, start, n)) {
            pass_facts const found = grow(p, first, r, n);
            if (found.last > best.last || best.why.empty()) {
                best = found;
                chosen = r;
            }
        }
    }
    forget_roles(p, first, count);
    if (best.last == first + 1) return best;
    best = grow(p, first, chosen, best.extent);
    forget_roles(p, best.last, count);
    find_twins(p, best);
    while (best.last > first + 1 && !choose_strip(p, best)) {
        --best.last;
        find_twins(p, best);
        best.why = "its strips do not fit in scratch beside the others'";
        forget_roles(p, best.last, best.last + 1);
    }
    if (best.last == first + 1) {
        best.strip = 0;
        forget_roles(p, first, first + 1);
    }
    return best;
}

// Whether leaf f, which is the destination itself, is read block by block before the block is
// stored: what a block reads of it lies in the block, along every axis that is cut.
inline bool read_before_stored(plan const& p, statement_facts const& to, node_facts const& f) {
    loop_space const& in = p.loop(to.space);
    if (f.space == to.space || p.at(to.root).what == kind::contract || f.rank != to.rank) {
        return false;
    }
    for (int l = 0; l < to.rank; ++l) {
        if (f.stride[l] != to.stride[l] && to.extent[l] > 1) return false;
        bool const shared_out = l == in.order[0];  // among threads
        if (in.extent[l] <= 1 || (in.block[l] >= in.extent[l] && !shared_out)) continue;
        std::vector<unsigned> linked(p.space.size(), 0U);
        linked[static_cast<std::size_t>(to.space)] = 1U << l;
        link(p, to.root, linked);
        if (!reads_inside(p, f, linked, to, to.stride[l])) return false;
    }
    return true;
}

// In place after all, now that the blocks are known?
inline void reconsider(plan const& p, statement_facts& to) {
    if (!to.temporary) return;
    auto const written = range_of(to.data, to.extent, to.stride, to.rank, to.value_bytes);
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (f.what != kind::leaf) continue;
        auto const read = range_of(f.data, f.extent, f.stride, f.rank, f.value_bytes);
        bool const safe = !overlap(written, read) || same_elements(p, to, f) ||
                          read_before_stored(p, to, f);
        if (!safe) return;
    }
    to.temporary = false;
    to.why = "";
}

// Decides everything about statements that have their loops.
FELT_PLANNING inline void arrange(plan& p) {
    for (statement_facts& to : p.statement) {
        find_aliases(p, to);
        if (p.statement.size() == 1) merge_loops(p, to);
        choose_lanes(p, to);
    }
    int const count = static_cast<int>(p.statement.size());
    for (int first = 0; first < count; first = p.pass.back().last) {
        p.pass.push_back(longest(p, first));
        pass_facts& pass = p.pass.back();
        if (pass.strip > 0) {
            pass_need(p, pass, pass.strip);
        } else {
            find_twins(p, pass);
            cut(p, p.statement[static_cast<std::size_t>(first)]);
            reconsider(p, p.statement[static_cast<std::size_t>(first)]);
        }
    }
}

}  // namespace detail

// Plans a group of statements. The plan refers to them: it lives no longer than they do.
template <class... S>
plan make_plan(S const&... s) {
    plan p;
    p.node.reserve(32);
    p.space.reserve(16);
    (detail::add_statement(p, s), ...);
    detail::arrange(p);
    return p;
}

}  // namespace felt::planning

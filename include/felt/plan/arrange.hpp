// SPDX-License-Identifier: BSD-3-Clause
//
// make_plan: statements in, a plan out. Finds the longest groups that can share a pass and how
// wide their strips may be; statements that stand alone are cut into blocks.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/plan/guard.hpp>
#include <felt/plan/in_place.hpp>
#include <felt/plan/invariants.hpp>
#include <felt/plan/make_plan.hpp>
#include <felt/plan/parts.hpp>
#include <felt/plan/recent.hpp>
#include <felt/plan/special.hpp>
#include <felt/plan/twins.hpp>
#include <algorithm>

namespace felt::planning {

namespace detail {

// Scratch of all statements of a pass for strips of `width`, and the destinations' own strips.
FELT_PLANNING inline need pass_need(plan& p, pass_facts const& pass, index_t width) {
    need all;
    hold_strips(p, pass, width);
    for (int k = pass.first; k < pass.last; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        loop_space const in = p.loop(to.space);
        index_t block[max_axes] = {};
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

// How many columns, or shared terms, of product id one index of the strip brings.
FELT_PLANNING inline index_t columns_per_index(plan const& p, int id, int strip) {
    node_facts const& f = p.at(id);
    loop_space const& in = p.loop(f.inner);
    int own = f.strip;
    for (int l = 0; l < f.rank && own < 0 && strip >= 0; ++l) {
        if (f.at.coef[l][strip] == 1) own = l;
    }
    if (own < 0) return 1;
    index_t n = 1;
    for (int side = 0, x = id + 1; side < 2; ++side, x = p.at(x).end) {
        int const rank = p.at(x).rank;
        int const* const end = f.label[side] + rank;
        if (std::find(f.label[side], end, own) == end) continue;
        n = 1;
        for (int l = 0; l < in.rank; ++l) {
            bool const with = l != own && (l < f.rank) == (own < f.rank) &&
                              std::find(f.label[side], end, l) != end;
            if (with) n *= in.extent[l];
        }
    }
    return n;
}

// The narrowest strip that pays: weights are packed anew for each, which takes 512 columns of a
// product; lanes want 64 elements.
FELT_PLANNING inline index_t least_width(plan const& p, pass_facts const& pass) {
    constexpr index_t columns = 512, lanes = 64;
    index_t least = 1;
    for (int k = pass.first; k < pass.last; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        auto const fills = [&](loop_space const& in, int strip) {
            if (in.lane == strip || in.rank < 3) least = std::max(least, lanes);
        };
        if (to.strip >= 0) fills(p.loop(to.space), to.strip);
        for (int id = to.root; id < p.at(to.root).end; ++id) {
            node_facts const& f = p.at(id);
            if (f.what == kind::reduce && f.strip >= 0) fills(p.loop(f.inner), f.strip);
            if (f.what != kind::contract) continue;
            index_t const each = f.space == to.space ? columns_per_index(p, id, to.strip) : 1;
            least = std::max(least, (columns + each - 1) / std::max<index_t>(each, 1));
        }
    }
    return least;
}

// The widest strip whose needs fit; false if none does.
FELT_PLANNING inline bool choose_strip(plan& p, pass_facts& pass) {
    index_t const least = least_width(p, pass);
    for (index_t width = 4096; width >= least; width /= 2) {
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

// Strips of images are images, which lie one behind the other and share no windows. The gradient
// of filters is small beside what it sums over.
inline void put_outermost_first(plan const& p, statement_facts const& to,
                                std::vector<index_t>& extents) {
    int outermost = -1;
    for (int a = 0; a < to.rank && to.rank > 2; ++a) {
        bool const counts = to.extent[a] > 1;
        if (counts && (outermost < 0 || to.stride[a] > to.stride[outermost])) outermost = a;
    }
    double largest = 0;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        if (p.at(id).what == kind::leaf) largest = std::max(largest, elements(p.at(id)));
    }
    if (outermost < 0 || elements(p.at(to.root)) < largest / 8) return;
    auto const at = std::find(extents.begin(), extents.end(), to.extent[outermost]);
    if (at != extents.end()) std::rotate(extents.begin(), at, at + 1);
}

// What the statements of a pass share, and where it lies.
FELT_PLANNING inline void settle(plan& p, pass_facts const& pass) {
    find_twins(p, pass);
    keep_homes(p, pass);
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
    std::sort(extents.rbegin(), extents.rend());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    put_outermost_first(p, start, extents);
    role chosen;
    bool best_fits = false;
    for (index_t n : extents) {  // long axes first: they have room for wide strips
        for (role const& r : roles_for(p, start, n)) {
            pass_facts found = grow(p, first, r, n);
            settle(p, found);
            bool const fits_now = found.last > first + 1 && choose_strip(p, found);
            bool const better = fits_now == best_fits ? found.last > best.last : fits_now;
            bool const first_found = best.last == first + 1 && best.why.empty();
            if (better || first_found) {
                best = found;
                chosen = r;
                best_fits = fits_now;
            }
        }
    }
    forget_roles(p, first, count);
    if (best.last == first + 1) {
        std::string const alone = start.temporary ? start.why : "has no axis to advance along";
        if (best.why.empty()) best.why = "it follows a statement that " + alone;
        return best;
    }
    best = grow(p, first, chosen, best.extent);
    forget_roles(p, best.last, count);
    settle(p, best);
    while (best.last > first + 1 && !choose_strip(p, best)) {
        --best.last;
        settle(p, best);
        best.why = "its strips do not fit in scratch beside the others'";
        forget_roles(p, best.last, best.last + 1);
    }
    if (best.last == first + 1) {
        best.strip = 0;
        forget_roles(p, first, first + 1);
    }
    return best;
}

// Decides everything about the last pass, which is of one statement.
FELT_PLANNING inline void arrange_alone(plan& p) {
    find_twins(p, p.pass.back());
    find_read_again(p, p.statement[static_cast<std::size_t>(p.pass.back().first)]);
    auto const k = static_cast<std::size_t>(p.pass.back().first);
    if (!cut_in_place(p, k)) cut_best(p, k);
    sum_alike(p, p.statement[k].root, p.at(p.statement[k].root).end);
    share_sums(p, p.pass.back());
    reconsider(p, p.pass.back());
    choose_special(p, p.statement[k]);
}

// Decides everything about statements that have their loops.
FELT_PLANNING inline void arrange(plan& p) {
    for (statement_facts& to : p.statement) {
        find_aliases(p, to);
        if (p.statement.size() == 1) merge_loops(p, to);
        choose_lanes(p, to);
    }
    count_work(p);
    int const count = static_cast<int>(p.statement.size());
    for (int first = 0; first < count; first = p.pass.back().last) {
        p.pass.push_back(longest(p, first));
        pass_facts& pass = p.pass.back();
        if (pass.strip > 0) {
            shared_strips(p, pass).decide();
            pass_need(p, pass, pass.strip);
            sum_alike(p, p.statement[static_cast<std::size_t>(first)].root,
                      p.at(p.statement[static_cast<std::size_t>(pass.last - 1)].root).end);
        } else {
            arrange_alone(p);
        }
    }
    for (statement_facts const& to : p.statement) {
        keep_invariants(p, to.root);
        find_wanted_by_twins(p, to.root);
    }
}

FELT_PLANNING inline plan make_plan(any_statement const* s, std::size_t count) {
    plan p;
    p.node.reserve(32);
    p.space.reserve(16);
    p.statement.reserve(count);
    p.pass.reserve(count);
    for (std::size_t k = 0; k < count; ++k) s[k].add(p, s[k].self);
    recent_plans::of_this_thread().arrange(p, arrange);
    return p;
}

}  // namespace detail

}  // namespace felt::planning

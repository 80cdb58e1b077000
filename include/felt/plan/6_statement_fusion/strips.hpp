// SPDX-License-Identifier: BSD-3-Clause
//
// The longest groups of statements that can share a pass, and how wide their strips may be.
#pragma once
#include <felt/plan/3_tiling/tiling.hpp>
#include <felt/plan/4_destination_reuse/destination_reuse.hpp>
#include <felt/plan/6_statement_fusion/statement_fusion.hpp>
#include <felt/plan/constants.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning::detail {

// Scratch of all statements of a pass for strips of `width`, and the destinations' own strips.
FELT_PLANNING inline footprint tile_pass(graph const& g, schedule& s, pass_facts const& pass,
                                         index_t width) {
    footprint all;
    hold_strips(g, s, pass, width);
    for (statement_id k : pass.statements()) {
        destination const& to = g[k];
        loop_space const& in = g[to.space];
        loop_id const strip = s[k].strip;
        index_t block[max_axes] = {};
        std::copy(in.extent, in.extent + in.rank, block);
        if (strip >= 0) block[strip] = std::min(block[strip], width);
        tile_space(g, s, to.space, block);
        footprint const n = footprint_of(g, s, to.space);
        all.bytes += n.bytes;
        all.staged = std::max(all.staged, n.staged);
        if (!s[k].accumulates) all.bytes += product(block, in.rank) * to.value_bytes;
    }
    return all;
}

// How many columns, or shared terms, of product id one index of the strip brings.
FELT_PLANNING inline index_t columns_per_index(graph const& g, schedule const& s, node_id id,
                                               loop_id strip) {
    node const& f = g[id];
    loop_space const& in = g[f.inner];
    loop_id own = s[id].strip;
    for (loop_id l{0}; l < f.rank && own < 0 && strip >= 0; ++l) {
        if (f.at.coef[l][strip] == 1) own = l;
    }
    if (own < 0) return 1;
    index_t n = 1;
    for (int side = 0; side < 2; ++side) {
        int const* const end = f.label[side] + g[g.operand(id, side)].rank;
        if (std::find(f.label[side], end, own) == end) continue;
        n = 1;
        for (loop_id l : in.loops()) {
            bool const with = l != own && (l < f.rank) == (own < f.rank) &&
                              std::find(f.label[side], end, l) != end;
            if (with) n *= in.extent[l];
        }
    }
    return n;
}

inline bool has_products(graph const& g, pass_facts const& pass) {
    for (statement_id k : pass.statements()) {
        if (contains_product(g, g[k].root)) return true;
    }
    return false;
}

// Whether strips cut the rows of statement k's destination. Sums of rows are few beside these.
inline bool cuts_results(graph const& g, schedule const& s, pass_facts const& pass,
                         statement_id k) {
    if (s[k].strip < 0 || s[k].strip != s[g[k].space].lane) return false;
    double largest = 0;
    for (statement_id x : pass.statements()) largest = std::max(largest, elements(g[g[x].root]));
    return g[k].rank > 1 || elements(g[g[k].root]) > largest / 8;
}

// Whether strips cut rows of memory into pieces, which products do not mind: they copy them.
inline bool cuts_rows(graph const& g, schedule const& s, pass_facts const& pass) {
    if (has_products(g, pass)) return false;
    for (statement_id k : pass.statements()) {
        if (cuts_results(g, s, pass, k)) return true;
        for (node_id id : g.nodes_of(k)) {
            if (s[id].strip >= 0 && s[id].strip == s[g[id].inner].lane) return true;
        }
    }
    return false;
}

// The narrowest strip that pays: weights are packed anew for each, which takes 512 columns of a
// product; lanes want 64 elements.
FELT_PLANNING inline index_t least_width(graph const& g, schedule const& s,
                                         pass_facts const& pass) {
    index_t least = 1;
    bool const products = has_products(g, pass);
    for (statement_id k : pass.statements()) {
        loop_id const strip = s[k].strip;
        bool const turned = products && g[k].rank < 3;  // columns follow what they may
        bool const cuts = turned || cuts_results(g, s, pass, k);
        if (strip >= 0 && cuts) least = std::max(least, lane_step);
        for (node_id id : g.nodes_of(k)) {
            node const& f = g[id];
            if (f.what == kind::reduce && s[id].strip >= 0) {
                bool const few = products && g[f.inner].rank < 3;
                if (few || s[f.inner].lane == s[id].strip) least = std::max(least, lane_step);
            }
            if (f.what != kind::contract) continue;
            index_t const each = f.space == g[k].space ? columns_per_index(g, s, id, strip) : 1;
            least = std::max(least, (least_strip_columns + each - 1) / std::max<index_t>(each, 1));
        }
    }
    return least;
}

// The widest strip whose needs fit; false if none does.
FELT_PLANNING inline bool choose_strip(graph const& g, schedule& s, pass_facts& pass) {
    index_t const least = least_width(g, s, pass);
    for (index_t width = widest_strip; width >= least; width /= 2) {
        pass.strip = width;
        if (tile_pass(g, s, pass, width).fits(scratch_limit)) return true;
    }
    return false;
}

inline void forget_roles(graph const& g, schedule& s, id_range<statement_id> statements) {
    for (statement_id k : statements) take_role(g, s, k, {}, 0);
}

// Strips of images are images, which lie one behind the other and share no windows. The gradient
// of filters is small beside what it sums over.
inline void put_outermost_first(graph const& g, statement_id k, std::vector<index_t>& extents) {
    destination const& to = g[k];
    axis_id outermost;
    for (axis_id a{0}; a < to.rank && to.rank > 2; ++a) {
        bool const counts = to.extent[a] > 1;
        if (counts && (outermost < 0 || to.stride[a] > to.stride[outermost])) outermost = a;
    }
    double largest = 0;
    for (node_id id : g.nodes_of(k)) {
        if (g[id].what == kind::leaf) largest = std::max(largest, elements(g[id]));
    }
    if (outermost < 0 || elements(g[to.root]) < largest / 8) return;
    auto const at = std::find(extents.begin(), extents.end(), to.extent[outermost]);
    if (at != extents.end()) std::rotate(extents.begin(), at, at + 1);
}

// What the statements of a pass share, and where it lies.
FELT_PLANNING inline void settle(graph const& g, schedule& s, pass_facts const& pass) {
    find_common_subexpressions(g, s, pass);
    reuse_destinations(g, s, pass);
}

// The extents of the axes that a pass may advance along that begins with statement `first`: long
// ones first, which have room for wide strips.
FELT_PLANNING_SELDOM inline std::vector<index_t> extents_for(graph const& g, statement_id first) {
    destination const& start = g[first];
    std::vector<index_t> extents(start.extent, start.extent + start.rank);
    for (node_id id : g.nodes_of(first)) {
        node const& f = g[id];
        if (!f.inner || f.space != start.space) continue;
        loop_space const& in = g[f.inner];
        extents.insert(extents.end(), in.extent, in.extent + in.rank);
    }
    std::sort(extents.rbegin(), extents.rend());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    put_outermost_first(g, first, extents);
    return extents;
}

// The longest pass that begins with statement `first`: alone, and why, if others can't join it.
FELT_PLANNING inline pass_facts longest_of_several(graph const& g, schedule& s,
                                                   statement_id first) {
    statement_id const end = g.statements.end_id();
    pass_facts best{first, first + 1};
    role chosen;
    bool best_fits = false, best_cuts = false;
    for (index_t n : extents_for(g, first)) {
        for (role const& r : roles_for(g, first, n)) {
            pass_facts found = grow(g, s, first, r, n);
            settle(g, s, found);
            bool const fits_now = !found.alone() && choose_strip(g, s, found);
            bool const cuts = cuts_rows(g, s, found);
            bool const as_long = found.last == best.last && best_cuts && !cuts;
            bool const better =
                fits_now == best_fits ? found.last > best.last || as_long : fits_now;
            bool const first_found = best.alone() && best.why.empty();
            if (better || first_found) {
                best = found;
                chosen = r;
                best_fits = fits_now;
                best_cuts = cuts;
            }
        }
    }
    forget_roles(g, s, {first, end});
    if (best.alone()) {
        std::string const why = s[first].temporary ? s[first].why : "has no axis to advance along";
        if (best.why.empty()) best.why = "it follows a statement that " + why;
        return best;
    }
    best = grow(g, s, first, chosen, best.extent);
    forget_roles(g, s, {best.last, end});
    settle(g, s, best);
    while (!best.alone() && !choose_strip(g, s, best)) {
        --best.last;
        settle(g, s, best);
        best.why = "its strips do not fit in scratch beside the others'";
        forget_roles(g, s, {best.last, best.last + 1});
    }
    return best;
}

// The longest pass that begins with statement `first`.
FELT_PLANNING inline pass_facts longest(graph const& g, schedule& s, statement_id first) {
    pass_facts pass{first, first + 1};
    if (pass.last < g.statements.end_id()) pass = longest_of_several(g, s, first);
    if (!pass.alone()) return pass;
    pass.extent = pass.strip = 1;
    forget_roles(g, s, pass.statements());
    settle(g, s, pass);
    return pass;
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// Lanes for the loops of a statement. Where there are products of what lies in memory, lanes along
// another loop than the voted one may save more than they cost.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/2_orientation/choose_lanes.hpp>
#include <felt/plan/2_orientation/zero_terms.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// A subtree whose root is read in `space`: lanes along a loop that is none of `along` have `across`
// elements transposed.
struct orientation {
    id_range<node_id> nodes;
    space_id space;
    double across;
    unsigned along;
};
inline bool reorient(graph const& g, schedule& s, orientation const& of);
inline void read_across_short_lanes(graph const& g, schedule& s, node_id root, loop_id wanted);

// Columns are the side that the reader's lanes run along; a column alone has lanes on it. What is
// set apart gives the rows, which have phases.
inline void orient_product(graph const& g, schedule& s, node_id id) {
    node const& f = g[id];
    product_schedule& p = s[f.product];
    loop_id const lane = s[f.space].columns_along();
    int const apart = side_set_apart(g, id);
    auto const rows_follow = [&](label_id l) { return lane >= 0 && f.at.coef[l][lane] != 0; };
    p.axes = divide_labels(g, s, id, 0);
    p.rows_from = std::any_of(p.axes.m.begin(), p.axes.m.end(), rows_follow) ? 1 : 0;
    if (p.rows_from == 1) p.axes = divide_labels(g, s, id, 1);
    bool const other = apart >= 0 ? !p.is_left(apart) : p.axes.n.count == 0 && p.axes.m.count > 0;
    if (other) p.axes = divide_labels(g, s, id, p.rows_from = 1 - p.rows_from);
    if (f.carries_softmax) p.axes = divide_labels(g, s, id, p.rows_from = 0);
    bool terms_settled = false;
    choose_operand_lanes(g, s, id, p.rows_from, terms_settled);
    choose_operand_lanes(g, s, id, 1 - p.rows_from, terms_settled);
}

inline void choose_lane(graph const& g, schedule& s, node_id id) {
    node const& f = g[id];
    if (!f.inner) return;
    if (f.what == kind::contract) return orient_product(g, s, id);
    space_id sp = f.inner;
    for (node_id x = id + 1; x < f.end; x = g[x].end, ++sp) {
        double votes[max_axes] = {};
        bool const free = !vote_or_follow(g, s, sp, votes, f.what == kind::reduce ? 4 : 1);
        s[sp].run_along(winner(votes, g[sp]));
        loop_id const followed = followed_loop(g, s, id, x);
        if (followed < 0) continue;
        bool const fills = row_length(f, g[sp], followed) >= full_lanes;
        bool const follows = free && (lies_as_operand(f) || reads_boxes(g, s, sp));
        if (fills && follows) s[sp].run_along(followed);
        if (f.what != kind::general) continue;
        reorient(g, s, {g.subtree(x), sp, elements(g[x]), 1U << followed});
        if (fills) read_across_short_lanes(g, s, x, followed);
    }
}

// Lanes for these nodes, outside in; those of the loops that the first is read in are chosen.
inline void choose_lanes_below(graph const& g, schedule& s, id_range<node_id> nodes) {
    for (node_id id : nodes) choose_lane(g, s, id);
}

// With few columns a tile's are partly empty: the terms that are computed there in vain, as
// elements that could be transposed meanwhile. What is packed need not be, and has wider tiles.
// Measured: 1024 x 512 times 8 columns takes 198 us, and transposed 335 us; small products do not
// pay for thinking about it.
inline double unused_columns(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    block_diagonal const& d = g[f.product].diagonal;
    bool some = false;
    for (node_id x : g.below(id)) some = some || g[x].lie_along != nullptr;
    loop_space const& in = g[f.inner];
    double columns = 1, others = 1;
    for (loop_id l : in.loops()) {
        index_t const n = l == d.of ? d.each : in.extent[l];
        (s[f.product].axes.n.has(label_id(l)) ? columns : others) *= static_cast<double>(n);
    }
    if (d.any()) {  // half a tile at least
        return std::max(0.0, turned_columns / 2 - columns) * others / terms_per_element;
    }
    double const enough = some ? turned_columns : turned_columns / 2;
    if (columns <= any_dot_rows || columns >= enough || others < turned_terms) return 0;
    return (enough - columns) * others / terms_per_element;
}

// Elements of an operand of product id that are moved, if they are: of those that a block-diagonal
// one has the others are not read, and of its product each run shorter than the lanes costs as a
// whole one.
inline double operand_elements(graph const& g, schedule const& s, node_id id, int side) {
    node const &f = g[id], &x = g[g.operand(id, side)];
    block_diagonal const& d = g[f.product].diagonal;
    double n = elements(x);
    if (!d.any()) return n;
    loop_id const lane = s[f.inner + side].lane;
    for (axis_id a : x.axes()) {
        label_id const label(f.label[side][a]);
        if (label == d.of) n /= static_cast<double>(blocks_of(g, id));
        if (label == lane) {
            index_t const run = label == d.of ? d.each : x.extent[a];
            n *= std::max(1.0, static_cast<double>(full_lanes) / static_cast<double>(run));
        }
    }
    return n;
}

// The schedule with lanes along a loop of a space, and those below as they follow from that.
FELT_PLANNING inline schedule with_lanes(graph const& g, schedule s, orientation const& of,
                                         loop_id lane) {
    s[of.space].run_along(lane);
    choose_lanes_below(g, s, of.nodes);
    return s;
}

// How often elements of an operand are moved that is computed: where that is not along the terms of
// rows it is packed, and where what it reads lies across the lanes that is transposed first.
inline double times_computed_is_moved(graph const& g, schedule const& s, node_id id, int side) {
    product_schedule const& p = s[g[id].product];
    space_id const sp = g[id].inner + side;
    loop_id const lane = s[sp].lane;
    bool const rows = p.is_left(side) && p.axes.k.count > 0 && lane == p.axes.k.last();
    bool across = false;
    for (node_id x : g.read_in(sp))
        across = across || (g[x].what == kind::leaf && lane >= 0 && by_loop_of(g, s, x)[lane] > 1);
    return (rows ? 0 : 1) + (across ? 1 : 0);
}

// Elements that are transposed or packed because the lanes run as they do: of products' operands,
// of leaves, of the destination.
FELT_PLANNING inline double transpose_cost(graph const& g, schedule const& s,
                                           orientation const& of) {
    loop_id const lane = s[of.space].lane;
    double n = (of.along >> lane & 1U) != 0 ? 0 : of.across;
    for (node_id id : of.nodes) {
        node const& f = g[id];
        bool const leaf_here = f.what == kind::leaf && f.space == of.space;
        if (leaf_here && by_loop_of(g, s, id)[lane] > 1) n += elements(f);
        if (f.what != kind::contract) continue;
        n += unused_columns(g, s, id);
        for (int side = 0; side < 2; ++side) {
            node_id const x = g.operand(id, side);
            kind const what = g[x].what;
            bool const leaf = what == kind::leaf || what == kind::affine || what == kind::general;
            double const all = operand_elements(g, s, id, side);
            bool const copied = s[f.product].is_left(side) && copies_rows(g, s, id);
            bool const windows = s[f.product].axes.k.count > 1;
            double const each = copied ? row_copied : windows ? window_packed : 1;
            if (leaf && !lies_in_place(g, s, id, side)) n += each * all;
            // Across its memory it has to be staged before it is packed.
            node_id const memory = memory_below(g, x);
            loop_id const along = s[f.inner + side].lane;
            bool const in_memory = leaf && memory && along >= 0;
            if (in_memory && step_along(g, s, memory, along) > 1) n += all;
            if (what == kind::map) n += all * times_computed_is_moved(g, s, id, side);
        }
    }
    return n;
}

// Where there are products of what lies in memory, other lanes may save more than they cost: then
// true, and those of all nodes are chosen.
inline bool reorient(graph const& g, schedule& s, orientation const& of) {
    loop_space const& in = g[of.space];
    bool products = false;
    for (node_id id : of.nodes) {
        products = products || (g[id].what == kind::contract && g[id].space == of.space);
    }
    loop_id const voted = s[of.space].lane;
    if (!products || voted < 0) return false;
    schedule best = with_lanes(g, s, of, voted);
    double least = transpose_cost(g, best, of) * better_lanes;
    bool windows = false;  // they are expensive to pack
    for (node_id id : of.nodes)
        windows = windows || (g[id].what == kind::contract && best[g[id].product].axes.k.count > 1);
    index_t const enough = windows ? least_turned_lanes : full_lanes;
    for (loop_id l : in.loops()) {
        if (l == voted || in.extent[l] < enough) continue;
        schedule tried = with_lanes(g, s, of, l);
        double const n = transpose_cost(g, tried, of);
        if (n < least) least = n, best = std::move(tried);
    }
    s = std::move(best);
    return true;
}

// Where values are wanted across the lanes of few columns, it is the products that are turned
// instead: then functions of them run along the rows that are wanted, which may be joined.
inline void read_across_short_lanes(graph const& g, schedule& s, node_id root, loop_id wanted) {
    space_id const sp = g[root].space;
    loop_schedule& how = s[sp];
    bool turned = how.lane >= 0 && how.lane != wanted && g[sp].extent[how.lane] < short_lanes &&
                  g[root].what == kind::map;
    for (node_id id : g.read_in(sp)) {
        if (!turned) return;
        if (s[id].by == way::streamed) continue;
        turned = g[id].what == kind::contract && s[g[id].product].axes.n.count == 1;
    }
    if (turned) how.columns = std::exchange(how.lane, wanted);
}

}  // namespace detail

// Lanes for the loops of one statement and of every node below it, outside in.
FELT_PLANNING inline void choose_lanes(graph const& g, schedule& s, statement_id k) {
    destination const& to = g[k];
    double votes[max_axes] = {};
    detail::vote(g, s, to.space, votes);
    loop_space const& in = g[to.space];
    double n = 1;
    for (loop_id l : in.loops()) n *= static_cast<double>(in.extent[l]);
    for (loop_id l : in.loops()) {
        if (to.by_loop[l] == 1 && in.extent[l] > 1)
            votes[l] += destination_votes * n * to.value_bytes;
    }
    loop_id const voted = detail::winner(votes, in);
    s[to.space].run_along(voted);
    unsigned along = 0;
    for (loop_id l : in.loops()) along |= to.by_loop[l] == 1 ? 1U << l : 0U;
    double const all = detail::elements(g[to.root]);
    if (!detail::reorient(g, s, {g.nodes_of(k), to.space, all, along})) {
        detail::choose_lanes_below(g, s, g.nodes_of(k));
    }
    bool const contiguous = voted >= 0 && to.by_loop[voted] == 1;
    if (contiguous) detail::read_across_short_lanes(g, s, to.root, voted);
}

}  // namespace felt::inline FELT_ABI::planning

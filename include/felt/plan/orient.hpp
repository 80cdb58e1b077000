// SPDX-License-Identifier: BSD-3-Clause
//
// Lanes for the loops of a statement. Where there are products of what lies in memory, lanes along
// another loop than the voted one may save more than they cost.
#pragma once
#include <felt/plan/lanes.hpp>
#include <felt/plan/phases.hpp>

namespace felt::planning {

namespace detail {

// Nodes begin .. end-1, the first of which is read in `space`: lanes along a loop that is none of
// `along` have `across` elements transposed.
struct orientation {
    int begin, end, space;
    double across;
    unsigned along;
};
inline bool reorient(loops& p, orientation const& of);
inline void read_across_short_lanes(loops& p, int root, int space, int wanted);

inline void choose_lane(loops& p, int id) {
    node_facts& f = p.at(id);
    if (f.inner < 0) return;
    if (f.what == kind::contract) {
        // Columns are the side that the reader's lanes run along; a column alone has lanes on it.
        // What is set apart gives the rows, which have phases.
        int const lane = p.loop(f.space).columns_along();
        contract_roles r = roles_of(p, id);
        bool turn = false;
        int const apart = side_set_apart(p, id);
        for (int i = 0; i < r.rows && lane >= 0; ++i) turn = turn || f.at.coef[r.row[i]][lane] != 0;
        if (turn) {
            f.swapped = true;
            r = roles_of(p, id);
        }
        if (apart >= 0 ? f.swapped != (apart == 1) : r.columns == 0 && r.rows > 0) {
            f.swapped = !f.swapped;
            r = roles_of(p, id);
        }
        choose_operand_lanes(p, id, f.swapped ? 1 : 0, r);
        choose_operand_lanes(p, id, f.swapped ? 0 : 1, r);
        return;
    }
    for (int x = id + 1, s = f.inner; x < f.end; x = p.at(x).end, ++s) {
        double votes[max_axes] = {};
        bool const free = !vote_or_follow(p, s, votes, f.what == kind::reduce ? 4 : 1);
        loop_space& in = p.loop(s);
        in.run_along(winner(votes, in));
        int const followed = followed_loop(p, id, x);
        if (followed < 0 || row_length(f, in, followed) < full_lanes) continue;
        if (free && (lies_as_operand(f) || reads_boxes(p, s))) in.run_along(followed);
        if (f.what == kind::general) {
            reorient(p, {x, p.at(x).end, s, elements(p.at(x)), 1U << followed});
            read_across_short_lanes(p, x, s, followed);
        }
    }
}

// Lanes for nodes begin .. end-1, outside in; those of the loops they are read in are chosen.
inline void choose_lanes_below(loops& p, int begin, int end) {
    for (int id = begin; id < end; ++id) {
        p.at(id).swapped = false;
        p.at(id).last_shared = p.at(id).last_row = -1;
        choose_lane(p, id);
    }
}

// With few columns a tile's are partly empty. The terms that are computed there in vain, as
// elements that could be transposed meanwhile; what is packed need not be. Measured:
// 1024x8x512 takes 165 us with lanes along the rows and 300 us without; small products do not pay
// for thinking about it.
inline double idle(loops const& p, int id, contract_roles const& r) {
    constexpr double tile = 32, terms_per_element = 10, large = 1 << 16;
    node_facts const& f = p.at(id);
    bool some = false;
    for (int x = id + 1; x < f.end; ++x) some = some || p.at(x).lie_along != nullptr;
    loop_space const& in = p.loop(f.inner);
    double columns = 1, others = 1;
    for (int l = 0; l < in.rank; ++l) {
        bool const along = std::find(r.column, r.column + r.columns, l) != r.column + r.columns;
        index_t const n = l == r.diagonal.of ? r.diagonal.each : in.extent[l];
        (along ? columns : others) *= static_cast<double>(n);
    }
    if (r.diagonal.any()) {  // half a tile at least
        return std::max(0.0, tile / 2 - columns) * others / terms_per_element;
    }
    if (columns <= 2 || columns >= (some ? tile : tile / 2) || others < large) return 0;
    return (tile - columns) * others / terms_per_element;
}

// Elements of operand x of product id that are moved, if they are: of those that a block-diagonal
// one has the others are not read, and of its product each run shorter than the lanes costs as a
// whole one.
inline double operand_elements(loops const& p, int id, int side, int x, contract_roles const& r) {
    block_diagonal const& d = r.diagonal;
    node_facts const& f = p.at(id);
    double n = elements(p.at(x));
    if (!d.any()) return n;
    int const lane = p.loop(f.inner + side).lane;
    for (int a = 0; a < p.at(x).rank; ++a) {
        int const label = f.label[side][a];
        if (label == d.of) n /= static_cast<double>(blocks_of(p, id));
        if (label == lane) {
            index_t const run = label == d.of ? d.each : p.at(x).extent[a];
            n *= std::max(1.0, static_cast<double>(full_lanes) / static_cast<double>(run));
        }
    }
    return n;
}

// Elements that are transposed or packed because the lanes run along loop `lane`: of products'
// operands, of leaves, of the destination.
FELT_PLANNING inline double moved(loops& p, orientation const& of, int lane) {
    p.loop(of.space).run_along(lane);
    choose_lanes_below(p, of.begin, of.end);
    double n = (of.along >> lane & 1U) != 0 ? 0 : of.across;
    for (int id = of.begin; id < of.end; ++id) {
        node_facts const& f = p.at(id);
        if (f.what == kind::leaf && f.space == of.space && f.by_loop[lane] > 1) n += elements(f);
        if (f.what != kind::contract) continue;
        contract_roles const r = roles_of(p, id);
        n += idle(p, id, r);
        for (int side = 0, x = id + 1; side < 2; ++side, x = p.at(x).end) {
            kind const what = p.at(x).what;
            bool const leaf = what == kind::leaf || what == kind::affine || what == kind::general;
            double const all = operand_elements(p, id, side, x, r);
            if (leaf && !lies_in_place(p, id, r, side)) n += all;
            // Across its memory it has to be staged before it is packed.
            int const memory = memory_below(p, x), along = p.loop(f.inner + side).lane;
            bool const in_memory = leaf && memory >= 0 && along >= 0;
            if (in_memory && step_along(p, memory, along) > 1) n += all;
        }
    }
    return n;
}

// Where there are products of what lies in memory, other lanes may save more than they cost: then
// true, and those of all nodes are chosen.
inline bool reorient(loops& p, orientation const& of) {
    loop_space const& in = p.loop(of.space);
    bool products = false;
    for (int id = of.begin; id < of.end; ++id) {
        products = products || (p.at(id).what == kind::contract && p.at(id).space == of.space);
    }
    int const voted = in.lane;
    if (!products || voted < 0) return false;
    int best = voted, last = voted;
    double least = moved(p, of, voted) * 0.7;
    for (int l = 0; l < in.rank; ++l) {
        if (l == voted || in.extent[l] < full_lanes) continue;
        double const n = moved(p, of, last = l);
        if (n < least) {
            least = n;
            best = l;
        }
    }
    if (last != best) {
        p.loop(of.space).run_along(best);
        choose_lanes_below(p, of.begin, of.end);
    }
    return true;
}

// Where values are wanted across the lanes of few columns, it is the products that are turned
// instead: then functions of them run along the rows that are wanted, which may be joined.
inline void read_across_short_lanes(loops& p, int root, int space, int wanted) {
    constexpr index_t few = 64;
    loop_space& in = p.loop(space);
    bool turned = in.lane >= 0 && in.lane != wanted && in.extent[in.lane] < few &&
                  p.at(root).what == kind::map;
    for (int id = root; id < p.at(root).end && turned; ++id) {
        node_facts const& f = p.at(id);
        if (f.space != space || f.by == way::streamed) continue;
        turned = f.what == kind::contract && roles_of(p, id).columns == 1;
    }
    if (turned) in.columns = std::exchange(in.lane, wanted);
}

}  // namespace detail

// Lanes for the loops of one statement and of every node below it, outside in.
FELT_PLANNING inline void choose_lanes(loops& p, statement_facts const& to) {
    double votes[max_axes] = {};
    detail::vote(p, to.space, votes);
    loop_space const& in = p.loop(to.space);
    double n = 1;
    for (int l = 0; l < in.rank; ++l) n *= static_cast<double>(in.extent[l]);
    for (int l = 0; l < in.rank; ++l) {
        if (to.by_loop[l] == 1 && in.extent[l] > 1) votes[l] += 1.5 * n * to.value_bytes;
    }
    int const voted = detail::winner(votes, p.loop(to.space));
    p.loop(to.space).run_along(voted);
    int const end = p.at(to.root).end;
    unsigned along = 0;
    for (int l = 0; l < in.rank; ++l) along |= to.by_loop[l] == 1 ? 1U << l : 0U;
    double const all = detail::elements(p.at(to.root));
    if (!detail::reorient(p, {to.root, end, to.space, all, along})) {
        detail::choose_lanes_below(p, to.root, end);
    }
    bool const contiguous = voted >= 0 && to.by_loop[voted] == 1;
    if (contiguous) detail::read_across_short_lanes(p, to.root, to.space, voted);
}

}  // namespace felt::planning

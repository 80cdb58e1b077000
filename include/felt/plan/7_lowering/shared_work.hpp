// SPDX-License-Identifier: BSD-3-Clause
//
// What tasks compute in common: each of them begins with nothing, whatever those before it have
// left.
#pragma once
#include <felt/plan/5_hoisting/recomputed.hpp>
#include <numeric>

namespace felt::inline FELT_ABI::planning::detail {

// Consecutive elements that reshape `id` takes of its source at a time; 0 if it has all of it.
inline index_t piece_of_source(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    bool const computed =
        f.what == kind::reshape && s[id].by == way::scratch && !computed_first(s, id);
    node_id const source = id + 1;
    if (!computed || s[source].by == way::hoisted || g[source].what == kind::leaf) return 0;
    loop_space const& in = g[f.inner];
    index_t n = 1;
    for (loop_id l : in.loops()) n *= std::min(s[f.inner].block[l], in.extent[l]);
    return n;
}

// Steps of loop l after which a piece of reshape `id`, read in the same loops, ends with the step;
// 0 if it has parts all along the loop.
inline index_t steps_of_piece(node const& f, loop_id l, index_t piece) {
    index_t inside = product(f.extent, f.rank);
    for (axis_id a{0}; a < f.rank; ++a) {
        inside /= std::max<index_t>(f.extent[a], 1);
        if (f.extent[a] > 1) return f.at.coef[a][l] == 1 ? piece / std::gcd(piece, inside) : 0;
    }
    return 1;
}

// Tasks along loop l end where pieces of reshapes end, if they are as many steps or a multiple.
inline index_t steps_of_pieces(graph const& g, schedule const& s, space_id sp, loop_id l) {
    index_t steps = 1;
    for (node_id id : g.read_in(sp)) {
        index_t const piece = piece_of_source(g, s, id);
        index_t const own = piece > 0 ? steps_of_piece(g[id], l, piece) : 1;
        if (own > 0) steps = std::lcm(steps, own);
    }
    return steps;
}

// Whether pieces of reshapes further below, which end anywhere, are longer than half of what a task
// takes of them: most are computed by two tasks.
inline bool cuts_pieces(graph const& g, schedule const& s, statement_id k, tasks const& t) {
    for (node_id id : g.nodes_of(k)) {
        index_t const piece = piece_of_source(g, s, id);
        bool const even =
            g[id].space == g[k].space && piece > 0 && steps_of_piece(g[id], t.loop, piece) > 0;
        if (piece == 0 || even) continue;
        if (piece * t.count * 2 > product(g[id].extent, g[id].rank)) return true;
    }
    return false;
}

// Where axes of nodes are at step i of one loop of a statement: at coef * i + offset, and what
// their boxes reach beyond that.
class places_along {
public:
    struct place {
        index_t coef = 0, offset = 0;
    };

    places_along(graph const& g, statement_id k, loop_id l) : g_(g), loops_(g.spaces.size()) {
        loops_[g[k].space].of[l].coef = 1;
        for (node_id id : g.nodes_of(k)) enter(id);
    }

    place of(node_id id, axis_id a) const {
        axis_map const& at = g_[id].at;
        place p{0, at.offset[a]};
        for (loop_id l : at.all_loops()) {
            place const& q = loops_[g_[id].space].of[l];
            p.coef += at.coef[a][l] * q.coef;
            p.offset += at.coef[a][l] * q.offset;
        }
        return p;
    }

private:
    void enter(node_id id) {
        int side = 0;
        for (node_id c : g_.operands(id)) {
            if (!g_[id].inner) return;
            space_id const own = g_[c].space;
            for (loop_id l : g_[own].loops()) loops_[own].of[l] = inside(id, c, side, l);
            ++side;
        }
    }
    // Loop l of operand c.
    place inside(node_id id, node_id c, int side, loop_id l) const {
        node const& f = g_[id];
        if (f.what == kind::contract) return l < f.rank ? of(id, axis_id(l)) : place{};
        axis_rule const r = operand_rule(f, side, l);
        place p;
        for (auto [out, by] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
            if (out < 0) continue;
            place const q = of(id, axis_id(out));
            p.coef += by * q.coef;
            p.offset += by * q.offset;
        }
        bool const second = f.what == kind::concat && c != id + 1 && l == f.axis;
        if (second) p.offset -= g_[id + 1].extent[l];
        return {p.coef / r.divide, (p.offset + r.offset) / r.divide};
    }

    struct loops_of_space {
        place of[max_axes];
    };
    graph const& g_;
    table<space_id, loops_of_space> loops_;
};

// Whether equal nodes are far apart along the tasks' loop, so that no task finds the values of one
// of them in the box of the other.
FELT_PLANNING inline bool parts_equal_nodes(graph const& g, schedule const& s, statement_id k,
                                            tasks const& t) {
    places_along const places(g, k, t.loop);
    for (node_id id : g.nodes_of(k)) {
        if (!is_reused(s, id) || s[s[id].slot].by != way::scratch || computed_first(s, id))
            continue;
        for (axis_id a : g[id].axes()) {
            auto const p = places.of(s[id].slot, a), q = places.of(id, a);
            if (a == g[id].whole || (p.coef == 0 && q.coef == 0)) continue;
            bool const near = std::abs(p.offset - q.offset) * 4 <= std::abs(p.coef) * t.step;
            if (p.coef != q.coef || !near) return true;
        }
    }
    return false;
}

// Whether tasks compute something more than 1.5 times.
inline bool tasks_repeat(graph const& g, schedule const& s, statement_id k, tasks const& t) {
    return cuts_pieces(g, s, k, t) || parts_equal_nodes(g, s, k, t) ||
           find_waste(g, s, g[k].root, g[k].space, t);
}

}  // namespace felt::inline FELT_ABI::planning::detail

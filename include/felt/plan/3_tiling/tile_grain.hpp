// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of what reads a convolution that is computed by tiles
// (2_orientation/fast_convolution.hpp): tiles begin at multiples of their results, so blocks that
// do not compute some of them twice.
#pragma once
#include <felt/plan/1_analysis/queries.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <felt/plan/schedule.hpp>
#include <numeric>

namespace felt::inline FELT_ABI::planning::detail {

struct grains {
    index_t of[max_axes];

    // Blocks along loop l are to be multiples of this too.
    void meet(loop_id l, index_t n) { of[l] = std::lcm(of[l], n); }
    // What blocks of n along l compute, in what they should.
    double excess(loop_id l, index_t n) const {
        return static_cast<double>(round_up(n, of[l])) /
               static_cast<double>(std::max<index_t>(n, 1));
    }
};

// What is read in space sp moves by `step` where loop `outer`, of which `all` knows, moves by one
// and with it loop l of this space.
inline void find_grain(graph const& g, schedule const& s, space_id sp, loop_id l, index_t step,
                       loop_id outer, grains& all) {
    for (node_id id : g.read_in(sp)) {
        node const& f = g[id];
        if (s[id].by == way::hoisted || !f.inner) continue;
        auto const moves = [&](axis_id a) { return step * f.at.coef[a][l]; };
        if (f.what == kind::contract && s[f.product].fast.by != nullptr) {
            for (image_axis const& a : s[f.product].fast.along) {
                index_t const by = moves(axis_id(a.row)), n = s[f.product].fast.by->results(a.taps);
                if (by != 0) all.meet(outer, n / std::gcd(n, by));
            }
        }
        if (f.what == kind::general) {
            for (axis_id a : g[id + 1].axes()) {
                axis_rule const& r = f.rule[a];
                if (r.out1 < 0 || r.divide != 1) continue;
                index_t const by = moves(axis_id(r.out1)) * r.stride;
                if (by != 0) find_grain(g, s, f.inner, loop_id(a), by, outer, all);
            }
        }
        if (f.what == kind::reduce) {
            for (loop_id k : g[f.inner].loops()) {
                axis_id const kept = f.axis_followed(0, k);
                if (kept < 0 || (f.mask >> k & 1U) != 0) continue;
                if (moves(kept) != 0) find_grain(g, s, f.inner, k, moves(kept), outer, all);
            }
        }
    }
}

// Of each loop of a space; 1 where nothing says more.
inline grains grains_of(graph const& g, schedule const& s, space_id sp) {
    grains all;
    std::fill(all.of, all.of + max_axes, index_t{1});
    bool any = false;
    for (product_schedule const& p : s.products) any = any || p.fast.by != nullptr;
    for (loop_id l : g[sp].loops()) {
        if (any) find_grain(g, s, sp, l, 1, l, all);
    }
    return all;
}

// The block after a loop was halved; lanes are cut in steps of 64, to no less than `floor`, others
// in steps of their grain as long as that cuts.
inline index_t halved(index_t n, bool lanes, index_t floor, index_t grain) {
    if (lanes) return n <= floor ? n : std::max(floor, round_up(n / 2, lane_step));
    if (n <= 1) return n;
    index_t const half = (n + 1) / 2;
    return n > grain ? std::min(n - 1, round_up(half, grain)) : half;
}

}  // namespace felt::inline FELT_ABI::planning::detail

// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of launches: along which of them what is read, and what is written, moves how far, and
// which of them are one.
#pragma once
#include <felt/device/plan.hpp>
#include <felt/plan/1_analysis/coalesce.hpp>
#include <numeric>

namespace felt::inline FELT_ABI::device {

namespace detail {

// The steps of one number along loops.
struct walker {
    index_t by[max_axes] = {};

    bool operator==(walker const&) const = default;
};

inline walker walker_of(index_t const* by, int rank) {
    walker w;
    std::copy(by, by + rank, w.by);
    return w;
}

inline walker row_major(index_t const* extent, int rank) {
    walker w;
    index_t n = 1;
    for (int a = rank - 1; a >= 0; --a) {
        w.by[a] = n;
        n *= extent[a];
    }
    return w;
}

// The steps along the loops of a space of all numbers that depend on them, of nodes `live`. What is
// computed before is dense.
inline std::vector<walker> walkers_of(plan const& p, std::vector<node_id> const& live,
                                      space_id in) {
    std::vector<walker> all;
    int const rank = p.g[in].rank;
    for (node_id id : live) {
        planning::node const& f = p.g[id];
        if (f.space != in) continue;
        if (f.what == kind::leaf || f.what == kind::generator) {
            all.push_back(walker_of(f.by_loop, rank));
        } else if (f.what == kind::reshape || p[id].launch) {
            index_t offset;
            planning::detail::locate(f.at, row_major(f.extent, f.rank).by, offset,
                                     all.emplace_back().by);
        } else if (f.what != kind::scalar && !reads_in_step(f)) {
            for (int a = 0; a < f.rank; ++a) all.push_back(walker_of(f.at.coef[a], rank));
        }
    }
    return all;
}

// Loops lo .. hi-1 of w with those of one index in front, and with neighbours as one where every
// walker allows it.
inline void merge_range(walk& w, int lo, int hi, std::vector<walker>& all) {
    constexpr auto how = planning::detail::nesting::row_major;
    int rank = hi - lo;
    int* const axis = w.axis + lo;
    planning::detail::walked_loops in{w.extent + lo, rank, {}};
    for (walker& each : all) in.strides.push_back(each.by + lo);
    for (planning::loop_id l{rank - 2}; l >= 0; --l) {
        if (!in.nests(l, how)) continue;
        axis[l] = axis[in.merge(l, how)];
        planning::detail::drop(axis, planning::loop_id(l + 1), rank + 1);
    }
    if (rank == 1 && in.extent[0] == 1) rank = 0;
    auto const to_the_end = [&](auto* x, int front) {
        std::copy_backward(x, x + rank, x + (hi - lo));
        std::fill(x, x + (hi - lo - rank), front);
    };
    to_the_end(in.extent, 1);
    to_the_end(axis, -1);
    for (index_t* by : in.strides) to_the_end(by, 0);
}

// The same of two ranges, of which the second one begins at loop `kept`; and how far walkers reach.
inline void merge(walk& w, std::vector<walker>& all) {
    merge_range(w, 0, w.kept, all);
    merge_range(w, w.kept, w.rank, all);
    for (walker const& each : all) {
        for (int l = 0; l < w.rank; ++l) w.reach[l] = std::max(w.reach[l], std::abs(each.by[l]));
    }
}

// Loops over axes of these extents, with what walks along them.
inline walk walk_over(index_t const* extent, int rank, std::vector<walker> all) {
    walk w;
    w.rank = rank;
    std::copy(extent, extent + rank, w.extent);
    std::iota(w.axis, w.axis + rank, 0);
    merge(w, all);
    w.in_order = rank > 0 && w.size() == w.extent[rank - 1] &&
                 std::all_of(all.begin(), all.end(),
                             [&](walker const& each) { return each.by[rank - 1] == 1; });
    return w;
}

// What a launch does over axes of these extents, of which walkers `all` read but for so many that
// write. `in_order`: a transform is compiled for it.
inline void choose_form(launch_facts& l, index_t const* extent, int rank, std::vector<walker> all,
                        int results, bool in_order) {
    int const operands = static_cast<int>(all.size()) - results;
    l.loops = walk_over(extent, rank, std::move(all));
    in_order = in_order && l.loops.in_order && operands <= most_operands;
    l.how = in_order ? form::transform : form::loops;
}

// Of a reduction: its operand's axes, those that stay before those that do not.
inline walk walk_to_fold(plan const& p, node_id id, std::vector<node_id> const& live) {
    planning::node const &f = p.g[id], &x = p.g[id + 1];
    walk w;
    for (bool summed : {false, true}) {
        for (int a = 0; a < x.rank; ++a) {
            if ((f.mask >> a & 1U) != summed) continue;
            w.extent[w.rank] = x.extent[a];
            w.axis[w.rank++] = a;
        }
        if (!summed) w.kept = w.rank;
    }
    auto all = walkers_of(p, live, f.inner);
    for (walker& each : all) {
        walker const by_axis = each;
        for (int l = 0; l < w.rank; ++l) each.by[l] = by_axis.by[w.axis[l]];
    }
    merge(w, all);
    return w;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::device

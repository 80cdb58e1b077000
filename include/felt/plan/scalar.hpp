// SPDX-License-Identifier: BSD-3-Clause
//
// runs_by_element(p, id): whether the loop of a node has no vector form: a function that only
// knows numbers, indices that pick or add along the lanes, scans of a few rows along them, memory
// at wide steps. A plan says so.
#pragma once
#include <felt/plan/place.hpp>

namespace felt::planning {

namespace detail {

// Registers serve elements that are one value, contiguous, backwards or a few apart.
inline bool is_wide(index_t step) { return step < -1 || step > 4; }

// Memory read at wide steps along `lane`, and contiguous along no other loop: then it would be
// transposed.
inline bool strays(index_t const* stride, index_t const* extent, int rank, int lane) {
    if (lane < 0 || extent[lane] < 2 || !is_wide(stride[lane])) return false;
    for (int l = 0; l < rank; ++l) {
        if ((stride[l] == 1 || stride[l] == -1) && extent[l] > 1) return false;
    }
    return true;
}

// A view copies rows of a leaf: the step between the elements of a row.
inline index_t step_of_rows(plan const& p, int id) {
    node_facts const &f = p.at(id), &x = p.at(id + 1);
    if (x.what != kind::leaf || f.rank == 0 || x.rank == 0) return 1;
    if (f.what == kind::reshape) return x.stride[x.rank - 1];
    int const last = axis_of_lanes(p, id);
    for (int a = 0; a < x.rank; ++a) {
        axis_rule const& r = f.rule[a];
        if (r.out1 == last && r.divide == 1) return r.stride * x.stride[a];
        if (r.out2 == last) return r.dilation * x.stride[a];
    }
    return 1;
}

}  // namespace detail

inline bool runs_by_element(plan const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.scalar_only) return true;
    if (f.space < 0) return false;
    loop_space const& in = p.loop(f.space);
    switch (f.what) {
        case kind::leaf:
            return detail::strays(f.by_loop, in.extent, in.rank, in.lane);
        case kind::scan:
            return detail::waits(p, f, f.held) > 1;
        case kind::gather:
        case kind::scatter:
            return axis_of_lanes(p, id) == f.axis;
        case kind::general:
        case kind::reshape:
            return f.by != way::streamed && detail::is_wide(detail::step_of_rows(p, id));
        default:
            return false;
    }
}

}  // namespace felt::planning

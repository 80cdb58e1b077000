// SPDX-License-Identifier: BSD-3-Clause
//
// runs_by_element(g, s, id): whether the loop of a node has no vector form: a function that only
// knows numbers, indices that pick or add along the lanes, scans of a few rows along them, memory
// at wide steps. A plan says so.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/3_tiling/cost_model.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Registers serve elements that are one value, contiguous, backwards or a few apart.
inline bool is_wide(index_t step) { return step < -1 || step > widest_step; }

// Memory read at wide steps along `lane`, and contiguous along no other loop: then it would be
// transposed.
inline bool strays(index_t const* stride, index_t const* extent, int rank, loop_id lane) {
    if (lane < 0 || extent[lane] < 2 || !is_wide(stride[lane])) return false;
    for (loop_id l{0}; l < rank; ++l) {
        if ((stride[l] == 1 || stride[l] == -1) && extent[l] > 1) return false;
    }
    return true;
}

// A view copies rows of a leaf: the step between the elements of a row.
inline index_t step_of_rows(graph const& g, schedule const& s, node_id id) {
    node const &f = g[id], &x = g[id + 1];
    if (x.what != kind::leaf || f.rank == 0 || x.rank == 0) return 1;
    index_t const* const stride = strides_of(g, s, id + 1);
    if (f.what == kind::reshape) return stride[x.rank - 1];
    int const last = axis_of_lanes(g, s, id);
    for (axis_id a : x.axes()) {
        axis_rule const& r = f.rule[a];
        if (r.out1 == last && r.divide == 1) return r.stride * stride[a];
        if (r.out2 == last) return r.dilation * stride[a];
    }
    return 1;
}

}  // namespace detail

inline bool runs_by_element(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    if (f.scalar_only) return true;
    if (!f.space) return false;
    loop_space const& in = g[f.space];
    switch (f.what) {
        case kind::leaf:
            return detail::strays(by_loop_of(g, s, id), in.extent, in.rank, s[f.space].lane);
        case kind::scan:
            return detail::waits(g, s, id, s[id].held) > 1;
        case kind::gather:
        case kind::scatter:
            return axis_of_lanes(g, s, id) == f.axis;
        case kind::general:
        case kind::reshape:
            return s[id].by != way::streamed && detail::is_wide(detail::step_of_rows(g, s, id));
        default:
            return false;
    }
}

}  // namespace felt::inline FELT_ABI::planning

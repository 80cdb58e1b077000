// SPDX-License-Identifier: BSD-3-Clause
//
// loop_view: loops as they are run, what they are and what is decided about them side by side.
#pragma once
#include <felt/host/copy.hpp>
#include <felt/plan/1_analysis/place.hpp>

namespace felt::inline FELT_ABI::host {

struct loop_view {
    int rank, lane;
    index_t const *extent, *block;
    planning::loop_id const* order;
    index_t mirror;

    loop_view(planning::loop_space const& in, planning::loop_schedule const& how)
        : rank(in.rank),
          lane(how.lane),
          extent(in.extent),
          block(how.block),
          order(how.order),
          mirror(how.mirror) {}

    // The same loops, cut into other blocks, which stay where they are.
    loop_view by_blocks(index_t const* other) const {
        loop_view cut = *this;
        cut.block = other;
        return cut;
    }
};

}  // namespace felt::inline FELT_ABI::host

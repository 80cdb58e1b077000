// SPDX-License-Identifier: BSD-3-Clause
//
// What the stages of a run took, by node.
#pragma once
#include <felt/plan/ids.hpp>

namespace felt::inline FELT_ABI::planning {

// What a run took: its stages, which are nodes with boxes of their own, each without those that it
// reads, and all of it. The rest are the statements' own loops.
struct stage_seconds {
    table<node_id, double> of_node;
    double all = 0;

    double of(node_id id) const { return id < of_node.end_id() ? of_node[id] : 0; }
};

}  // namespace felt::inline FELT_ABI::planning

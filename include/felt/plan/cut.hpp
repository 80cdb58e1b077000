// SPDX-License-Identifier: BSD-3-Clause
//
// A statement that stands alone is cut into blocks; what would be computed too often is computed
// first, as a whole.
#pragma once
#include <felt/plan/home.hpp>
#include <felt/plan/hoist.hpp>

namespace felt::planning::detail {

// Whether labels that count as one in a product are one axis of the destination too.
inline bool one_axis(statement_facts const& to, int const* label, int count) {
    for (int i = 0; i + 1 < count; ++i) {
        if (to.stride[label[i]] != to.stride[label[i + 1]] * to.extent[label[i + 1]]) return false;
    }
    return true;
}

// Whether the product at the root can be written where it belongs: columns are contiguous there.
FELT_PLANNING inline bool stores_itself(plan const& p, statement_facts const& to) {
    node_facts const& f = p.at(to.root);
    if (f.what != kind::contract || f.rank != to.rank) return false;
    contract_roles const r = roles_of(p, to.root);
    return r.lane >= 0 && to.by_loop[r.lane] == 1 && one_axis(to, r.column, r.columns) &&
           one_axis(to, r.row, r.rows);
}

// The node read in a statement's loops whose box takes most scratch; -1 if there is none.
inline int largest_box(plan const& p, statement_facts const& to) {
    index_t largest = 0;
    int found = -1;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (f.space != to.space || f.by != way::scratch || f.scratch_bytes <= largest) continue;
        largest = f.scratch_bytes;
        found = id;
    }
    return found;
}

// Cut the loops; while that computes something more than 1.5 times on average, hoist the node
// that wastes most.
FELT_PLANNING inline void cut(plan& p, statement_facts const& to) {
    loop_space& in = p.loop(to.space);
    node_facts& root = p.at(to.root);
    for (;;) {
        // A product of what lies in memory blocks itself and needs no loops around it.
        bool const alone =
            stores_itself(p, to) && !is_computed(p, root.inner) && !is_computed(p, root.inner + 1);
        if (alone) {
            space_need(p, to.space, in.block);
            root.direct = !to.temporary;
            root.scratch_bytes = packed_bytes(root);
            return;
        }
        choose_block(p, to.space, in.extent, scratch_limit);
        bool const too_large = !fits(space_need(p, to.space, in.block), scratch_limit);
        if (keep_product_home(p, to)) continue;
        count_times(p, to.root, to.space);
        auto const waste = find_waste(p, to.root, to.space);
        if (waste.worst >= 0 && waste.actual > most_times * waste.ideal) {
            hoist(p, to, waste.worst, "block by block it would be computed more than 1.5 times");
            continue;  // blocks anew
        }
        int const below = find_waste_below(p, to.root, to.space);
        if (below >= 0) {
            hoist(p, to, below, "inside of other loops it would be computed more than 4 times");
            continue;
        }
        int const largest = too_large ? largest_box(p, to) : -1;
        if (largest < 0) return;
        hoist(p, to, largest, "its block does not fit in scratch");
    }
}

}  // namespace felt::planning::detail

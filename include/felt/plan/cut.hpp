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

// A product whose operands are computed takes them for fewer terms at a time; whether it could.
inline bool take_fewer_terms(plan& p, statement_facts const& to) {
    constexpr index_t few = 64;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts& f = p.at(id);
        if (f.what != kind::contract || f.space != to.space || f.by != way::scratch) continue;
        bool const computed = is_computed(p, f.inner) || is_computed(p, f.inner + 1);
        if (!computed || f.chunk[2] <= few || f.scratch_bytes <= scratch_limit / 2) continue;
        f.most_terms = std::max(few, f.chunk[2] / 2);
        return true;
    }
    return false;
}

// The node read in a statement's loops whose box takes most scratch, or in those of a product that
// is written where it belongs; -1 if there is none.
inline int largest_box(plan const& p, statement_facts const& to) {
    index_t largest = 0;
    int found = -1;
    int const first = stores_itself(p, to) ? p.at(to.root).inner : to.space;
    int const last = first == to.space ? first : first + 1;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        bool const here = f.space >= first && f.space <= last;
        if (!here || f.by != way::scratch || f.scratch_bytes <= largest) continue;
        largest = f.scratch_bytes;
        found = id;
    }
    return found;
}

// Whether boxes of scan `id` can go on from each other: a loop of the statement runs along its
// axis.
inline bool may_carry(plan const& p, statement_facts const& to, int id) {
    node_facts const& f = p.at(id);
    if (f.what != kind::scan || f.carried || f.space != to.space || has_twin(p, to, id))
        return false;
    if (f.slot != id) return false;
    int along = 0;
    bool forward = true;
    for (int l = 0; l < f.at.loops; ++l) {
        along += f.at.coef[f.whole][l] != 0;
        forward = forward && f.at.coef[f.whole][l] >= 0;
    }
    return along == 1 && forward;
}

// A scan of which boxes would not go on from each other, for the order of the loops; -1: none.
inline int interrupted(plan const& p, statement_facts const& to) {
    for (int id : p.read_in(to.space)) {
        node_facts const& f = p.at(id);
        bool const carried = f.carried && f.by == way::scratch;
        if (carried && recompute(p.loop(to.space), f, p.loop(to.space).block) > 1) return id;
    }
    return -1;
}

// Cut the loops; while that computes something more than 1.5 times, hoist the value that wastes
// most.
FELT_PLANNING inline void cut(plan& p, statement_facts const& to) {
    loop_space& in = p.loop(to.space);
    node_facts& root = p.at(to.root);
    for (;;) {
        // A product of what lies in memory blocks itself and needs no loops around it.
        bool const alone =
            stores_itself(p, to) && !is_computed(p, root.inner) && !is_computed(p, root.inner + 1);
        if (alone) {
            std::copy(in.extent, in.extent + in.rank, in.block);
            space_need(p, to.space, in.block);
            root.direct = !to.temporary;
            root.scratch_bytes = packed_bytes(root);
            return;
        }
        choose_block(p, to.space, in.extent, scratch_limit);
        bool const too_large = !fits(space_need(p, to.space, in.block), scratch_limit);
        if (keep_product_home(p, to)) continue;
        int const waste = find_waste(p, to.root, to.space);
        if ((waste >= 0 || too_large) && take_fewer_terms(p, to)) continue;
        if (waste >= 0) {
            hoist(p, to, waste, "inside of its loops it would be computed more than 1.5 times");
            continue;  // blocks anew
        }
        int const broken = interrupted(p, to);
        if (broken >= 0) {
            hoist(p, to, broken, "its boxes do not follow each other in the loops");
            continue;
        }
        int const largest = too_large ? largest_box(p, to) : -1;
        if (largest < 0) return;
        if (may_carry(p, to, largest)) {
            p.at(largest).carried = true;
            continue;
        }
        hoist(p, to, largest, "its block does not fit in scratch");
    }
}

}  // namespace felt::planning::detail

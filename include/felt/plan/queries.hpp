// SPDX-License-Identifier: BSD-3-Clause
//
// What those who carry out a plan ask it, beside the facts of its nodes.
#pragma once
#include <felt/plan/loops.hpp>

namespace felt::planning {

// The extent of the axis along which sum `id` is cut.
inline index_t summed_extent(loops const& p, int id) {
    return p.loop(p.at(id).inner).extent[p.at(id).strip];
}

// How many parts a sum that is computed first has.
inline long parts_of(loops const& p, int id) {
    index_t const part = p.at(id).part;
    return static_cast<long>((summed_extent(p, id) + part - 1) / part);
}

namespace detail {

// Whether the box of node f moves with loop l of its reader: it does not along what it has all of.
inline bool box_moves(node_facts const& f, int l) {
    for (int a = 0; a < f.rank; ++a) {
        if (a != f.whole && f.at.coef[a][l] != 0) return true;
    }
    return false;
}

// Whether a view that only shifts has its source computed where its own elements are.
inline bool computes_source(loops const& p, int id) {
    return shifts(p.at(id), p.at(id + 1).rank) && !lies_in_memory(p.node, id + 1);
}

// Whether nothing below is computed block by block, so that its values stay the same.
inline bool is_fixed(loops const& p, int id) {
    for (int x = id + 1; x < p.at(id).end; ++x) {
        if (p.at(x).by == way::scratch) return false;
    }
    return true;
}

}  // namespace detail

}  // namespace felt::planning

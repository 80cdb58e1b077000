// SPDX-License-Identifier: BSD-3-Clause
//
// What is copied of a node's values for its reader: a box whose reader's lanes run across it,
// values that are kept for a block.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/coalesce.hpp>
#include <felt/plan/2_orientation/orient.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Whether a node that is not streamed holds its values contiguously along axis a, which its
// reader's lanes follow. A product mostly does: columns are chosen so.
inline bool contiguous_along(graph const& g, schedule const& s, node_id id, axis_id a) {
    node const& f = g[id];
    if (f.what == kind::reshape) return a == f.rank - 1;
    if (f.what == kind::contract) return a == s[f.product].axes.n.last();
    bool const as_operand = lies_as_operand(f);
    loop_id const lane = f.what == kind::reduce || as_operand ? s[f.inner].lane : loop_id();
    axis_id const axis = lane < 0 || as_operand ? axis_id(lane) : axis_of_loop(f, lane);
    return axis < 0 || axis == a;
}

// Whether its reader's lanes run across: then what it holds, or the equal node whose box it reads,
// is copied to where they are contiguous.
inline bool read_across(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    loop_id const lane = s[f.space].lane;
    axis_id along;
    for (axis_id a{0}; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] == 0) continue;
        if (f.at.coef[a][lane] != 1 || along >= 0) return true;
        along = a;
    }
    node_id const holder = is_reused(s, id) ? s[id].slot : id;
    return along >= 0 && !contiguous_along(g, s, holder, along);
}

// What is copied of a box for the lanes of its reader: an element for each point that moves it.
inline index_t staged_bytes(graph const& g, node_id id, index_t const* block) {
    node const& f = g[id];
    unsigned const moves = moving_loops(f);
    index_t points = 1;
    for (loop_id l : g[f.space].loops()) points *= (moves >> l & 1U) != 0 ? block[l] : 1;
    return (points + 64) * f.value_bytes;
}

inline index_t kept_bytes(graph const& g, node_id id, index_t const* block) {
    node const& f = g[id];
    loop_space const& in = g[f.space];
    unsigned const moves = f.at.loops == in.rank ? moving_loops(f) : ~0U;
    index_t values = f.value_bytes;
    bool stays = false;
    for (loop_id l : in.loops()) {
        if ((moves >> l & 1U) != 0) values *= block[l];
        else stays = stays || block[l] > 1;
    }
    if (!stays || values > most_kept_bytes) return 0;
    bool const repeated = values <= repeated_row * f.value_bytes;
    return values + (repeated ? repeated_elements + 128 : 64) * f.value_bytes;
}

}  // namespace felt::inline FELT_ABI::planning::detail

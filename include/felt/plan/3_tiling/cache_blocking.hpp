// SPDX-License-Identifier: BSD-3-Clause
//
// How much of its operands a product takes at a time, so that they stay in the caches.
#pragma once
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <felt/plan/2_orientation/contraction_axes.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::planning {

namespace detail {

inline index_t product(index_t const* n, int rank) {
    index_t all = 1;
    for (axis_id a{0}; a < rank; ++a) all *= n[a];
    return all;
}

// Whether product id has so few rows, as a whole, that the right operand is streamed as it lies.
inline bool streams_right(graph const& g, schedule const& s, node_id id) {
    product_schedule const& p = s[g[id].product];
    loop_space const& in = g[g[id].inner];
    loop_id const lane = s[g[id].inner + 1 - p.rows_from].lane;
    index_t most = few_rows;
    if (p.axes.k.count == 1 && lane == p.axes.k.last())
        most = std::clamp(in.extent[lane] / terms_of_a_dot_row, any_dot_rows, few_dot_rows);
    return p.axes.m.points(in.extent) <= most && !g[id].carries_softmax;
}

// Shared terms at a time: with few columns there is room for more; most if they are streamed.
inline index_t shared_limit(bool streamed, index_t columns, index_t value_bytes) {
    if (streamed) return terms_of_few_rows;
    index_t const wide = std::clamp<index_t>(columns, 1, most_nc);
    index_t const most = std::max(most_kc, most_term_bytes / value_bytes);
    return std::clamp(pack_bytes / (wide * value_bytes), most_kc, most);
}

// The length of equal pieces of n that are at most `limit` long.
inline index_t even_pieces(index_t n, index_t limit) {
    index_t const pieces = (n + limit - 1) / std::max<index_t>(limit, 1);
    return (n + pieces - 1) / std::max<index_t>(pieces, 1);
}

// Labels are cut from the outermost until a piece has at most `limit` terms.
FELT_PLANNING inline void cut_terms(label_list const& terms_of, index_t const* extent,
                                    index_t limit, index_t* block) {
    index_t terms = 1;
    for (label_id l : terms_of) terms *= block[l] = extent[l];
    for (int i = 0; i < terms_of.count && terms > limit; ++i) {
        index_t& b = block[terms_of[i]];
        index_t const rest = terms / std::max<index_t>(b, 1);
        b = even_pieces(b, std::max<index_t>(1, limit / std::max<index_t>(rest, 1)));
        terms = rest * b;
    }
}

// Row labels, the outermost, along which a product goes one by one: those that do not follow each
// other where it is kept, unless its left operand is read where it lies, in any order.
inline int rows_apart(graph const& g, schedule const& s, node_id id) {
    placement const& f = s[id];
    product_schedule const& p = s[g[id].product];
    label_list const& rows = p.axes.m;
    if (f.reused == nullptr || p.left_in_place) return 0;
    int i = rows.count - 1;
    while (i > 0 && f.stride[rows[i - 1]] == f.stride[rows[i]] * f.held[rows[i]]) --i;
    return std::max(i, 0);
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// Products of which all factors are narrower than the numbers that they are computed with: the
// processor may multiply and add several of their terms at a time.
#pragma once
#include <felt/plan/1_analysis/queries.hpp>
#include <string_view>

namespace felt::inline FELT_ABI::planning::detail {

// What holds all values of node id: it converts such, or is a view of what does, with zeros beyond.
inline narrow_type narrow_type_of(graph const& g, node_id id) {
    while (g[id].what == kind::affine ||
           (g[id].what == kind::general && (!g[id].inner || g[id].zero_fill)))
        ++id;
    bool const converts = g[id].what == kind::map && g[id].flops == 0;
    if (!converts) return narrow_type::none;
    std::string_view const from = g[id + 1].type, to = g[id].type;
    if (to == "float" && from == "bfloat16") return narrow_type::bfloat16;
    if (to != "int32") return narrow_type::none;
    if (from == "int8") return narrow_type::int8;
    return from == "uint8" ? narrow_type::uint8 : narrow_type::none;
}

// Bytes are multiplied where one factor has no sign, or the left one gets none by an offset.
inline bool has_dots(narrow_type left, narrow_type right) {
    if (left == narrow_type::none || right == narrow_type::none) return false;
    if (left == narrow_type::bfloat16) return FELT_BFLOAT16_DOTS;
    return FELT_BYTE_DOTS && (left == narrow_type::int8 || right == narrow_type::int8);
}

// To turn a right operand of few rows into words takes longer than to stream it as floats. Rows of
// floats that lie in memory are read there, unless they are of pairs too: words begin anew
// where the innermost of the shared axes does. (Bytes are a quarter of them, and worth a copy.)
inline bool words_pay(graph const& g, schedule const& s, node_id id, narrow_type left) {
    product_schedule const& p = s[g[id].product];
    if (left != narrow_type::bfloat16) return true;
    if (p.streams_right) return false;
    if (!p.left_in_place) return true;
    index_t run = 1;
    for (label_id l : p.axes.k) {
        index_t const n = g[g[id].inner].extent[l];
        if (n > 1) run = n;
    }
    return run % 2 == 0 && run >= 16;
}

inline void find_narrow_factors(graph const& g, schedule& s, node_id id) {
    product_schedule& p = s[g[id].product];
    narrow_type const a = narrow_type_of(g, g.operand(id, 0)),
                      b = narrow_type_of(g, g.operand(id, 1));
    if (has_dots(a, b) && words_pay(g, s, id, a)) p.factor[0] = a, p.factor[1] = b;
}

}  // namespace felt::inline FELT_ABI::planning::detail

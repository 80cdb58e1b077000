// SPDX-License-Identifier: BSD-3-Clause
//
// The labels of a contraction: which are rows, columns, batches and shared, and whether an operand
// lies in memory as the loops over them want it.
#pragma once
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/block_diagonal.hpp>
#include <algorithm>

namespace felt::planning {

// How the labels of a contraction divide. Rows come from operand `left`, columns from `right`;
// `lane` is the column label that is contiguous in the product's scratch. The shared label of a
// block-diagonal operand is none of the shared ones: it is a batch.
struct contract_roles {
    int batch[max_axes] = {}, row[max_axes] = {}, column[max_axes] = {}, shared[max_axes] = {};
    int batches = 0, rows = 0, columns = 0, shareds = 0;
    int lane = -1;
    block_diagonal diagonal;
};

namespace detail {

// `last` moves to the end, if it is one of the labels.
inline void put_last(int* label, int count, int last) {
    int* const end = label + count;
    int* const at = std::find(label, end, last);
    if (at != end) std::rotate(at, at + 1, end);
}

}  // namespace detail

FELT_PLANNING inline contract_roles roles_of(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    contract_roles r;
    bool has[2][max_axes] = {};
    for (int side = 0; side < 2; ++side) {
        int const rank = g[g.operand(id, side)].rank;
        for (int a = 0; a < rank; ++a) has[side][f.label[side][a]] = true;
    }
    int const left = s[id].swapped ? 1 : 0;
    int const labels = g[f.inner].rank;
    r.diagonal = diagonal_of(g, id);
    for (int l = 0; l < labels; ++l) {
        if (l == r.diagonal.term) continue;
        if (l >= f.rank) r.shared[r.shareds++] = l;
        else if (has[left][l] && has[1 - left][l]) r.batch[r.batches++] = l;
        else if (has[left][l]) r.row[r.rows++] = l;
        else r.column[r.columns++] = l;
    }
    detail::put_last(r.shared, r.shareds, s[id].last_shared);
    detail::put_last(r.row, r.rows, s[id].last_row);
    // The reader's lanes last among the columns.
    int const lane = s[f.space].columns_along();
    for (int c = 0; c + 1 < r.columns && lane >= 0; ++c) {
        if (f.at.coef[r.column[c]][lane] != 0) {
            detail::put_last(r.column, r.columns, r.column[c]);
            break;
        }
    }
    if (r.columns > 0) r.lane = r.column[r.columns - 1];
    return r;
}

// Whether axis a of product id comes from the operand whose side is the columns.
inline bool is_column(graph const& g, schedule const& s, node_id id, int a) {
    int const right = s[id].swapped ? 0 : 1;
    int const* const label = g[id].label[right];
    return std::count(label, label + g[g.operand(id, right)].rank, a) > 0;
}

// The axis of a node that its reader's lanes follow; the last if none does.
inline int axis_of_lanes(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    int const lane = s[f.space].lane;
    for (int a = 0; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) return a;
    }
    return f.rank - 1;
}

namespace detail {

// What an operand of a product reads as memory: a leaf, or a box of scratch, through views that
// are only strides; none if neither.
inline node_id memory_below(graph const& g, node_id x) {
    while (g[x].what == kind::affine || (g[x].what == kind::general && !g[x].inner)) ++x;
    return g[x].what == kind::leaf || g[x].what == kind::general ? x : node_id{};
}

// The step along loop l of what lies in memory, of a box of scratch in elements of its lanes.
inline index_t step_along(graph const& g, schedule const& s, node_id x, int l) {
    if (g[x].what == kind::leaf) return by_loop_of(g, s, x)[l];
    return g[x].at.coef[axis_of_lanes(g, s, x)][l];
}

// Whether an operand of product id lies in memory so that the loops walk through it: terms of the
// left operand are contiguous, or its rows; columns of the right one. Rows 4 KiB apart fall into
// the same few lines of a first-level cache: then a left operand is packed that more than one strip
// of columns reads, and a right one that many strips of rows read.
inline bool lies_in_place(graph const& g, schedule const& s, node_id id, contract_roles const& r,
                          int side) {
    node const& f = g[id];
    bool const left = side == (s[id].swapped ? 1 : 0);
    if (r.shareds < 1 || (left ? r.rows : r.columns) < 1 || (!left && r.columns > 1)) return false;
    node_id const x = memory_below(g, g.operand(id, side));
    if (!x) return false;
    int const term = r.shared[r.shareds - 1];
    int const own = left ? r.row[r.rows - 1] : r.column[0];
    int const lane = s[f.inner + side].lane;
    node const& memory = g[x];
    bool const boxed = memory.what != kind::leaf, windows = boxed || r.shareds > 1;
    bool const along = left ? lane == term || (windows && lane == own) : lane == own;
    if (!along || step_along(g, s, x, lane) != 1) return false;
    if (boxed) return left;
    index_t readers = 1;
    for (int i = 0; left && i < r.columns; ++i) readers *= f.extent[r.column[i]];
    for (int i = 0; !left && i < r.rows; ++i) readers *= f.extent[r.row[i]];
    index_t const apart = by_loop_of(g, s, x)[lane == own ? term : own] * memory.value_bytes;
    return apart % page != 0 || readers <= (left ? many_columns : many_rows);
}

// The axes of node id along which its product, or the one that a view reads, has its columns; those
// along its reader's lanes if that is not known.
inline unsigned column_axes(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    int const lane = s[f.space].lane;
    unsigned axes = 0;
    for (int a = 0; a < f.rank; ++a) {
        bool const along = f.what == kind::contract ? is_column(g, s, id, a)
                                                    : lane >= 0 && f.at.coef[a][lane] != 0;
        axes |= along ? 1U << a : 0U;
    }
    if (f.what != kind::general || !f.inner) return axes;
    for (node_id x : g.read_in(f.inner)) {
        node const& product = g[x];
        if (product.what != kind::contract) continue;
        unsigned const columns = column_axes(g, s, x);
        axes = 0;
        for (int l = 0; l < g[f.inner].rank; ++l) {
            int const axis = followed_axis(f, l);
            for (int a = 0; a < product.rank; ++a) {
                bool const moves = (columns >> a & 1U) != 0 && product.at.coef[a][l] != 0;
                axes |= moves && axis >= 0 ? 1U << axis : 0U;
            }
        }
        break;
    }
    return axes;
}

inline bool lies_in_box(graph const& g, node_id x) {
    node_id const memory = memory_below(g, x);
    return memory && g[memory].what == kind::general;
}

}  // namespace detail
}  // namespace felt::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// The labels of a contraction: which are rows, columns, batches and shared, and whether an operand
// lies in memory as the loops over them want it.
#pragma once
#include <felt/plan/diagonal.hpp>
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

FELT_PLANNING inline contract_roles roles_of(loops const& p, int id) {
    node_facts const& f = p.at(id);
    contract_roles r;
    bool has[2][max_axes] = {};
    int operand = id + 1;
    for (int side = 0; side < 2; ++side) {
        node_facts const& x = p.at(operand);
        for (int a = 0; a < x.rank; ++a) has[side][f.label[side][a]] = true;
        operand = x.end;
    }
    int const left = f.swapped ? 1 : 0;
    int const labels = p.loop(f.inner).rank;
    r.diagonal = diagonal_of(p, id);
    for (int l = 0; l < labels; ++l) {
        if (l == r.diagonal.term) continue;
        if (l >= f.rank) r.shared[r.shareds++] = l;
        else if (has[left][l] && has[1 - left][l]) r.batch[r.batches++] = l;
        else if (has[left][l]) r.row[r.rows++] = l;
        else r.column[r.columns++] = l;
    }
    detail::put_last(r.shared, r.shareds, f.last_shared);
    detail::put_last(r.row, r.rows, f.last_row);
    // The reader's lanes last among the columns.
    int const lane = p.loop(f.space).columns_along();
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
inline bool is_column(loops const& p, int id, int a) {
    node_facts const& f = p.at(id);
    int const right = f.swapped ? 0 : 1, x = right == 0 ? id + 1 : p.at(id + 1).end;
    return std::count(f.label[right], f.label[right] + p.at(x).rank, a) > 0;
}

// The axis of a node that its reader's lanes follow; the last if none does.
inline int axis_of_lanes(loops const& p, int id) {
    node_facts const& f = p.at(id);
    int const lane = p.loop(f.space).lane;
    for (int a = 0; a < f.rank && lane >= 0; ++a) {
        if (f.at.coef[a][lane] != 0) return a;
    }
    return f.rank - 1;
}

namespace detail {

// What an operand of a product reads as memory: a leaf, or a box of scratch, through views that
// are only strides; -1 if neither.
inline int memory_below(loops const& p, int x) {
    while (p.at(x).what == kind::affine ||
           (p.at(x).what == kind::general && p.at(x).by == way::streamed)) {
        ++x;
    }
    node_facts const& f = p.at(x);
    return f.what == kind::leaf || f.what == kind::general ? x : -1;
}

// The step along loop l of what lies in memory, of a box of scratch in elements of its lanes.
inline index_t step_along(loops const& p, int x, int l) {
    node_facts const& f = p.at(x);
    if (f.what == kind::leaf) return f.by_loop[l];
    return f.at.coef[axis_of_lanes(p, x)][l];
}

// Whether an operand of product id lies in memory so that the loops walk through it: terms of the
// left operand are contiguous, or its rows; columns of the right one. Rows 4 KiB apart fall into
// the same few lines of a first-level cache: then a left operand is packed that more than one strip
// of columns reads, and a right one that many strips of rows read.
inline bool lies_in_place(loops const& p, int id, contract_roles const& r, int side) {
    constexpr index_t many_rows = 256, many_columns = 32, page = 4096;
    node_facts const& f = p.at(id);
    bool const left = side == (f.swapped ? 1 : 0);
    if (r.shareds < 1 || (left ? r.rows : r.columns) < 1 || (!left && r.columns > 1)) return false;
    int const x = memory_below(p, side == 0 ? id + 1 : p.at(id + 1).end);
    if (x < 0) return false;
    int const term = r.shared[r.shareds - 1];
    int const own = left ? r.row[r.rows - 1] : r.column[0];
    int const lane = p.loop(f.inner + side).lane;
    node_facts const& memory = p.at(x);
    bool const boxed = memory.what != kind::leaf, windows = boxed || r.shareds > 1;
    bool const along = left ? lane == term || (windows && lane == own) : lane == own;
    if (!along || step_along(p, x, lane) != 1) return false;
    if (boxed) return left;
    index_t readers = 1;
    for (int i = 0; left && i < r.columns; ++i) readers *= f.extent[r.column[i]];
    for (int i = 0; !left && i < r.rows; ++i) readers *= f.extent[r.row[i]];
    index_t const apart = memory.by_loop[lane == own ? term : own] * memory.value_bytes;
    return apart % page != 0 || readers <= (left ? many_columns : many_rows);
}

// The axes of node id along which its product, or the one that a view reads, has its columns; those
// along its reader's lanes if that is not known.
inline unsigned column_axes(loops const& p, int id) {
    node_facts const& f = p.at(id);
    int const lane = p.loop(f.space).lane;
    unsigned axes = 0;
    for (int a = 0; a < f.rank; ++a) {
        bool const along =
            f.what == kind::contract ? is_column(p, id, a) : lane >= 0 && f.at.coef[a][lane] != 0;
        axes |= along ? 1U << a : 0U;
    }
    for (int x = id + 1; x < f.end && f.what == kind::general; ++x) {
        node_facts const& product = p.at(x);
        if (product.what != kind::contract || product.space != f.inner) continue;
        unsigned const columns = column_axes(p, x);
        axes = 0;
        for (int l = 0; l < p.loop(f.inner).rank; ++l) {
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

inline bool lies_in_box(loops const& p, int x) {
    int const memory = memory_below(p, x);
    return memory >= 0 && p.at(memory).what == kind::general;
}

inline double elements(node_facts const& f) {
    double n = 1;
    for (int a = 0; a < f.rank; ++a) n *= static_cast<double>(f.extent[a]);
    return n;
}

}  // namespace detail
}  // namespace felt::planning

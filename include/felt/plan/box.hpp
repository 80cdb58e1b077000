// SPDX-License-Identifier: BSD-3-Clause
//
// Boxes of indices, and the affine maps by which a node's axes follow the loops around it.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/plan/ids.hpp>

namespace felt::inline FELT_ABI::planning {

inline constexpr int max_axes = static_cast<int>(max_loops);

// Copies n of max_axes numbers, one by one: registers that load eight numbers at once would wait
// until those that were just stored one by one have left the store buffer.
FELT_INLINE void copy_axes(index_t* to, index_t const* from, int n) {
    for (int a = 0; a < n; ++a) {
        asm("" : "+r"(to));  // stays a loop
        to[a] = from[a];
    }
}

// lo[a] <= index[a] < hi[a].
struct box {
    int rank = 0;
    index_t lo[max_axes] = {};
    index_t hi[max_axes] = {};

    box() = default;
    box(box const& b) { *this = b; }
    box& operator=(box const& b) {
        rank = b.rank;
        copy_axes(lo, b.lo, rank);
        copy_axes(hi, b.hi, rank);
        return *this;
    }

    index_t extent(int a) const { return hi[a] - lo[a]; }
    index_t size() const {
        index_t n = 1;
        for (int a = 0; a < rank; ++a) n *= extent(a);
        return n;
    }
    bool contains(box const& b) const {
        for (int a = 0; a < rank; ++a) {
            if (b.lo[a] < lo[a] || b.hi[a] > hi[a]) return false;
        }
        return true;
    }
};

inline box whole_box(index_t const* extent, int rank) {
    box b;
    b.rank = rank;
    for (int a = 0; a < rank; ++a) {
        b.lo[a] = 0;
        b.hi[a] = extent[a];
    }
    return b;
}

inline box first_point(int rank) {
    box b;
    b.rank = rank;
    for (int a = 0; a < rank; ++a) {
        b.lo[a] = 0;
        b.hi[a] = 1;
    }
    return b;
}

// index[a] = offset[a] + sum over loops l of coef[a][l] * loop[l].
struct axis_map {
    int rank = 0;
    int loops = 0;
    index_t offset[max_axes];
    index_t coef[max_axes][max_axes];

    id_range<axis_id> all_axes() const { return first_of<axis_id>(rank); }
    id_range<loop_id> all_loops() const { return first_of<loop_id>(loops); }

    // Whether any axis moves with loop l.
    bool follows(loop_id l) const {
        for (int a = 0; a < rank; ++a) {
            if (coef[a][l] != 0) return true;
        }
        return false;
    }

    // The smallest box of indices that a box of loops reaches.
    [[gnu::noinline]] box image(box const& of) const {
        box b;
        b.rank = rank;
        index_t const* c = &coef[0][0];
        asm("" : "+r"(c));  // loops stay loops
        for (int a = 0; a < rank; ++a, c += max_axes) {
            index_t lo = offset[a], hi = lo;
            for (int l = 0; l < loops; ++l) {
                bool const up = c[l] > 0;
                lo += c[l] * (up ? of.lo[l] : of.hi[l] - 1);
                hi += c[l] * (up ? of.hi[l] - 1 : of.lo[l]);
            }
            b.lo[a] = lo;
            b.hi[a] = hi + 1;
        }
        return b;
    }
};

inline axis_map identity(int rank) {
    axis_map m;
    m.rank = m.loops = rank;
    for (int a = 0; a < rank; ++a) {
        m.offset[a] = 0;
        for (int l = 0; l < rank; ++l) m.coef[a][l] = a == l;
    }
    return m;
}

// Calls f(coordinates) for every point of b, except that axis `skip` stays at b.lo; the last
// axis runs fastest. skip = -1 visits every point.
template <class F>
void for_each_row(box const& b, int skip, F&& f) {
    index_t at[max_axes] = {};
    for (int a = 0; a < b.rank; ++a) {
        if (b.hi[a] <= b.lo[a]) return;
        at[a] = b.lo[a];
    }
    for (;;) {
        f(static_cast<index_t const*>(at));
        int a = b.rank - 1;
        for (; a >= 0; --a) {
            if (a == skip) continue;
            if (++at[a] < b.hi[a]) break;
            at[a] = b.lo[a];
        }
        if (a < 0) return;
    }
}

// Calls f(coordinates) for every point of the `count` axes given, the last of them fastest; the
// others, and axis `skip`, stay at b.lo. f may move on axes that are not given.
template <class Axis, class F>
void for_each_point(box const& b, Axis const* axes, int count, int skip, F&& f) {
    index_t at[max_axes] = {};
    for (int l = 0; l < b.rank; ++l) at[l] = b.lo[l];
    for (;;) {
        f(static_cast<index_t*>(at));
        int i = count - 1;
        for (; i >= 0; --i) {
            Axis const l = axes[i];
            if (l == skip) continue;
            if (++at[l] < b.hi[l]) break;
            at[l] = b.lo[l];
        }
        if (i < 0) return;
    }
}

}  // namespace felt::inline FELT_ABI::planning

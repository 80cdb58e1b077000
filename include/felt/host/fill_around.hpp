// SPDX-License-Identifier: BSD-3-Clause
//
// fill_around: a border in memory.
#pragma once
#include <felt/plan/box.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI::host {

// `value` where box `all` has what `inside`, a part of it, has not. The first element of `all` is
// at data; it is contiguous along axis `row`, if that is one.
template <class T>
void fill_around(T* data, index_t const* stride, planning::box const& all,
                 planning::box const& inside, int row, T value) {
    index_t const n = row < 0 ? 1 : all.extent(row);
    index_t const lo = row < 0 ? 0 : inside.lo[row] - all.lo[row];
    index_t const hi = row < 0 ? n : lo + inside.extent(row);
    planning::for_each_row(all, row, [&](index_t const* at) {
        T* p = data;
        bool within = true;
        for (int a = 0; a < all.rank; ++a) {
            if (a == row) continue;
            p += (at[a] - all.lo[a]) * stride[a];
            within = within && at[a] >= inside.lo[a] && at[a] < inside.hi[a];
        }
        std::fill(p, p + (within ? lo : n), value);
        if (within) std::fill(p + hi, p + n, value);
    });
}

}  // namespace felt::inline FELT_ABI::host

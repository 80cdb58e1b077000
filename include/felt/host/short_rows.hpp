// SPDX-License-Identifier: BSD-3-Clause
//
// Short rows of which each is reduced: to begin one takes as long as to compute some fifty
// elements. Where the next row goes on where one ends, they are computed as one long row, which is
// then reduced piece by piece; so no result depends on how many rows are taken at a time.
#pragma once
#include <felt/host/loop_nest.hpp>

namespace felt::inline FELT_ABI::host {

// As many elements at a time as a short row is repeated for (leaf_loader.hpp).
inline constexpr index_t short_rows_size = planning::repeated_elements;

// Rows that lie one behind the other, by a loop that has several of them; -1 if there is only one.
struct row_list {
    int along;
    index_t length, count;
};

// Calls f(at, values, row_list) for the rows of box b, of which the first of each list is at `at`.
// `room`: for a row, and for short_rows_size elements.
template <class T, class F>
void each_rows(row_source<T> const& x, box const& b, int lane, T* room, F&& f) {
    int along = b.rank - 1;
    while (along >= 0 && (along == lane || b.extent(along) <= 1)) --along;
    index_t const n = b.extent(lane), lo = b.lo[lane], most = short_rows_size / n;
    bool joins = along >= 0 && most > 1;
    box first = b;
    first.hi[lane] = lo + 1;
    x.prepare(b);
    planning::for_each_row(first, along, [&](index_t const* begin) {
        index_t at[max_axes];
        planning::copy_axes(at, begin, b.rank);
        index_t const end = along < 0 ? 1 : b.hi[along];
        for (index_t row = along < 0 ? 0 : at[along], count = 1; row < end; row += count) {
            if (along >= 0) at[along] = row;
            count = joins ? std::min(most, end - row) : 1;
            if (joins) {
                box part = b;
                for (int l = 0; l < b.rank; ++l) {
                    if (l != lane) part.lo[l] = at[l], part.hi[l] = at[l] + 1;
                }
                part.hi[along] = row + count;
                x.prepare(part);
                joins = count == 1 || x.continues_row(along, n);
                if (!joins) x.prepare(b), count = 1;
            }
            row_list const rows{along, n, count};
            f(static_cast<index_t const*>(at), x.line(at, lo, lo + count * n, room), rows);
        }
    });
}

}  // namespace felt::inline FELT_ABI::host

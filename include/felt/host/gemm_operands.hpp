// SPDX-License-Identifier: BSD-3-Clause
//
// What a product is made of, and where it goes.
#pragma once
#include <felt/host/row_source.hpp>

namespace felt::inline FELT_ABI::host {

// An operand that was packed: which box of it, and where.
template <class T>
struct packed_box {
    bool valid = false;
    box held;
    T* data = nullptr;
    index_t capacity = 0;

    bool holds(box const& b) const { return valid && held.contains(b) && b.contains(held); }
    void hold(box const& b) {
        held = b;
        valid = true;
    }
    T* take(arena& scratch, index_t size) {
        if (size > capacity) {
            data = scratch.template take<T>(size);
            capacity = size;
        }
        return data;
    }
};

// The operands of a product: a, b.
template <class T>
struct factors {
    row_source<T> side[2];
};

// Memory for a product: element 0, 0, ... lies at `to`; see cells for the rest.
template <class T>
struct product_target {
    strided<T> to;
    bool padded, add;
};

// A product of no terms.
template <class T>
void clear(box const& own, strided<T> const& to) {
    planning::for_each_row(own, -1, [&](index_t const* at) {
        T* p = to.data;
        for (int a = 0; a < own.rank; ++a) p += to.stride[a] * at[a];
        *p = T(0);
    });
}

}  // namespace felt::inline FELT_ABI::host

// SPDX-License-Identifier: BSD-3-Clause
//
// short_list<T, N>: at most N values, in place. One more is a mistake of the planner's.
#pragma once
#include <felt/core/errors.hpp>

namespace felt::inline FELT_ABI::planning {

template <class T, int N>
struct short_list {
    static constexpr int most = N;

    T value[N] = {};
    int count = 0;

    T const* begin() const { return value; }
    T const* end() const { return value + count; }
    T const& operator[](int i) const { return value[i]; }
    bool empty() const { return count == 0; }
    bool full() const { return count == N; }
    void add(T const& x) {
        if (full()) throw error("short_list: there is no room for another value");
        value[count++] = x;
    }
};

}  // namespace felt::inline FELT_ABI::planning

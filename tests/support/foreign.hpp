// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that knows nothing of Felt, as an array of another library.
#pragma once
#include <felt/foreign.hpp>
#include <vector>

namespace test {

template <std::size_t R, class T = float>
struct foreign {
    std::vector<T> elements;
    felt::extents<R> shape;
};

}  // namespace test

template <std::size_t R, class T>
struct felt::foreign_array<test::foreign<R, T>> {
    static View<T const, R> view(test::foreign<R, T> const& x) {
        return felt::view(x.elements.data(), x.shape);
    }
};

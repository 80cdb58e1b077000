// SPDX-License-Identifier: BSD-3-Clause
//
// Operands of the contests, and what their results must be.
#pragma once
#include <felt/felt.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bench {

using felt::index_t;

// Numbers in [-1, 1), always the same for a seed.
template <class T, std::size_t R>
felt::Tensor<T, R> numbers(felt::extents<R> const& e, std::uint64_t seed) {
    felt::Tensor<T, R> x(e, felt::uninitialized);
    x = felt::uniform<T>(e, seed) * T(2) - T(1);
    return x;
}

// A matrix whose rows (order 'r') or columns ('c') are contiguous.
template <class T>
struct matrix {
    felt::Tensor<T, 1> memory;
    index_t rows, columns;
    char order;

    matrix(index_t m, index_t n, char ordered, std::uint64_t seed)
        : memory(numbers<T>(felt::extents<1>{{m * n}}, seed)),
          rows(m),
          columns(n),
          order(ordered) {}

    index_t row_stride() const { return order == 'r' ? columns : 1; }
    index_t column_stride() const { return order == 'r' ? 1 : rows; }
    T at(index_t i, index_t j) const {
        return memory.data()[i * row_stride() + j * column_stride()];
    }
    felt::View<T, 2> view() {
        return {memory.data(), {{rows, columns}}, {{row_stride(), column_stride()}}};
    }
};

template <class T>
bool near(T got, double want, double scale) {
    double const error = std::abs(static_cast<double>(got) - want);
    bool const close = error <= 64 * std::numeric_limits<T>::epsilon() * (std::abs(want) + scale);
    if (!close) std::fprintf(stderr, "%g instead of %g\n", static_cast<double>(got), want);
    return close;
}

// right(i, j) for the corners of rows x columns and 100 places between.
template <class F>
bool at_samples(index_t rows, index_t columns, F right) {
    bool all =
        right(0, 0) && right(rows - 1, columns - 1) && right(rows - 1, 0) && right(0, columns - 1);
    for (index_t k = 0; k < 100; ++k) {
        all = all && right(k * 7919 % rows, k * 104729 % columns);
    }
    return all;
}

}  // namespace bench

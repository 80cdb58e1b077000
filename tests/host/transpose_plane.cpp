// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <cstdint>
#include <doctest/doctest.h>
#include <felt/host/transpose_plane.hpp>
#include <felt/tensor/storage.hpp>
#include <vector>

using felt::index_t;
using felt::host::detail::plane;
using felt::host::detail::transpose_plane;

namespace {

constexpr index_t extents[] = {0, 1, 2, 3, 5, 15, 16, 17, 31, 33, 64, 67, 130};

// What lies around the rows of the destination, and between them, stays as it was.
template <class T>
void check(index_t m, index_t n, index_t to_gap, index_t from_gap, index_t begin, bool streaming) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(to_gap);
    CAPTURE(from_gap);
    index_t const to_row = n + to_gap, from_row = m + from_gap;
    std::vector<T> x(static_cast<std::size_t>(n * from_row + 1));
    for (std::size_t k = 0; k < x.size(); ++k)
        x[k] = static_cast<T>(static_cast<std::int8_t>(k % 100 + 1));
    felt::storage<T, felt::Host> y(begin + m * to_row + 64, true);
    std::fill(y.data(), y.data() + y.size(), T(0));
    // The source ends where its last row does.
    transpose_plane<T>({y.data() + begin, to_row, x.data(), from_row, m, n}, streaming);
    felt::host::streaming_ends();
    index_t wrong = 0;
    for (index_t k = 0; k < y.size(); ++k) {
        index_t const i = k < begin || to_row == 0 ? m : (k - begin) / to_row;
        index_t const j = i < m ? (k - begin) % to_row : n;
        bool const inside = i < m && j < n;
        T const expected = inside ? x[static_cast<std::size_t>(i + j * from_row)] : T(0);
        wrong += y.data()[k] == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("a matrix is transposed, and nothing else is touched", T, std::uint8_t,
                   std::int16_t, float, double, std::complex<float>, std::complex<double>) {
    for (index_t m : extents) {
        for (index_t n : extents) {
            for (bool streaming : {false, true}) {
                check<T>(m, n, 0, 0, 0, streaming);
                check<T>(m, n, 0, 7, 3, streaming);
                check<T>(m, n, 5, 0, 1, streaming);
                check<T>(m, n, (64 - n % 64) % 64, 2, 0, streaming);  // rows that begin lines
            }
        }
    }
}

TEST_CASE_TEMPLATE("rows that begin anywhere go past the caches by longer pieces", T, std::uint8_t,
                   std::int16_t, float, double, std::complex<float>) {
    index_t const piece = 1024 / static_cast<index_t>(sizeof(T));
    for (index_t m : {16, 17, 40}) {
        for (index_t n : {piece - 1, piece, piece + 16, piece + 17, 2 * piece + 3}) {
            check<T>(m, n, 1, 0, 3, true);
            check<T>(m, n, 0, 3, 1, true);
        }
    }
}

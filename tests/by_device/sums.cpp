// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of plain_tiles.hpp, optimised where the tests are not.
#include <felt/core/extents.hpp>

namespace test {

using felt::index_t;

template <class T>
void multiply_plain(T const* a, T const* b, T* c, index_t rows, index_t columns, index_t terms) {
    for (index_t i = 0; i < rows; ++i) {
        for (index_t j = 0; j < columns; ++j) {
            T sum = 0;
            for (index_t k = 0; k < terms; ++k) sum += a[i * terms + k] * b[j * terms + k];
            c[i * columns + j] = sum;
        }
    }
}
template void multiply_plain(float const*, float const*, float*, index_t, index_t, index_t);
template void multiply_plain(double const*, double const*, double*, index_t, index_t, index_t);
template void multiply_plain(int const*, int const*, int*, index_t, index_t, index_t);
template void multiply_plain(index_t const*, index_t const*, index_t*, index_t, index_t, index_t);

}  // namespace test

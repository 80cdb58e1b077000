// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of plain_tiles.hpp, optimised where the tests are not.
#include "tests/support/systems.hpp"

#include <felt/device.hpp>

namespace test {

template <class T>
void plain_product<T>::compute(T const* a, T const* b, T* c, index_t rows, index_t columns,
                               index_t terms) {
    for (index_t i = 0; i < rows; ++i) {
        for (index_t j = 0; j < columns; ++j) {
            T sum = 0;
            for (index_t k = 0; k < terms; ++k) {
                sum = static_cast<T>(sum + a[i * terms + k] * b[j * terms + k]);
            }
            c[i * columns + j] = sum;
        }
    }
}
template struct plain_product<signed char>;
template struct plain_product<unsigned char>;
template struct plain_product<short>;
template struct plain_product<int>;
template struct plain_product<index_t>;
template struct plain_product<float>;
template struct plain_product<double>;

}  // namespace test

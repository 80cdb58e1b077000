// SPDX-License-Identifier: BSD-3-Clause
//
// What complex numbers do not have.
#include "shared.hpp"
#include <complex>

inline felt::Tensor<std::complex<float>, 1> z;
inline felt::Tensor<float, 1> x;

// clang-format off
void order() {
    auto e = z < z;             // explains: elements_are_real
    auto f = z >= 1.f;          // explains: elements_are_real
    auto g = maximum(z, z);     // explains: elements_are_real
    auto h = max(z);            // rejects: elements_are_real
    auto k = sigmoid(z);        // explains: elements_are_real
}
void reals() {
    x = z;                      // rejects: y = real(e) of complex numbers
    auto e = felt::cast<float>(z);   // explains: complex_stays_complex
    auto f = real(x);           // explains: elements_are_complex
}
void elsewhere() {
    felt::Tensor<std::complex<float>, 1, Elsewhere> y;  // explains: complex_numbers_lie_on_host
    felt::View<std::complex<float>, 1, Elsewhere>* v;   // explains: complex_numbers_lie_on_host
    auto e = complex(far, far);                         // explains: complex_numbers_lie_on_host
    auto f = far * std::complex<float>(0, 1);           // explains: complex_numbers_lie_on_host
    auto g = felt::cast<std::complex<float>>(far);      // explains: complex_numbers_lie_on_host
    auto h = where(far > 0, far, std::complex<float>());  // explains: complex_numbers_lie_on_host
}
// clang-format on

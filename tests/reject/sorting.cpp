// SPDX-License-Identifier: BSD-3-Clause
//
// What is sorted and searched lies on the host and has an order.
#include "shared.hpp"
#include <felt/sorting.hpp>
#include <complex>

inline felt::Tensor<std::complex<float>, 1> z;
inline felt::Tensor<float, 1, Elsewhere> away;

// clang-format off
void elsewhere() {
    (void)sort(far);                            // explains: lies_on_host
    (void)felt::argsort<0>(far + 1.f);          // explains: lies_on_host
    (void)topk(far, 1);                         // explains: lies_on_host
    (void)quantile(far, 0.5);                   // explains: lies_on_host
    (void)median(far);                          // explains: lies_on_host
    (void)searchsorted(v, far);                 // explains: lies_on_host
    (void)searchsorted(away, v);                // explains: lies_on_host
    (void)isin(far, v);                         // explains: lies_on_host
    (void)histogram(far, 4, 0, 1);              // explains: lies_on_host
    (void)nonzero(far);                         // explains: lies_on_host
    (void)argwhere(far > 0);                    // explains: lies_on_host
    (void)masked_select(a, far > 0);            // explains: lies_on_host
    (void)felt::compress<0>(v > 0, far);        // explains: lies_on_host
    (void)unique(far);                          // explains: lies_on_host
    (void)unique_all(far);                      // explains: lies_on_host
}
void order() {
    (void)sort(z);                              // explains: elements_are_real
    (void)topk(z, 1);                           // explains: elements_are_real
    (void)median(z);                            // explains: elements_are_real
    (void)isin(z, z);                           // explains: elements_are_real
    (void)histogram(z, 4, 0, 1);                // explains: elements_are_real
    (void)unique(z);                            // explains: elements_are_real
}
void axes() {
    (void)felt::sort<2>(a);                     // explains: axis_is_in_range
    (void)felt::compress<1>(v > 0, v);          // explains: axis_is_in_range
    (void)felt::compress<0>(a > 0, a);          // explains: is_a_vector
    (void)searchsorted(a, v);                   // explains: is_a_vector
}
// clang-format on

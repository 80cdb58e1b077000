// SPDX-License-Identifier: BSD-3-Clause
//
// What Eigen computes lies on the host; matrices have rows and columns.
#include "shared.hpp"
#include <felt/fft.hpp>
#include <felt/linalg.hpp>

// clang-format off
void elsewhere() {
    (void)felt::solve(far, a);              // explains: lies_on_host
    (void)felt::solve(a, far);              // explains: lies_on_host
    (void)felt::inv(far * 2.f);             // explains: lies_on_host
    (void)felt::det(far);                   // explains: lies_on_host
    (void)felt::cholesky(far);              // explains: lies_on_host
    (void)felt::svd(far);                   // explains: lies_on_host
    (void)felt::eigh(far);                  // explains: lies_on_host
    (void)felt::lstsq(a, far);              // explains: lies_on_host
    (void)felt::matrix_norm(far);           // explains: lies_on_host
    (void)felt::fft(far);                           // explains: lies_on_host
    (void)felt::irfft<0>(far);                      // explains: lies_on_host
    (void)felt::fftn(far + 1.f);                    // explains: lies_on_host
}
void ranks() {
    (void)felt::inv(v);                     // explains: has_rows_and_columns
    (void)felt::fft<1>(v);                          // explains: axes_are_in_range
    (void)felt::rfft(complex(v, v));                // explains: elements_are_real
}
// clang-format on

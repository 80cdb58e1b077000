// SPDX-License-Identifier: BSD-3-Clause
//
// OpenBLAS as a peer: c = a b, all row-major. Without it the task is empty.
#pragma once
#include "../arrays.hpp"
#include "../contest.hpp"
#include <complex>
#if defined(FELT_PEER_OPENBLAS)
#include <cblas.h>
#endif

namespace bench::openblas {

#if defined(FELT_PEER_OPENBLAS)
inline auto gemm(float) { return cblas_sgemm; }
inline auto gemm(double) { return cblas_dgemm; }

template <class T>
task product(T const* a, T const* b, T* c, index_t rows, index_t columns, index_t shared) {
    auto const m = static_cast<blasint>(rows);
    auto const n = static_cast<blasint>(columns);
    auto const k = static_cast<blasint>(shared);
    return [=] {
        gemm(T())(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, T(1), a, k, b, n, T(0), c, n);
    };
}
// Complex numbers are given by address there.
template <class T>
task product(std::complex<T> const* a, std::complex<T> const* b, std::complex<T>* c, index_t rows,
             index_t columns, index_t shared) {
    auto const m = static_cast<blasint>(rows);
    auto const n = static_cast<blasint>(columns);
    auto const k = static_cast<blasint>(shared);
    return [=] {
        std::complex<T> const one = 1, zero = 0;
        auto const gemm = sizeof(T) == sizeof(float) ? cblas_cgemm : cblas_zgemm;
        gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, a, k, b, n, &zero, c, n);
    };
}
#else
template <class T>
task product(T const*, T const*, T*, index_t, index_t, index_t) {
    return {};
}
#endif

}  // namespace bench::openblas

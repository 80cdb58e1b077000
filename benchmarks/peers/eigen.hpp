// SPDX-License-Identifier: BSD-3-Clause
//
// Eigen as a peer. Arrays are row-major; without Eigen the tasks are empty.
#pragma once
#include "../arrays.hpp"
#include "../contest.hpp"
#if defined(FELT_PEER_EIGEN)
#include <Eigen/Core>
#endif

namespace bench::eigen {

#if defined(FELT_PEER_EIGEN)
template <class T>
using matrix = Eigen::Map<Eigen::Matrix<T, -1, -1, Eigen::RowMajor>>;
template <class T>
using const_matrix = Eigen::Map<Eigen::Matrix<T, -1, -1, Eigen::RowMajor> const>;
using array = Eigen::Map<Eigen::Array<float, -1, -1, Eigen::RowMajor>>;
using const_array = Eigen::Map<Eigen::Array<float, -1, -1, Eigen::RowMajor> const>;
using const_row = Eigen::Map<Eigen::Array<float, 1, -1> const>;
using const_column = Eigen::Map<Eigen::Array<float, -1, 1> const>;

template <class T>
task product(T const* a, T const* b, T* c, index_t m, index_t n, index_t k) {
    return
        [=] { matrix<T>(c, m, n).noalias() = const_matrix<T>(a, m, k) * const_matrix<T>(b, k, n); };
}

// y = clip((x * row + col) * 0.5 - abs(x), -1, 1)
inline task clip(float const* x, float const* row, float const* col, float* y, index_t m,
                 index_t n) {
    return [=] {
        const_array const in(x, m, n);
        auto const scaled = (in.rowwise() * const_row(row, n)).colwise() + const_column(col, m);
        array(y, m, n) = (scaled * 0.5f - in.abs()).cwiseMax(-1.f).cwiseMin(1.f);
    };
}

// y = x + transpose(x)
inline task add_transpose(float const* x, float* y, index_t n) {
    return [=] { array(y, n, n) = const_array(x, n, n) + const_array(x, n, n).transpose(); };
}

// y = the sums along an axis
inline task sum(float const* x, float* y, index_t m, index_t n, int axis) {
    if (axis == 0) return [=] { array(y, 1, n) = const_array(x, m, n).colwise().sum(); };
    return [=] { array(y, m, 1) = const_array(x, m, n).rowwise().sum(); };
}
#else
template <class T>
task product(T const*, T const*, T*, index_t, index_t, index_t) {
    return {};
}
inline task clip(float const*, float const*, float const*, float*, index_t, index_t) { return {}; }
inline task add_transpose(float const*, float*, index_t) { return {}; }
inline task sum(float const*, float*, index_t, index_t, int) { return {}; }
#endif

}  // namespace bench::eigen

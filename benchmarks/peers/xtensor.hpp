// SPDX-License-Identifier: BSD-3-Clause
//
// xtensor with xsimd as a peer. The arrays are its own; without xtensor the tasks are empty.
#pragma once
#if defined(FELT_PEER_XTENSOR)
#define XTENSOR_USE_XSIMD
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif
#include "../arrays.hpp"
#include "../contest.hpp"
#include <functional>

namespace bench::xtensor {

struct answer {
    task run;
    std::function<float(index_t)> at = {};  // element i of the result, row by row
};

#if defined(FELT_PEER_XTENSOR)
using matrix = xt::xtensor<float, 2>;
using vector = xt::xtensor<float, 1>;

inline std::shared_ptr<matrix> copied(float const* x, index_t m, index_t n) {
    std::array<std::size_t, 2> const shape{static_cast<std::size_t>(m),
                                           static_cast<std::size_t>(n)};
    auto const to = std::make_shared<matrix>(shape);
    if (x != nullptr) std::copy(x, x + m * n, to->data());
    return to;
}

template <class Y>
auto element_of(std::shared_ptr<Y> const& y) {
    return [=](index_t i) { return y->data()[i]; };
}

inline answer clip(float const* in, float const* row_in, float const* col_in, index_t m,
                   index_t n) {
    auto const x = copied(in, m, n), row = copied(row_in, 1, n), col = copied(col_in, m, 1);
    auto const y = copied(nullptr, m, n);
    auto const run = [=] {
        xt::noalias(*y) = xt::clip((*x * *row + *col) * 0.5f - xt::abs(*x), -1.f, 1.f);
    };
    return {run, element_of(y)};
}

inline answer add_transpose(float const* in, index_t n) {
    auto const x = copied(in, n, n), y = copied(nullptr, n, n);
    return {[=] { xt::noalias(*y) = *x + xt::transpose(*x); }, element_of(y)};
}

inline answer sum(float const* in, index_t m, index_t n, int axis) {
    auto const x = copied(in, m, n);
    auto const y =
        std::make_shared<vector>(std::array<std::size_t, 1>{x->shape()[axis == 0 ? 1 : 0]});
    return {[=] { xt::noalias(*y) = xt::sum(*x, {axis}); }, element_of(y)};
}
#else
inline answer clip(float const*, float const*, float const*, index_t, index_t) { return {}; }
inline answer add_transpose(float const*, index_t) { return {}; }
inline answer sum(float const*, index_t, index_t, int) { return {}; }
#endif

}  // namespace bench::xtensor

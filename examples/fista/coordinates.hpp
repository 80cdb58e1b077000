// SPDX-License-Identifier: BSD-3-Clause
//
// Codes by coordinate descent, in plain loops: another way to the same minimum.
#pragma once
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>

namespace fista {

// Each code in turn is set to where 1/2 |W s - x|^2 + lambda |s|_1 is least in it.
inline felt::Tensor<double, 2> coordinate_descent(felt::Tensor<double, 2> const& W,
                                                  felt::Tensor<double, 2> const& x, double lambda,
                                                  int sweeps) {
    using felt::index_t;
    index_t const rows = W.extent(0), codes = W.extent(1), samples = x.extent(1);
    felt::Tensor<double, 2> s({codes, samples}), rest = x;  // rest = x - W s
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (index_t k = 0; k < codes; ++k) {
            double size = 0;
            for (index_t i = 0; i < rows; ++i) size += W(i, k) * W(i, k);
            for (index_t j = 0; j < samples && size > 0; ++j) {
                double pull = size * s(k, j);
                for (index_t i = 0; i < rows; ++i) pull += W(i, k) * rest(i, j);
                double const shrunk = std::max(std::abs(pull) - lambda, 0.0) / size;
                double const change = std::copysign(shrunk, pull) - s(k, j);
                for (index_t i = 0; i < rows; ++i) rest(i, j) -= W(i, k) * change;
                s(k, j) += change;
            }
        }
    }
    return s;
}

// How far the conditions of a minimum are from holding: with g = W'(x - W s), g = lambda sign(s)
// where s is not 0, and |g| <= lambda elsewhere.
inline double kkt_violation(felt::Tensor<double, 2> const& W, felt::Tensor<double, 2> const& x,
                            felt::Tensor<double, 2> const& s, double lambda) {
    using felt::index_t;
    double worst = 0;
    for (index_t j = 0; j < s.extent(1); ++j) {
        for (index_t k = 0; k < s.extent(0); ++k) {
            double g = 0;
            for (index_t i = 0; i < W.extent(0); ++i) {
                double rest = x(i, j);
                for (index_t l = 0; l < s.extent(0); ++l) rest -= W(i, l) * s(l, j);
                g += W(i, k) * rest;
            }
            double const v = s(k, j);
            worst = std::max(
                worst, v == 0 ? std::abs(g) - lambda : std::abs(g - std::copysign(lambda, v)));
        }
    }
    return worst;
}

}  // namespace fista

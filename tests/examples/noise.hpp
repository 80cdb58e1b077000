// SPDX-License-Identifier: BSD-3-Clause
//
// Digits that are noise, for tests of training that compare runs.
#pragma once
#include <cnn/learner.hpp>
#include <cnn/training.hpp>

namespace test {

inline cnn::digits some_digits(felt::index_t n) {
    cnn::digits d{0.2f * felt::uniform<float>({n, 1, 28, 28}, 1),
                  felt::Tensor<felt::index_t, 1>({n}), "noise"};
    for (felt::index_t i = 0; i < n; ++i) d.y(i) = i % 10;
    return d;
}

}  // namespace test

// SPDX-License-Identifier: BSD-3-Clause
//
// The problems that this example solves.
#pragma once
#include <felt/felt.hpp>

namespace fista {

using felt::index_t;

inline constexpr index_t side = 8, pixels = side * side, atoms = 121;

struct setting {
    char const* name;
    index_t samples, batch;  // patches, and how many of them a round looks at
    int rounds, steps;       // by default; steps of FISTA in a round
    double lambda;           // 0: default_lambda for the first dictionary
    double ridge;            // gamma of |W S - X|^2 / m + gamma |W|^2; 0: atoms of length 1
    bool study;              // the study's start and lambda, and patches in [0.1, 0.9]
};

// "study": fista/test.py of the study. "ridge": the dictionary's part of UFLDL's exercise "Sparse
// Coding"; its lambda |s|_1 stands beside |W s - x|^2 / m, ours of the batch beside half of m times
// that: 5e-5 m / 2.
inline constexpr setting settings[] = {
    {"patches", 10000, 10000, 40, 50, 0, 0, false},
    {"study", 20000, 20000, 40, 100, 1, 0, true},
    {"ridge", 20000, 2000, 200, 50, 0.05, 1e-2, false},
    {"code", 10000, 10000, 0, 100, 0, 0, false},
};

}  // namespace fista

// SPDX-License-Identifier: BSD-3-Clause
//
// A loop that knows an operation, and this line:
// wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/wide/
#pragma once
#include <felt/expr/rows.hpp>

inline float run(float x) { return felt::cube(x); }

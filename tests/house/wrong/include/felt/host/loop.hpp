// SPDX-License-Identifier: BSD-3-Clause
//
// A loop that knows an operation.
#pragma once
#include <felt/expr/rows.hpp>

inline float run(float x) { return felt::cube(x); }

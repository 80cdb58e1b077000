// SPDX-License-Identifier: BSD-3-Clause
//
// What a lesson says about itself: check(holds, "the sentence that should hold").
#pragma once
#include <iostream>

inline int failures = 0;

inline void check(bool holds, char const* sentence) {
    if (holds) return;
    std::cerr << "wrong: " << sentence << '\n';
    ++failures;
}

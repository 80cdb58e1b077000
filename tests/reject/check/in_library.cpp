// SPDX-License-Identifier: BSD-3-Clause
//
// The error appears inside the library.
#include "library.hpp"

struct word {};

void a() { half(word{}); }  // rejects: number

// SPDX-License-Identifier: BSD-3-Clause
//
// Marked, but right.
#include "library.hpp"

struct word {};

void a() { twice(1); }  // rejects: number

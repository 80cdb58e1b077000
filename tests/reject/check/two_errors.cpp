// SPDX-License-Identifier: BSD-3-Clause
//
// Two errors in one line.
#include "library.hpp"

struct word {};

void a() { twice(word{}), twice(word{}); }  // rejects: number

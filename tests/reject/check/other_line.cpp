// SPDX-License-Identifier: BSD-3-Clause
//
// A mistake beside the marked one.
#include "library.hpp"

struct word {};

void a() { twice(word{}); }  // explains: number
void b() { return word{}; }

// SPDX-License-Identifier: BSD-3-Clause
//
// Two mistakes, each with one error that names its rule.
#include "library.hpp"

struct word {};

void a() { twice(word{}); }  // explains: number
void b() { twice(1, 2); }    // rejects: no matching function for call

// SPDX-License-Identifier: BSD-3-Clause
//
// Both are rejected; the second for another reason than its mark, which stands in the first.
#include "library.hpp"

struct word {};

void a() { twice(word{}); }  // explains: number
void b() { return word{}; }  // rejects: number

// SPDX-License-Identifier: BSD-3-Clause
//
// Wrong, but nobody says where.
#include "library.hpp"

struct word {};

void a() { twice(word{}); }

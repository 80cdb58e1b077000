// SPDX-License-Identifier: BSD-3-Clause
//
// Looks to the right, has no test, and an #if.
#pragma once
#include <felt/host/loop.hpp>

#if defined(NDEBUG)
#endif

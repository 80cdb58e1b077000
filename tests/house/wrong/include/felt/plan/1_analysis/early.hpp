// SPDX-License-Identifier: BSD-3-Clause
//
// Asks a later step of the planner.
#pragma once
#include <felt/plan/3_tiling/late.hpp>

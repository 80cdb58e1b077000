// SPDX-License-Identifier: BSD-3-Clause
//
// Asks a later step of the planner where the twin of a node is.
#pragma once
#include <felt/plan/3_tiling/late.hpp>

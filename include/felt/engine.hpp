// SPDX-License-Identifier: BSD-3-Clause
//
// What no expression changes: planning, its words, and what carries a plan out. felt.hpp ends with
// it, unless the program links felt::compiled, which compiles it once.
#pragma once
// What is not planning, the standard library too, is read before: it is optimised as ever.
#include <felt/plan/explain.hpp>
#include <deque>

FELT_PLANNING_BEGINS
#include <felt/plan/plan_engine.hpp>
FELT_PLANNING_ENDS

#include <felt/host/execution.hpp>
#include <felt/host/profile_engine.hpp>

// SPDX-License-Identifier: BSD-3-Clause
//
// What no expression changes: planning, its words, and what carries a plan out. felt.hpp ends with
// it, unless the program links felt::compiled, which compiles it once.
#pragma once
#include <felt/host/execution.hpp>
#include <felt/plan/plan_engine.hpp>

// SPDX-License-Identifier: BSD-3-Clause
//
// A faster way for one class of operand or destination: what it is, when the plan takes it, what it
// gained where it was measured (time without it / with it) and the benchmark that measures it. All
// of them are in the table of 7_lowering/fast_paths.hpp.
#pragma once
#include <felt/core/version.hpp>

namespace felt::inline FELT_ABI::planning {

struct special_case {
    char const* name;
    char const* condition;
    double gain;
    char const* benchmark;
};

}  // namespace felt::inline FELT_ABI::planning

// SPDX-License-Identifier: BSD-3-Clause
//
// --profile: where the time of a round goes.
#pragma once
#include <fista/learn.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace fista {

struct profile_files {
    support::fs::path parts, operations;
};

// A round by its parts, fused; and a step by the study's operations, unfused.
void report_profile(profile_files const& to, learning_run<float>& r, matrix_f const& x,
                    std::ostream& out);  // profile.cpp

}  // namespace fista

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

// A round by its parts, fused; and a step by the study's operations, unfused, on the host.
void report_parts(profile_files const& to, trainer const& by, std::ostream& out);
void report_operations(profile_files const& to, learning_run<float> const& r, matrix_f const& x,
                       std::ostream& out);  // profile.cpp

}  // namespace fista

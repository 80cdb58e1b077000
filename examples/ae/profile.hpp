// SPDX-License-Identifier: BSD-3-Clause
//
// --profile: where the time of a cost and gradient goes.
#pragma once
#include <ae/trainer.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace ae {

struct profile_files {
    support::fs::path parts, stages, operations, bars;
};

// Fused by stage; and unfused by operation, on the host.
void report_stages(profile_files const& to, trainer& by, vector_f const& theta, std::ostream& out);
void report_operations(profile_files const& to, shape const& s, matrix_f const& x,
                       vector_f const& theta, std::ostream& out);  // profile.cpp

}  // namespace ae

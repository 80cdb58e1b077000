// SPDX-License-Identifier: BSD-3-Clause
//
// --profile: where the time of a cost and gradient goes.
#pragma once
#include <ae/instances.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace ae {

struct profile_files {
    support::fs::path parts, stages, operations, bars;
};

// Fused by stage and unfused by operation.
void report_operations(profile_files const& to, shape const& s, model<float>& net,
                       vector_f const& theta, std::ostream& out);  // profile.cpp

}  // namespace ae

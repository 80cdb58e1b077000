// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a run in float, each compiled in a file of its own.
#pragma once
#include <fista/instances.hpp>
#include <fista/patches.hpp>
#include <fista/run.hpp>
#include <fista/trainer.hpp>

namespace fista {

extern template patches<float> load_patches<float>(setting const&, std::string const&,
                                                   std::uint64_t);  // data.cpp

// The dictionary to begin with: of --dictionary; or, to code with, the one in the data, or cosines.
struct first_dictionary {
    matrix_f W;  // (pixels, atoms)
    std::string source;
};
first_dictionary begin_with(setting const& s, std::string const& file, std::string const& data,
                            std::uint64_t seed);  // data.cpp

}  // namespace fista

// SPDX-License-Identifier: BSD-3-Clause
//
// The list of expression types, and how one of them is tested: with extents, layouts, values
// and aliasing by a seed, evaluated fused, unfused and by plain loops.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace test {

struct expression_type {
    std::string name;
    // What went wrong with this seed; empty if nothing did.
    std::string (*run)(std::uint64_t seed);
};

inline std::vector<expression_type>& expression_types() {
    static std::vector<expression_type> list;
    return list;
}

}  // namespace test

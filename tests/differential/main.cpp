// SPDX-License-Identifier: BSD-3-Clause
//
// The differential test: felt_differential [cases per type] [first seed] [part of a type's name].
// A failure names the type and the seed that show it again.
#include "tests/differential/types.hpp"
#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
    long const cases = argc > 1 ? std::atol(argv[1]) : 60;
    auto const first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    std::string const part = argc > 3 ? argv[3] : "";
    long types = 0, failures = 0, run = 0;
    for (auto const& type : test::expression_types()) {
        if (type.name.find(part) == std::string::npos) continue;
        ++types;
        long bad = 0;
        for (auto seed = first; seed < first + static_cast<unsigned long>(cases); ++seed, ++run) {
            std::string wrong;
            try {
                wrong = type.run(seed);
            } catch (std::exception const& e) {
                wrong = std::string("threw ") + e.what();
            }
            if (!wrong.empty() && ++bad <= 3) {
                std::printf("%s\n  seed %llu: %s\n", type.name.c_str(), seed, wrong.c_str());
            }
        }
        failures += bad;
    }
    std::printf("%ld types, %ld cases, seeds from %llu: %ld failures\n", types, run, first,
                failures);
    return failures > 0 || run == 0;
}

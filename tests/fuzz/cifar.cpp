// SPDX-License-Identifier: BSD-3-Clause
#include <support/cifar.hpp>
#include <tests/fuzz/target.hpp>

namespace {

// Images of 4 x 4 in place of 32 x 32: the same code, on files that libFuzzer can handle well.
fuzz::files seeds() { return {std::string(49, '\3'), std::string(98, '\0'), std::string(147, 9)}; }

fuzz::target const cifar("cifar", seeds, fuzz::file([](std::string const& file) {
                             support::colour_set set;
                             set.side = 4;
                             support::read_cifar(set, file, 1000);
                         }));

}  // namespace

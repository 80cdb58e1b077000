// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <felt/felt.hpp>

namespace test {

template <class How, class... S>
void execute(How how, S const&... s) {
    run(how, s...);
}

}  // namespace test

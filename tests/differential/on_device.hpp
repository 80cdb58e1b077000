// SPDX-License-Identifier: BSD-3-Clause
//
// Statements carried out by the plan of a device, over the same memory, products by emulated
// blocks.
#pragma once
#include "tests/support/systems.hpp"
#include <felt/device.hpp>

namespace test {

inline constexpr bool computes_complex = false;

template <class How, class... S>
void execute(How how, S const&... s) {
    run(how, felt::in_space<felt::Device>(s)...);
}

}  // namespace test

// SPDX-License-Identifier: BSD-3-Clause
//
// A system of Thrust has been chosen.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("the host reaches the memory that stands for a device's") {
    static_assert(device::is_host_memory);
    CHECK(THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA);
    CHECK_FALSE(device::has_gpu());
    bool const threads = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP;
    CHECK(std::string(device::system_name) == (threads ? "OpenMP" : "plain C++"));
}

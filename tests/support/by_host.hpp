// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace test {

// Whether the host carries out what tests run on Host: not what support/by_device.hpp hands over.
// For what is said of the host alone, as which tensors it makes.
inline bool by_host = true;

}  // namespace test

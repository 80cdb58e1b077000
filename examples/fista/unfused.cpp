// SPDX-License-Identifier: BSD-3-Clause
//
// A step in float, unfused.
#include <fista/instances.hpp>

namespace felt {

template void fista<float>::step<unfused_t>(unfused_t);

}  // namespace felt

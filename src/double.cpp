// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over double.
#include <felt/felt.hpp>

namespace felt::host {

FELT_LOOPS_OF_REALS(, double)

}  // namespace felt::host

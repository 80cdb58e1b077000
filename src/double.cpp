// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over double.
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI::host {

FELT_LOOPS_OF_REALS(, double)

}  // namespace felt::inline FELT_ABI::host

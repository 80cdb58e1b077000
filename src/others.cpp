// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over integers and conditions.
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI::host {

FELT_LOOPS(, int)
FELT_LOOPS(, index_t)
FELT_LOOPS_OF_CONDITIONS()

}  // namespace felt::inline FELT_ABI::host

// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over float.
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI::host {

FELT_LOOPS_OF_REALS(, float)

}  // namespace felt::inline FELT_ABI::host

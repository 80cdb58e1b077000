// SPDX-License-Identifier: BSD-3-Clause
//
// Compiles where the standard library has std::mdspan.
#include <version>
#ifndef __cpp_lib_mdspan
#error "there is no std::mdspan"
#endif

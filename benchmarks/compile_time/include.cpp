// SPDX-License-Identifier: BSD-3-Clause
//
// The header alone.
#include <felt/felt.hpp>

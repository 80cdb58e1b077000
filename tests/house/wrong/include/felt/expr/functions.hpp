// SPDX-License-Identifier: BSD-3-Clause
//
// A public function without a row in the operations page.
#pragma once
#include <felt/expr/rows.hpp>

namespace felt {
template <class X>
auto cube(X&& x) {
    return op::cube{}(x);
}
}  // namespace felt

// SPDX-License-Identifier: BSD-3-Clause
//
// A table of one row.
#pragma once

namespace felt::op {
struct cube {
    static constexpr char const* name = "cube";
    float operator()(float x) const { return x * x * x; }
};
}  // namespace felt::op

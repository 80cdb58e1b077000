// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of a table in a range that a network likes, and back:
//
//   auto const s = support::min_max({&train, &test});   // of all rows that it is shown
//   s.apply(train), s.apply(test);                      // in [0, 1]
//   s.undo(train);
#pragma once
#include <felt/felt.hpp>
#include <vector>

namespace support {

// x -> (x - offset) factor, by column.
struct scaling {
    felt::Tensor<float, 1> offset, factor;

    void apply(felt::Tensor<float, 2>& x) const { x = (x - offset) * factor; }
    void undo(felt::Tensor<float, 2>& x) const { x = x / factor + offset; }
};

// The least value of a column becomes `low`, the largest `high`; a column of one value becomes low.
inline scaling min_max(std::vector<felt::Tensor<float, 2> const*> const& tables, float low = 0,
                       float high = 1) {
    felt::Tensor<float, 1> least = felt::min<0>(*tables[0]), most = felt::max<0>(*tables[0]);
    for (auto const* x : tables) {
        least = felt::minimum(least, felt::min<0>(*x));
        most = felt::maximum(most, felt::max<0>(*x));
    }
    scaling s;
    auto const range = most - least;
    s.factor = felt::where(range > 0.f, (high - low) / range, 1.f);
    s.offset = least - low / s.factor;
    return s;
}

}  // namespace support

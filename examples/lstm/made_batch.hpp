// SPDX-License-Identifier: BSD-3-Clause
//
// A batch of any words, for measurements.
#pragma once
#include <lstm/net.hpp>

namespace lstm {

struct made_batch {
    felt::Tensor<int, 2> words, next;

    made_batch(shape const& s, index_t steps, index_t batch)
        : words({steps, batch}), next({steps, batch}) {
        auto const any = [&](std::uint64_t seed) {
            auto const u = felt::uniform<double>(words.extents(), seed);
            return felt::cast<int>(u * static_cast<double>(s.vocabulary));
        };
        words = any(1), next = any(2);
    }
    batch_f view() const { return {felt::view(words), felt::view(next)}; }
};

}  // namespace lstm

// SPDX-License-Identifier: BSD-3-Clause
//
// What a network is shown in one step.
#pragma once
#include <felt/grad.hpp>

namespace cnn {

using felt::index_t;

template <class T, class Space = felt::Host>
struct batch {
    felt::View<T const, 4, Space> x;        // (images, 1, side, side), in [0, 1]
    felt::View<index_t const, 1, Space> y;  // (images), what they show: 0, 1, ... classes - 1
    std::uint64_t draw = 0;                 // seed of this step's random numbers
    index_t first = 0, of = 0;              // it is images first .. of a batch of so many on all
                                            // ranks; 0: these are all

    index_t whole() const { return of > 0 ? of : x.extent(0); }
};

// The cross-entropy of scores z; these images' part of its mean over the whole batch.
template <class T, class Space, class Z>
auto mean_cost(batch<T, Space> const& b, Z const& z) {
    auto const share = static_cast<T>(b.x.extent(0)) / static_cast<T>(b.whole());
    return share * cross_entropy(z, b.y);
}

}  // namespace cnn

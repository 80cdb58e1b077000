// SPDX-License-Identifier: BSD-3-Clause
//
// What a network is shown in one step.
#pragma once
#include <felt/felt.hpp>

namespace cnn {

using felt::index_t;

template <class T, class Space = felt::Host>
struct batch {
    felt::View<T const, 4, Space> x;        // (images, 1, side, side), in [0, 1]
    felt::View<index_t const, 1, Space> y;  // (images), what they show: 0, 1, ... classes - 1
    std::uint64_t draw = 0;                 // seed of this step's random numbers
};

// -log p of the right class, its mean over the images.
template <class P, class Hit>
auto cross_entropy(P const& p, Hit const& hit) {
    return sum(log(felt::sum<1>(p * hit))) * (-1 / static_cast<felt::value_of<P>>(p.extent(0)));
}

}  // namespace cnn

// SPDX-License-Identifier: BSD-3-Clause
//
// Labelled digits as tensors, and the order in which an epoch takes them.
#pragma once
#include <cnn/learner.hpp>
#include <support/images.hpp>

namespace cnn {

struct digits {
    felt::Tensor<float, 4> x;    // (images, 1, 28, 28), in [0, 1]
    felt::Tensor<index_t, 1> y;  // (images)
    std::string source;

    index_t count() const { return x.extent(0); }
    images_view images(index_t from, index_t n) const {
        return felt::view(x.data() + from * 784, {n, 1, 28, 28});
    }
};

// MNIST's "train" or "t10k" part, or generated digits; at most `count` of them.
digits load_digits(std::string const& data, std::string const& part, index_t count,
                   std::uint64_t seed);  // data.cpp

// A permutation of 0 .. n-1 that follows from seed and epoch.
felt::Tensor<index_t, 1> shuffled(index_t n, std::uint64_t seed, index_t epoch);

}  // namespace cnn

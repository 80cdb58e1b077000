// SPDX-License-Identifier: BSD-3-Clause
//
// Labelled digits as tensors.
#pragma once
#include <felt/felt.hpp>
#include <support/images.hpp>

namespace cnn {

using felt::index_t;

struct digits {
    felt::Tensor<float, 4> x;    // (images, 1, 28, 28), in [0, 1]
    felt::Tensor<index_t, 1> y;  // (images)
    std::string source;

    index_t count() const { return x.extent(0); }
    felt::View<float const, 4> images(index_t from, index_t n) const {
        return felt::view(x.data() + from * 784, {n, 1, 28, 28});
    }
};

// MNIST's "train" or "t10k" part, or generated digits; at most `count` of them.
inline digits load_digits(std::string const& data, std::string const& part, index_t count,
                          std::uint64_t seed) {
    auto const set = support::load_digits(data, part, static_cast<std::size_t>(count), seed);
    if (set.rows != 28 || set.columns != 28) {
        throw felt::io_error(set.source + ": images of " + std::to_string(set.rows) + " x " +
                             std::to_string(set.columns) + ", not 28 x 28");
    }
    digits d{felt::Tensor<float, 4>({set.count, 1, 28, 28}), felt::Tensor<index_t, 1>({set.count}),
             set.source};
    for (std::size_t i = 0; i < set.pixels.size(); ++i) {
        d.x.data()[i] = static_cast<float>(set.pixels[i]) / 255.f;
    }
    for (std::size_t i = 0; i < set.count; ++i) {
        if (set.labels[i] > 9) {
            throw felt::io_error(set.source + ": image " + std::to_string(i) + " has label " +
                                 std::to_string(set.labels[i]));
        }
        d.y.data()[i] = set.labels[i];
    }
    return d;
}

}  // namespace cnn

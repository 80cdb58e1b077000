// SPDX-License-Identifier: BSD-3-Clause
//
// Labelled grey images: MNIST if it is there, else digits of our own making.
#pragma once
#include <support/data.hpp>
#include <support/digits.hpp>
#include <support/idx.hpp>

namespace support {

// MNIST's "train" (60,000) or "t10k" (10,000) images, at most `count` of them.
inline std::optional<image_set> find_mnist(std::string const& option, std::string const& part,
                                           std::size_t count) {
    auto const files =
        find_files(option, "mnist", {part + "-images-idx3-ubyte", part + "-labels-idx1-ubyte"});
    if (!files) return std::nullopt;
    idx_data images = read_idx((*files)[0], 3, count);
    idx_data labels = read_idx((*files)[1], 1, count);
    if (images.extents[0] != labels.extents[0]) {
        throw felt::io_error((*files)[1].string() + ": " + std::to_string(labels.extents[0]) +
                             " labels for " + std::to_string(images.extents[0]) + " images");
    }
    return image_set{images.extents[0],        images.extents[1],        images.extents[2],
                     std::move(images.values), std::move(labels.values), (*files)[0].string()};
}

// MNIST or, without it, generated digits; `part` "t10k" gives other digits than "train".
inline image_set load_digits(std::string const& option, std::string const& part, std::size_t count,
                             std::uint64_t seed) {
    if (auto found = find_mnist(option, part, count)) return std::move(*found);
    return generated_digits(count, seed ^ (part == "train" ? 0 : 0x746573746b3031));
}

// One image per column, in [0, 1]: element (p, i) of pixels x images is pixel p of image i.
template <class T>
std::vector<T> image_columns(image_set const& set) {
    std::size_t const pixels = set.rows * set.columns;
    std::vector<T> out(pixels * set.count);
    for (std::size_t i = 0; i < set.count; ++i) {
        for (std::size_t p = 0; p < pixels; ++p) {
            out[p * set.count + i] = static_cast<T>(set.pixels[i * pixels + p]) / T(255);
        }
    }
    return out;
}

}  // namespace support

// SPDX-License-Identifier: BSD-3-Clause
//
// The two problems of the UFLDL tutorial that this example solves, and their data; and a third,
// whose features suit a convolution of 20 filters of 9 x 9 (felt_cnn --init-filters).
#pragma once
#include <ae/model.hpp>
#include <support/images.hpp>
#include <support/patches.hpp>
#include <algorithm>

namespace ae {

struct setting {
    char const* name;
    shape net;
    index_t samples, side;  // a sample is a picture of side x side
    int iterations;         // by default; the tutorial makes 400
};

inline constexpr setting settings[] = {
    {"patches", {64, 25, 0.01, 1e-4, 3}, 10000, 8, 400},
    {"mnist", {784, 196, 0.1, 3e-3, 3}, 10000, 28, 200},
    {"filters", {81, 20, 0.1, 3e-3, 3}, 10000, 9, 200},
};

template <class T>
struct samples {
    felt::Tensor<T, 2> x;  // (visible, samples)
    std::string source;
};

// Every digit as a picture, to take patches of.
inline std::vector<support::picture> pictures_of(support::image_set const& digits) {
    std::size_t const pixels = digits.rows * digits.columns;
    std::vector<support::picture> pictures;
    for (std::size_t i = 0; i < digits.count; ++i) {
        auto const* const first = &digits.pixels[i * pixels];
        pictures.push_back({digits.columns, digits.rows, {first, first + pixels}});
    }
    return pictures;
}

// Digits, or patches of digits or of pictures: those that are found, else generated ones.
template <class T>
samples<T> load_samples(setting const& s, std::string const& data, std::uint64_t seed) {
    std::vector<T> values;
    std::string source;
    auto const count = static_cast<std::size_t>(s.samples);
    if (s.side == 28) {
        auto const digits = support::load_digits(data, "train", count, seed);
        if (digits.count < count || digits.rows != 28 || digits.columns != 28) {
            throw felt::io_error(digits.source + ": fewer than " + std::to_string(count) +
                                 " images of 28 x 28");
        }
        values = support::image_columns<T>(digits);
        source = digits.source;
    } else {
        support::picture_set set;
        if (s.side == 9) {
            auto const digits = support::load_digits(data, "train", count, seed);
            set = {pictures_of(digits), digits.source};
        } else {
            set = support::load_pictures(data, seed);
        }
        auto const side = static_cast<std::size_t>(s.side);
        values = support::sample_patches<T>(set.pictures, count, side, seed);
        support::normalise_patches<T>(values, count);
        source = set.source;
    }
    felt::Tensor<T, 2> x({s.net.visible, s.samples});
    std::copy(values.begin(), values.end(), x.data());
    return {std::move(x), std::move(source)};
}

}  // namespace ae

// SPDX-License-Identifier: BSD-3-Clause
//
// Patches of pictures as columns. They are normalised as by support::normalise_patches, that is
// around 0.5; the study codes them so, the other settings around 0.
#pragma once
#include <fista/setting.hpp>
#include <support/patches.hpp>
#include <string>

namespace fista {

template <class T>
struct patches {
    felt::Tensor<T, 2> x;      // (pixels, samples)
    support::picture picture;  // the one of most contrast, to be coded as a whole
    std::string source;
};

inline double contrast(support::picture const& p) {
    double sum = 0, squares = 0;
    for (std::uint8_t v : p.pixels) sum += v, squares += double(v) * v;
    double const n = static_cast<double>(p.pixels.size());
    return squares / n - sum / n * (sum / n);
}

// At most 256 x 256 pixels of its middle, in whole patches.
inline support::picture middle(support::picture const& p) {
    auto const extent = [](std::size_t n) { return std::min<std::size_t>(n, 256) / side * side; };
    support::picture part{extent(p.width), extent(p.height), {}};
    std::size_t const top = (p.height - part.height) / 2, left = (p.width - part.width) / 2;
    for (std::size_t i = 0; i < part.height; ++i) {
        auto const* const row = &p.pixels[(top + i) * p.width + left];
        part.pixels.insert(part.pixels.end(), row, row + part.width);
    }
    return part;
}

template <class T>
patches<T> load_patches(setting const& s, std::string const& data, std::uint64_t seed) {
    auto const set = support::load_pictures(data, seed);
    auto const count = static_cast<std::size_t>(s.samples);
    auto values = support::sample_patches<T>(set.pictures, count, side, seed);
    support::normalise_patches<T>(values, count);
    auto const best =
        std::max_element(set.pictures.begin(), set.pictures.end(),
                         [](auto const& a, auto const& b) { return contrast(a) < contrast(b); });
    felt::Tensor<T, 2> x({pixels, s.samples});
    x = felt::view(values.data(), {pixels, s.samples}) - T(s.study ? 0 : 0.5);
    return {std::move(x), middle(*best), set.source};
}

}  // namespace fista

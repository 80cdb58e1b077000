// SPDX-License-Identifier: BSD-3-Clause
//
// Filters side by side as one picture. A tile shows 127.5 * (1 + (w - mean w) / max |w - mean w|):
// grey is the filter's mean, black and white are its farthest values.
#pragma once
#include <support/picture.hpp>
#include <cmath>
#include <span>

namespace support {

// Every pixel as a block of scale x scale.
inline picture enlarged(picture const& p, std::size_t scale) {
    picture big{p.width * scale, p.height * scale, {}};
    big.pixels.resize(big.width * big.height);
    for (std::size_t i = 0; i < big.height; ++i) {
        for (std::size_t j = 0; j < big.width; ++j) {
            big.pixels[i * big.width + j] = p.pixels[i / scale * p.width + j / scale];
        }
    }
    return big;
}

// The filter's values in 0 .. 255; a constant filter is grey.
template <class T>
picture tile(std::span<T const> filter, std::size_t width) {
    double mean = 0, top = 0;
    for (T w : filter) mean += static_cast<double>(w) / static_cast<double>(filter.size());
    for (T w : filter) top = std::max(top, std::abs(static_cast<double>(w) - mean));
    picture p{width, filter.size() / width, {}};
    for (T w : filter) {
        double const v = top > 0 ? (static_cast<double>(w) - mean) / top : 0;
        p.pixels.push_back(static_cast<std::uint8_t>(127.5 * (1 + std::clamp(v, -1.0, 1.0))));
    }
    return p;
}

// `filters` holds one filter of height x width per row, as a weight matrix (hidden x visible)
// does. Tiles are enlarged until the picture is about 800 pixels wide; lines of one pixel of the
// tiles lie between them.
template <class T>
picture mosaic(std::span<T const> filters, std::size_t height, std::size_t width) {
    std::size_t const size = height * width, count = filters.size() / size;
    auto const across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    std::size_t const down = across == 0 ? 0 : (count + across - 1) / across;
    picture p{across * (width + 1) + 1, down * (height + 1) + 1, {}};
    p.pixels.assign(p.width * p.height, 0);
    for (std::size_t k = 0; k < count; ++k) {
        picture const t = tile(filters.subspan(k * size, size), width);
        std::size_t const corner =
            (k / across * (height + 1) + 1) * p.width + k % across * (width + 1) + 1;
        for (std::size_t i = 0; i < height; ++i) {
            std::copy_n(&t.pixels[i * width], width, &p.pixels[corner + i * p.width]);
        }
    }
    return enlarged(p, std::max<std::size_t>(1, 800 / p.width));
}

}  // namespace support

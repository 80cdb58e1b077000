// SPDX-License-Identifier: BSD-3-Clause
//
// A rectangle of a coloured picture at another size. A new pixel is the mean of what it covers,
// with weights that fall off linearly on both sides; where the rectangle reaches beyond the
// picture, that goes on as its rim.
#pragma once
#include <support/picture.hpp>
#include <cmath>

namespace support {

struct rectangle {
    double left, top, width, height;  // in pixels
};

namespace detail {

// Which pixels a new one is made of, and how much of each.
struct taps {
    std::size_t first = 0;
    std::vector<float> weights = {};
};

// Along one axis of `size` pixels: `count` new ones on [from, from + extent).
inline std::vector<taps> taps_along(double from, double extent, std::size_t count,
                                    std::size_t size) {
    double const step = extent / static_cast<double>(count), reach = std::max(step, 1.);
    auto const last = static_cast<double>(size - 1);
    std::vector<taps> all(count);
    for (std::size_t k = 0; k < count; ++k) {
        double const centre = from + (static_cast<double>(k) + 0.5) * step - 0.5;
        double const low = std::floor(centre - reach) + 1, high = std::ceil(centre + reach) - 1;
        taps& t = all[k];
        t.first = static_cast<std::size_t>(std::clamp(low, 0., last));
        auto const end = static_cast<std::size_t>(std::clamp(high, 0., last));
        t.weights.assign(end - t.first + 1, 0.f);
        double sum = 0;
        for (double i = low; i <= high; ++i) sum += 1 - std::abs(i - centre) / reach;
        for (double i = low; i <= high; ++i) {
            auto const at = static_cast<std::size_t>(std::clamp(i, 0., last));
            t.weights[at - t.first] += static_cast<float>((1 - std::abs(i - centre) / reach) / sum);
        }
    }
    return all;
}

}  // namespace detail

// (height, width, 3), values 0 .. 255.
inline std::vector<float> resampled(picture const& p, rectangle const& r, std::size_t width,
                                    std::size_t height) {
    auto const across = detail::taps_along(r.left, r.width, width, p.width);
    auto const down = detail::taps_along(r.top, r.height, height, p.height);
    std::vector<float> out(width * height * 3, 0.f), row(p.width * 3);
    for (std::size_t i = 0; i < height; ++i) {
        std::fill(row.begin(), row.end(), 0.f);
        for (std::size_t t = 0; t < down[i].weights.size(); ++t) {
            std::uint8_t const* const from = &p.pixels[(down[i].first + t) * p.width * 3];
            for (std::size_t k = 0; k < row.size(); ++k) {
                row[k] += down[i].weights[t] * static_cast<float>(from[k]);
            }
        }
        for (std::size_t j = 0; j < width; ++j) {
            for (std::size_t t = 0; t < across[j].weights.size(); ++t) {
                for (std::size_t c = 0; c < 3; ++c) {
                    out[(i * width + j) * 3 + c] +=
                        across[j].weights[t] * row[(across[j].first + t) * 3 + c];
                }
            }
        }
    }
    return out;
}

}  // namespace support

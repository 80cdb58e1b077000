// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures with the statistics of photographs, for when there are none: opaque leaves of all
// sizes fall on each other (number of radius r ~ 1 / r^3, which makes amplitudes fall as 1 / f
// and gives edges of all directions), each shaded and with a texture of equal contrast per octave.
#pragma once
#include <support/picture.hpp>
#include <support/random.hpp>
#include <algorithm>
#include <cmath>

namespace support {

namespace detail {

struct leaf {
    double x, y;          // centre
    double cosine, sine;  // direction of the first axis
    double a, b;          // half axes
    double grey, slope;   // brightness and its change from end to end
    double texture;       // contrast
    bool square;          // corners and straight edges
    std::uint64_t seed;
};

inline leaf random_leaf(random_stream& r, double side, double smallest, double largest) {
    leaf l{};
    l.x = r.uniform(0, side);
    l.y = r.uniform(0, side);
    double length = 0;
    while (length < 0.1 || length > 1) {
        l.cosine = r.uniform(-1, 1);
        l.sine = r.uniform(-1, 1);
        length = l.cosine * l.cosine + l.sine * l.sine;
    }
    l.cosine /= std::sqrt(length);
    l.sine /= std::sqrt(length);
    double const low = 1 / (smallest * smallest), high = 1 / (largest * largest);
    l.a = 1 / std::sqrt(r.uniform(high, low));
    l.b = l.a * r.uniform(0.3, 1);
    l.grey = r.uniform(0.1, 0.9);
    l.slope = r.uniform(-0.15, 0.15);
    l.texture = r.uniform(0, 0.09);
    l.square = r.uniform() < 0.4;
    l.seed = r.next();
    return l;
}

// Smooth noise in [-1, 1] with one random value per unit square.
inline double value_noise(double x, double y, std::uint64_t seed) {
    double const i = std::floor(x), j = std::floor(y);
    double const u = x - i, v = y - j;
    auto const at = [&](double p, double q) {
        auto const cell = static_cast<std::uint64_t>((p + 4096) * 8192 + q + 4096);
        return random_stream{seed + cell * 0xd1342543de82ef95}.uniform() * 2 - 1;
    };
    auto const ease = [](double t) { return t * t * (3 - 2 * t); };
    double const top = at(i, j) + ease(u) * (at(i + 1, j) - at(i, j));
    double const bottom = at(i, j + 1) + ease(u) * (at(i + 1, j + 1) - at(i, j + 1));
    return top + ease(v) * (bottom - top);
}

inline double texture(double x, double y, std::uint64_t seed) {
    double sum = 0;
    for (double wavelength : {24.0, 12.0, 6.0, 3.0}) {
        sum += value_noise(x / wavelength, y / wavelength, seed++);
    }
    return sum;
}

inline void drop(leaf const& l, std::vector<float>& canvas, std::size_t side) {
    double const reach = std::sqrt(2.0) * l.a, end = static_cast<double>(side);
    auto const from = [&](double c) {
        return static_cast<std::size_t>(std::clamp(c - reach, 0.0, end));
    };
    auto const to = [&](double c) {
        return static_cast<std::size_t>(std::clamp(c + reach + 1, 0.0, end));
    };
    for (std::size_t i = from(l.y); i < to(l.y); ++i) {
        for (std::size_t j = from(l.x); j < to(l.x); ++j) {
            double const dx = static_cast<double>(j) - l.x, dy = static_cast<double>(i) - l.y;
            double const u = (l.cosine * dx + l.sine * dy) / l.a;
            double const v = (l.cosine * dy - l.sine * dx) / l.b;
            bool const inside =
                l.square ? std::max(std::abs(u), std::abs(v)) < 1 : u * u + v * v < 1;
            if (!inside) continue;
            double const grey = l.grey + l.slope * u + l.texture * texture(dx, dy, l.seed);
            canvas[i * side + j] = static_cast<float>(grey);
        }
    }
}

// A lens is never sharp to the pixel: weights 1 2 1 along rows and columns.
inline picture developed(std::vector<float> const& canvas, std::size_t side) {
    picture p{side, side, std::vector<std::uint8_t>(side * side)};
    auto const at = [&](std::size_t i, std::size_t j) {
        return canvas[std::min(i, side - 1) * side + std::min(j, side - 1)];
    };
    for (std::size_t i = 0; i < side; ++i) {
        for (std::size_t j = 0; j < side; ++j) {
            std::size_t const up = i > 0 ? i - 1 : 0, left = j > 0 ? j - 1 : 0;
            auto const row = [&](std::size_t k) {
                return at(k, left) + 2 * at(k, j) + at(k, j + 1);
            };
            float const grey = (row(up) + 2 * row(i) + row(i + 1)) / 16;
            p.pixels[i * side + j] =
                static_cast<std::uint8_t>(255 * std::clamp(grey, 0.0f, 1.0f) + 0.5f);
        }
    }
    return p;
}

}  // namespace detail

// Picture `number` of a series: side x side pixels.
inline picture generated_scene(std::uint64_t seed, std::uint64_t number, std::size_t side = 512) {
    random_stream r = stream_of(seed, number);
    std::vector<float> canvas(side * side, 0.5f);
    auto const size = static_cast<double>(side);
    detail::leaf sky = detail::random_leaf(r, size, 8 * size, 9 * size);
    detail::drop(sky, canvas, side);
    std::size_t const leaves = side * side / 90;
    for (std::size_t i = 0; i < leaves; ++i) {
        detail::drop(detail::random_leaf(r, size, 5, size / 3), canvas, side);
    }
    return detail::developed(canvas, side);
}

}  // namespace support

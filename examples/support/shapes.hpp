// SPDX-License-Identifier: BSD-3-Clause
//
// Small colour pictures of ten kinds, for when CIFAR-10 is not there: disc, square, triangle, ring,
// cross, stripes across, stripes down, slanted stripes, chequers, frame. Colours, places, sizes and
// noise are random; a mirrored picture is of the same kind. Picture i depends on the seed and on i.
#pragma once
#include <support/random.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace support {

struct colour_set {
    std::size_t count = 0, side = 32, classes = 10;
    std::vector<std::uint8_t> pixels;  // (count, 3, side, side)
    std::vector<std::uint8_t> labels;  // (count)
    std::string source;                // a file name, or "generated shapes"

    std::size_t size() const { return 3 * side * side; }  // of a picture
};

namespace detail {

// Whether (u, v) is on the shape, which reaches from -1 to 1; `slant` is -1 or 1.
inline bool is_on_shape(std::size_t kind, double u, double v, double slant) {
    double const r = u * u + v * v, far = std::max(std::abs(u), std::abs(v));
    double const near = std::min(std::abs(u), std::abs(v));
    switch (kind) {
        case 0:
            return r < 1;
        case 1:
            return far < 0.85;
        case 2:
            return std::abs(v) < 0.9 && std::abs(u) < 0.55 * (v + 0.9);
        case 3:
            return r < 1 && r > 0.3;
        case 4:
            return far < 1 && near < 0.3;
        case 5:
            return far < 1 && std::sin(7 * v) > 0;
        case 6:
            return far < 1 && std::sin(7 * u) > 0;
        case 7:
            return far < 1 && std::sin(5 * (u + slant * v)) > 0;
        case 8:
            return far < 1 && std::sin(5 * u) * std::sin(5 * v) > 0;
        default:
            return far < 0.95 && far > 0.55;
    }
}

inline void draw_shape(std::size_t kind, random_stream r, std::uint8_t* image, std::size_t side) {
    double const middle = (static_cast<double>(side) - 1) / 2, reach = 0.13 * middle;
    double const x = middle + r.uniform(-reach, reach), y = middle + r.uniform(-reach, reach);
    double const size = middle * r.uniform(0.6, 0.95), slant = r.uniform() < 0.5 ? -1 : 1;
    double shape[3], ground[3], apart = 0;
    while (apart < 0.5) {
        apart = 0;
        for (int c = 0; c < 3; ++c) {
            shape[c] = r.uniform(), ground[c] = r.uniform();
            apart += std::abs(shape[c] - ground[c]);
        }
    }
    double const noise = r.uniform(0.02, 0.1);
    for (std::size_t i = 0; i < side; ++i) {
        for (std::size_t j = 0; j < side; ++j) {
            bool const on = is_on_shape(kind, (static_cast<double>(j) - x) / size,
                                        (static_cast<double>(i) - y) / size, slant);
            for (std::size_t c = 0; c < 3; ++c) {
                double const v = (on ? shape[c] : ground[c]) + noise * r.normal();
                image[(c * side + i) * side + j] =
                    static_cast<std::uint8_t>(255 * std::clamp(v, 0.0, 1.0) + 0.5);
            }
        }
    }
}

}  // namespace detail

inline colour_set generated_shapes(std::size_t count, std::uint64_t seed) {
    colour_set set;
    set.count = count, set.source = "generated shapes";
    set.pixels.resize(count * set.size());
    for (std::size_t i = 0; i < count; ++i) {
        random_stream r = stream_of(seed, i);
        set.labels.push_back(static_cast<std::uint8_t>(r.below(set.classes)));
        detail::draw_shape(set.labels[i], r, &set.pixels[i * set.size()], set.side);
    }
    return set;
}

}  // namespace support

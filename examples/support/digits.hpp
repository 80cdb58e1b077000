// SPDX-License-Identifier: BSD-3-Clause
//
// Digits drawn by a pen, for when MNIST is not there: 28 x 28, labels known. Each is a few smooth
// strokes through given points, shaken, turned, sheared and shifted; ink falls off at the rim:
//
//   pixel = 255 * clip(radius + 1/2 - distance to the stroke, 0, 1)
//
// Image i depends on the seed and on i alone.
#pragma once
#include <support/random.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace support {

struct image_set {
    std::size_t count = 0, rows = 0, columns = 0;
    std::vector<std::uint8_t> pixels;  // (count, rows, columns)
    std::vector<std::uint8_t> labels;  // (count)
    std::string source;                // a file name, or "generated digits"
};

namespace detail {

struct point {
    double x, y;
};
using stroke = std::vector<point>;

// In a unit square, y downwards; a corner is where one stroke ends and the next begins.
inline std::vector<stroke> const& strokes_of(std::size_t digit) {
    // clang-format off
    static std::vector<stroke> const strokes[10] = {
        {{{.5, 0}, {.25, .14}, {.13, .5}, {.24, .86}, {.5, 1}, {.76, .86}, {.87, .5}, {.75, .14},
          {.48, 0}}},
        {{{.36, .18}, {.53, .01}}, {{.53, .01}, {.51, .5}, {.48, 1}}},
        {{{.15, .25}, {.3, .05}, {.6, .02}, {.8, .22}, {.7, .48}, {.4, .76}, {.12, .97}},
         {{.12, .97}, {.5, .94}, {.9, .96}}},
        {{{.18, .12}, {.48, 0}, {.78, .18}, {.66, .4}, {.38, .47}},
         {{.38, .47}, {.74, .54}, {.84, .77}, {.6, .98}, {.3, .98}, {.12, .85}}},
        {{{.3, .02}, {.21, .34}, {.13, .58}}, {{.13, .58}, {.5, .57}, {.9, .55}},
         {{.74, .02}, {.69, .5}, {.64, 1}}},
        {{{.82, .03}, {.3, .05}}, {{.3, .05}, {.24, .43}},
         {{.24, .43}, {.52, .36}, {.8, .51}, {.82, .78}, {.55, .98}, {.15, .92}}},
        {{{.68, .01}, {.4, .2}, {.21, .55}, {.24, .86}, {.5, 1}, {.77, .86}, {.75, .62},
          {.5, .52}, {.25, .68}}},
        {{{.12, .06}, {.5, .06}, {.86, .04}}, {{.86, .04}, {.6, .5}, {.42, 1}}},
        {{{.75, .16}, {.5, 0}, {.25, .15}, {.33, .36}, {.5, .48}, {.74, .68}, {.72, .92}, {.5, 1},
          {.28, .92}, {.26, .68}, {.5, .48}, {.68, .34}, {.75, .16}}},
        {{{.76, .2}, {.52, .02}, {.26, .14}, {.24, .38}, {.48, .51}, {.7, .38}, {.76, .16}},
         {{.76, .16}, {.74, .6}, {.6, 1}}}};
    // clang-format on
    return strokes[digit];
}

// A Catmull-Rom curve through the points, as a chain of short straight pieces.
inline stroke smooth(stroke const& p) {
    stroke out = {p.front()};
    int const pieces = 8;
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
        point const a = p[i > 0 ? i - 1 : 0], b = p[i], c = p[i + 1];
        point const d = p[std::min(i + 2, p.size() - 1)];
        for (int k = 1; k <= pieces; ++k) {
            double const t = static_cast<double>(k) / pieces;
            auto const along = [t](double q, double r, double s, double u) {
                return r +
                       t / 2 *
                           (s - q + t * (2 * q - 5 * r + 4 * s - u + t * (3 * (r - s) + u - q)));
            };
            out.push_back({along(a.x, b.x, c.x, d.x), along(a.y, b.y, c.y, d.y)});
        }
    }
    return out;
}

inline double distance_to_segment(point p, point a, point b) {
    double const dx = b.x - a.x, dy = b.y - a.y;
    double const length = dx * dx + dy * dy;
    double t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    t = std::clamp(t, 0.0, 1.0);
    double const x = a.x + t * dx - p.x, y = a.y + t * dy - p.y;
    return std::sqrt(x * x + y * y);
}

// Ink along the segment from a to b, only where it can reach.
inline void draw_segment(std::uint8_t* image, std::size_t side, point a, point b, double radius) {
    double const reach = radius + 0.5;
    auto const first = [&](double u, double v) {
        return static_cast<std::size_t>(std::max(0.0, std::ceil(std::min(u, v) - reach)));
    };
    auto const last = [&](double u, double v) {
        double const end = std::floor(std::max(u, v) + reach);
        return static_cast<std::size_t>(std::clamp(end + 1, 0.0, static_cast<double>(side)));
    };
    for (std::size_t i = first(a.y, b.y); i < last(a.y, b.y); ++i) {
        for (std::size_t j = first(a.x, b.x); j < last(a.x, b.x); ++j) {
            point const here = {static_cast<double>(j), static_cast<double>(i)};
            double const ink = std::clamp(reach - distance_to_segment(here, a, b), 0.0, 1.0);
            std::uint8_t& pixel = image[i * side + j];
            pixel = std::max(pixel, static_cast<std::uint8_t>(255 * ink + 0.5));
        }
    }
}

inline void draw_digit(std::size_t digit, random_stream r, std::uint8_t* image, std::size_t side) {
    double const t = r.uniform(-0.12, 0.12);  // half the tangent of the angle: 14 degrees each way
    double const cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    double const width = r.uniform(13, 18), height = r.uniform(17, 20.5);
    double const slant = r.uniform(-0.3, 0.12), radius = r.uniform(0.7, 1.5);
    double const middle = (static_cast<double>(side) - 1) / 2;
    point const centre = {middle + r.uniform(-1.5, 1.5), middle + r.uniform(-1.5, 1.5)};
    double const shake = r.uniform(0.01, 0.04);
    for (stroke points : strokes_of(digit)) {
        for (point& p : points) {
            double const y = height * (p.y - 0.5 + shake * r.normal());
            double const x = width * (p.x - 0.5 + shake * r.normal()) + slant * y;
            p = {centre.x + cosine * x - sine * y, centre.y + sine * x + cosine * y};
        }
        stroke const line = smooth(points);
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            draw_segment(image, side, line[i], line[i + 1], radius);
        }
    }
}

}  // namespace detail

inline image_set generated_digits(std::size_t count, std::uint64_t seed) {
    std::size_t const side = 28;
    image_set set{count, side, side, {}, {}, "generated digits"};
    set.pixels.resize(count * side * side);
    for (std::size_t i = 0; i < count; ++i) {
        random_stream r = stream_of(seed, i);
        set.labels.push_back(static_cast<std::uint8_t>(r.below(10)));
        detail::draw_digit(set.labels[i], r, &set.pixels[i * side * side], side);
    }
    return set;
}

}  // namespace support

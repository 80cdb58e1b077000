// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/resample.hpp>
#include <doctest/doctest.h>

namespace {

// Red grows along rows, green down columns; blue is 40.
support::picture ramp(std::size_t width, std::size_t height) {
    support::picture p{width, height, {}};
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            p.pixels.push_back(static_cast<std::uint8_t>(2 * j));
            p.pixels.push_back(static_cast<std::uint8_t>(3 * i));
            p.pixels.push_back(40);
        }
    }
    return p;
}

}  // namespace

TEST_CASE("at its own size a picture stays as it is") {
    auto const p = ramp(7, 5);
    auto const v = support::resampled(p, {0, 0, 7, 5}, 7, 5);
    REQUIRE(v.size() == p.pixels.size());
    for (std::size_t i = 0; i < v.size(); ++i) CHECK(v[i] == doctest::Approx(p.pixels[i]));
}

TEST_CASE("what is linear stays so at other sizes, and a colour stays the same") {
    auto const p = ramp(60, 40);
    for (std::size_t n : {5, 10, 20, 50}) {
        auto const v = support::resampled(p, {20, 10, 20, 20}, n, n);
        double const step = 20 / static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                float const* const at = &v[(i * n + j) * 3];
                double const x = 20 + (static_cast<double>(j) + 0.5) * step - 0.5;
                double const y = 10 + (static_cast<double>(i) + 0.5) * step - 0.5;
                CHECK(at[0] == doctest::Approx(2 * x).epsilon(1e-4));
                CHECK(at[1] == doctest::Approx(3 * y).epsilon(1e-4));
                CHECK(at[2] == doctest::Approx(40));
            }
        }
    }
}

TEST_CASE("beyond the rim lies the rim") {
    auto const p = ramp(4, 4);
    auto const v = support::resampled(p, {-100, -100, 10, 10}, 3, 3);
    for (std::size_t i = 0; i < v.size(); i += 3) {
        CHECK(v[i] == doctest::Approx(0));
        CHECK(v[i + 2] == doctest::Approx(40));
    }
    auto const w = support::resampled(p, {100, -2, 4, 8}, 2, 8);
    CHECK(w[0] == doctest::Approx(6));
    CHECK(w[w.size() - 2] == doctest::Approx(9));
}

TEST_CASE("a smaller picture averages, it does not pick") {
    support::picture p{64, 64, std::vector<std::uint8_t>(64 * 64 * 3)};
    for (std::size_t k = 0; k < p.pixels.size(); k += 6) {  // every second pixel is white
        for (std::size_t c = 0; c < 3; ++c) p.pixels[k + c] = 255;
    }
    auto const v = support::resampled(p, {0, 0, 64, 64}, 8, 8);
    for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t j = 1; j < 7; ++j) {  // at the rim its pixel counts more
            CHECK(v[(i * 8 + j) * 3] == doctest::Approx(127.5).epsilon(0.01));
        }
    }
}

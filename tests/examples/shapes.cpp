// SPDX-License-Identifier: BSD-3-Clause
#include <support/shapes.hpp>
#include <doctest/doctest.h>
#include <set>

TEST_CASE("shape i depends on the seed and on i alone") {
    auto const few = support::generated_shapes(3, 7), more = support::generated_shapes(9, 7);
    auto const others = support::generated_shapes(9, 8);
    CHECK(few.pixels.size() == 3 * 3072);
    CHECK(std::equal(few.pixels.begin(), few.pixels.end(), more.pixels.begin()));
    CHECK(more.pixels != others.pixels);
    for (std::size_t i = 0; i < 3; ++i) CHECK(few.labels[i] == more.labels[i]);
}

TEST_CASE("there are ten kinds, and each has a shape and a ground") {
    auto const set = support::generated_shapes(300, 1);
    CHECK(std::set(set.labels.begin(), set.labels.end()).size() == 10);
    for (std::size_t kind = 0; kind < 10; ++kind) {
        int on = 0, mirrored = 0;
        for (int i = 0; i < 32; ++i) {
            for (int j = 0; j < 32; ++j) {
                double const u = (j - 15.5) / 16, v = (i - 15.5) / 16;
                bool const here = support::detail::is_on_shape(kind, u, v, 1);
                on += here;
                // A mirrored shape is of its kind: itself, of another slant, or shifted.
                mirrored += support::detail::is_on_shape(kind, -u, v, -1) == here;
            }
        }
        CAPTURE(kind);
        CHECK(on > 150);
        CHECK(on < 900);
        bool const is_periodic = kind == 6 || kind == 7 || kind == 8;
        CHECK((is_periodic || mirrored == 1024));
    }
}

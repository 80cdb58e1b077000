// SPDX-License-Identifier: BSD-3-Clause
//
// Windows of pools against loops over all of them: how many there are, where their elements lie,
// and which of them an element lies in.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/pool_windows.hpp>

using felt::extents;
using felt::index_t;
using felt::pool_options;
using felt::detail::pool_axis;
using test::message;

namespace {

// Windows along an axis, those that begin in its padding among them.
index_t windows_along(index_t n, index_t window, index_t stride, index_t padding) {
    index_t count = 0;
    for (index_t i = -padding; i + window <= n + padding; i += stride) ++count;
    return count;
}

felt::detail::pool_shape shape_of(extents<4> const& x, pool_options const& o) {
    return felt::detail::shape_of_pool("here", x, o);
}

// Whether element k is where it is by integer division. Rows of the image are longer by one than
// those of the window, so that the two numbers do not look alike.
template <class J>
bool is_placed(index_t k, index_t window, index_t size) {
    pool_axis const rows{(size - 1) / window + 1, 1, 1, 1, 0}, columns{window + 1, 1, window, 1, 0};
    felt::detail::place_in_image<J> const place{rows, columns};
    return place(k, 0, 0) == static_cast<J>(k / window * (window + 1) + k % window);
}

}  // namespace

TEST_CASE("the shape of a pool: its windows, its stride if none is given, its padding") {
    for (index_t n : {1, 2, 3, 7, 8, 13})
        for (index_t window : {1, 2, 3, 7})
            for (index_t stride : {0, 1, 2, 3, 5, 20})
                for (index_t padding = 0; 2 * padding <= window; ++padding) {
                    index_t const step = stride == 0 ? window : stride;
                    index_t const count = windows_along(n, window, step, padding);
                    if (count == 0) continue;
                    pool_options const down{
                        .window = {window, 1}, .stride = {stride, 1}, .padding = {padding, 0}};
                    pool_options const across{
                        .window = {1, window}, .stride = {1, stride}, .padding = {0, padding}};
                    auto const a = shape_of({{2, 3, n, 5}}, down);
                    auto const b = shape_of({{2, 3, 5, n}}, across);
                    pool_axis const own{n, count, window, step, padding}, other{5, 5, 1, 1, 0};
                    CHECK(a.axis[0] == own);
                    CHECK(a.axis[1] == other);
                    CHECK(b.axis[0] == other);
                    CHECK(b.axis[1] == own);
                    CHECK(a.options.stride[0].value == step);
                    CHECK(b.options.padding[1].value == padding);
                    CHECK(b.options.dilation[1].value == 1);
                }
}

TEST_CASE("a pool that has no shape says who asked, and why") {
    auto const refused = [](pool_options const& o) {
        return message([&] { (void)shape_of({{2, 3, 4, 6}}, o); });
    };
    CHECK(refused({.window = {5, 2}}) ==
          "here: a window of 5 (span 5) does not fit axis 2 of (2, 3, 4, 6)");
    CHECK(refused({.window = {2, 7}}) ==
          "here: a window of 7 (span 7) does not fit axis 3 of (2, 3, 4, 6)");
    CHECK(refused({.window = {3, 3}, .padding = {2, 0}}) ==
          "here: padding 2 is more than half of window 3");
    CHECK(refused({.window = {3, 3}, .padding = {1, 2}}) ==
          "here: padding 2 is more than half of window 3");
    CHECK(refused({.window = {0, 2}}).find("a window of 0") != std::string::npos);
    CHECK(refused({.stride = {2, -1}}).find("axis 3") != std::string::npos);
    CHECK(refused({.padding = {-1, 0}}).find("axis 2") != std::string::npos);
    CHECK(refused({.window = {6, 6}, .padding = {1, 0}}) == "nothing thrown");
    CHECK(message([] { (void)shape_of({{2, 3, 0, 6}}, {}); }).find("axis 2") != std::string::npos);
    CHECK(message([] { (void)shape_of({{0, 0, 4, 6}}, {}); }) == "nothing thrown");
}

TEST_CASE_TEMPLATE("an element of a window is where integer division says", J, std::int32_t,
                   index_t) {
    for (index_t window : {1, 2, 3, 5, 7, 8, 13, 49, 64, 97, 1024, 1031}) {
        index_t const size = 40 * window + 1;
        index_t wrong = 0;
        for (index_t k = 0; k < size; ++k) wrong += !is_placed<J>(k, window, size);
        CAPTURE(window);
        CHECK(wrong == 0);
    }
}

TEST_CASE("the largest numbers of 32 bits, and those that a reciprocal still is exact for") {
    index_t const in_32_bits = std::numeric_limits<std::int32_t>::max();
    index_t const most = (index_t{1} << 50) - 1;
    for (index_t window : {1, 2, 3, 7, 49, 641, 4096, 46337, 46341, 65536, 1 << 30, 2147483647}) {
        CAPTURE(window);
        for (index_t limit : {in_32_bits, most}) {
            index_t const last_row = (limit - 1) / window;
            for (index_t row = last_row; row > last_row - 100 && row > 0; --row) {
                index_t const edge = row * window;
                CHECK(is_placed<index_t>(edge - 1, window, limit));
                CHECK(is_placed<index_t>(edge, window, limit));
                CHECK(is_placed<index_t>(std::min(edge + window - 1, limit - 1), window, limit));
            }
        }
        pool_axis const rows{in_32_bits / window, 1, 1, 1, 0}, columns{window, 1, window, 1, 0};
        felt::detail::place_in_image<std::int32_t> const place{rows, columns};
        index_t const last = in_32_bits / window * window - 1;
        CHECK(place(last, 0, 0) == last);
    }
}

TEST_CASE("an element in the padding is at the nearest edge") {
    for (index_t padding : {0, 1, 2})
        for (index_t stride : {1, 2, 5, 7}) {
            pool_options const o{
                .window = {4, 5}, .stride = {stride, 3}, .padding = {padding, padding}};
            auto const s = shape_of({{1, 1, 9, 7}}, o);
            felt::detail::place_in_image<std::int32_t> const place{s.axis[0], s.axis[1]};
            for (index_t p = 0; p < s.axis[0].p; ++p)
                for (index_t q = 0; q < s.axis[1].p; ++q)
                    for (index_t k = 0; k < 20; ++k) {
                        index_t const i = p * stride - padding + k / 5;
                        index_t const j = q * 3 - padding + k % 5;
                        index_t const row = std::clamp<index_t>(i, 0, 8);
                        CHECK(place(k, p, q) == row * 7 + std::clamp<index_t>(j, 0, 6));
                    }
        }
}

namespace {

bool lies_in(pool_axis const& a, index_t window, index_t element) {
    index_t const i = element + a.padding - window * a.stride;
    return i >= 0 && i < a.window;
}

// Results are numbered, -1 is none. Those that element (h, w) of an image contributes to are to be
// there once, each where that element is in its window.
void check_covering(extents<4> const& x, pool_options const& o) {
    auto const s = shape_of(x, o);
    auto const& [down, across] = s.axis;
    felt::Tensor<double, 4> const y = felt::iota<double>({x[0], x[1], down.p, across.p});
    auto const all = test::values(felt::detail::covering_windows(y, s, -1.0));
    index_t const rows = down.covering(), columns = across.covering();
    REQUIRE(all.extents == std::vector{x[0], x[1], x[2], x[3], rows, columns});
    felt::Tensor<std::uint16_t, 6> const place = felt::broadcast_to(
        felt::detail::places_in_windows<std::uint16_t>(s), {1, 1, x[2], x[3], rows, columns});
    index_t wrong = 0;
    test::computed({x[0], x[1], x[2], x[3]}, [&](index_t const* at) {
        using window = std::pair<double, index_t>;  // its result, and the element's place in it
        std::vector<window> want, found;
        for (index_t p = 0; p < down.p; ++p)
            for (index_t q = 0; q < across.p; ++q) {
                if (!lies_in(down, p, at[2]) || !lies_in(across, q, at[3])) continue;
                index_t const i = at[2] + down.padding - p * down.stride;
                index_t const j = at[3] + across.padding - q * across.stride;
                want.emplace_back(y(at[0], at[1], p, q), i * across.window + j);
            }
        for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < columns; ++j) {
                double const each = all(at[0], at[1], at[2], at[3], i, j);
                if (each != -1) found.emplace_back(each, place(0, 0, at[2], at[3], i, j));
            }
        std::ranges::sort(found);
        wrong += found != want;
        return 0.0;
    });
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("all windows that an element lies in, each once: overlaps, gaps, padding") {
    for (index_t n : {1, 2, 5, 8, 11})
        for (index_t window : {1, 2, 3, 4, 6})
            for (index_t stride : {1, 2, 3, 4, 7})
                for (index_t padding = 0; 2 * padding <= window; ++padding) {
                    if (n + 2 * padding < window) continue;
                    CAPTURE(n);
                    CAPTURE(window);
                    CAPTURE(stride);
                    CAPTURE(padding);
                    check_covering(
                        {{2, 3, n, 7}},
                        {.window = {window, 3}, .stride = {stride, 2}, .padding = {padding, 1}});
                    check_covering(
                        {{1, 2, 6, n}},
                        {.window = {4, window}, .stride = {2, stride}, .padding = {1, padding}});
                }
}

TEST_CASE("results that are not those of a pool") {
    auto const s = shape_of({{2, 3, 4, 6}}, {});
    auto const checked = [&](extents<4> const& y) {
        return message([&] { felt::detail::check_pooled("here", {{2, 3, 4, 6}}, y, s); });
    };
    CHECK(checked({{2, 3, 2, 3}}) == "nothing thrown");
    for (extents<4> const& y : {extents<4>{{1, 3, 2, 3}}, {{2, 1, 2, 3}}, {{2, 3, 1, 3}}}) {
        CHECK(checked(y) ==
              "here: results of (2, 3, 4, 6) are (2, 3, 2, 3), not " + felt::to_string(y));
    }
}

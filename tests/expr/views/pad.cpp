// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/pad.hpp>

using felt::index_t;
using felt::pad;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

plain padded(plain const& x, index_t top, index_t bottom, index_t left, index_t right, double v) {
    index_t const m = x.extents[0], n = x.extents[1];
    return computed({m + top + bottom, n + left + right}, [&](auto at) {
        index_t const i = at[0] - top, j = at[1] - left;
        return i >= 0 && i < m && j >= 0 && j < n ? x(i, j) : v;
    });
}

}  // namespace

TEST_CASE("pad puts a value around") {
    auto const x = Tensor<int, 2>::of({{1, 2}, {3, 4}});
    CHECK(values(pad(x, {{0, 0}, {1, 2}}, 9)) == plain{{2, 5}, {9, 1, 2, 9, 9, 9, 3, 4, 9, 9}});
    CHECK(values(pad(x, {{1, 0}, {0, 0}})) == plain{{3, 2}, {0, 0, 1, 2, 3, 4}});
    CHECK(values(pad(x, {{0, 0}, {0, 0}})) == values(x));
    CHECK(values(pad(Tensor<float, 1>::of({1}), {{1, 1}}, 0.5)) == plain{{3}, {0.5, 1, 0.5}});
}

TEST_CASE("pad of tensors in any layout, of expressions, reductions and products") {
    auto const x = numbered<Tensor<float, 2>>({19, 37});
    auto const a = values(x);
    CHECK(values(pad(x, {{3, 1}, {2, 20}}, -1)) == padded(a, 3, 1, 2, 20, -1));
    CHECK(values(pad(transpose(transpose(x) * 2), {{1, 1}, {1, 1}}, 5) / 2) ==
          padded(a, 1, 1, 1, 1, 2.5));
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = x;
    CHECK(values(pad(c, {{0, 2}, {1, 0}}, 7)) == padded(a, 0, 2, 1, 0, 7));
    auto const p = values(matmul(x, transpose(x)));
    CHECK(values(pad(matmul(x, transpose(x)), {{1, 2}, {3, 4}}, 1) * 1) ==
          padded(p, 1, 2, 3, 4, 1));
}

TEST_CASE("an operand without elements is padding alone") {
    Tensor<float, 2> const none({0, 2});
    CHECK(values(pad(none, {{1, 1}, {0, 0}}, 3)) == plain{{2, 2}, {3, 3, 3, 3}});
}

TEST_CASE("a negative width is an error") {
    CHECK(message([] { (void)pad(Tensor<int, 1>({3}), {{-1, 0}}); }) ==
          "pad: negative width on axis 0 of (3)");
}

namespace {

using felt::pad_mode;

// Index i of an axis of n elements, which goes on by its mode.
index_t inside(pad_mode mode, index_t i, index_t n) {
    if (mode == pad_mode::wrap) return (i % n + n) % n;
    if (mode == pad_mode::edge) return std::clamp<index_t>(i, 0, n - 1);
    index_t const period = std::max<index_t>(2 * (n - 1), 1), at = (i % period + period) % period;
    return std::min(at, period - at);
}

}  // namespace

TEST_CASE("pad goes on with the elements of the axis, around, mirrored, or the last of them") {
    auto const x = Tensor<int, 1>::of({1, 2, 3});
    CHECK(values(pad(x, {{2, 1}}, pad_mode::wrap)) == plain{{6}, {2, 3, 1, 2, 3, 1}});
    CHECK(values(pad(x, {{2, 1}}, pad_mode::reflect)) == plain{{6}, {3, 2, 1, 2, 3, 2}});
    CHECK(values(pad(x, {{2, 1}}, pad_mode::edge)) == plain{{6}, {1, 1, 1, 2, 3, 3}});
    CHECK(values(pad(x, {{4, 7}}, pad_mode::wrap)) ==
          plain{{14}, {3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1}});
    CHECK(values(pad(x, {{0, 9}}, pad_mode::edge)) ==
          plain{{12}, {1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}});
    CHECK(values(pad(x, {{0, 0}}, pad_mode::reflect)) == values(x));
    CHECK(values(pad(Tensor<int, 1>::of({7}), {{2, 1}}, pad_mode::wrap)) ==
          plain{{4}, {7, 7, 7, 7}});
}

TEST_CASE("borders of images in any layout, of expressions, reductions and products") {
    auto const x = numbered<Tensor<float, 3>>({2, 19, 37});
    Tensor<float, 3, felt::Host, felt::ColMajor> const c = x;
    auto const a = values(x), p = values(matmul(x, felt::mT(x)));
    for (auto mode : {pad_mode::wrap, pad_mode::reflect, pad_mode::edge}) {
        for (index_t w : {0, 1, 3, 18}) {
            auto const expected = computed({2, 20 + w, 37 + 2 * w}, [&](auto at) {
                return a(at[0], inside(mode, at[1] - w, 19), inside(mode, at[2] - w, 37));
            });
            CHECK(values(pad(x, {{0, 0}, {w, 1}, {w, w}}, mode)) == expected);
            CHECK(values(pad(c, {{0, 0}, {w, 1}, {w, w}}, mode)) == expected);
            CHECK(values(pad(x * 2, {{0, 0}, {w, 1}, {w, w}}, mode) / 2) == expected);
            CHECK(values(mean<-1>(pad(x + 1, {{0, 0}, {w, 1}, {w, w}}, mode)) - 1) ==
                  test::near(values(mean<-1>(pad(x, {{0, 0}, {w, 1}, {w, w}}, mode))), 1e-5));
            CHECK(values(pad(matmul(x, felt::mT(x)), {{0, 0}, {w, 1}, {1, w}}, mode) * 1) ==
                  computed({2, 20 + w, 20 + w}, [&](auto at) {
                      return p(at[0], inside(mode, at[1] - w, 19), inside(mode, at[2] - 1, 19));
                  }));
        }
    }
}

TEST_CASE("windows, products and sums over a border of the image's own") {
    auto const x = numbered<Tensor<float, 2>>({9, 17});
    auto const a = values(x);
    for (auto mode : {pad_mode::wrap, pad_mode::reflect, pad_mode::edge}) {
        auto const around = pad(x, {{1, 1}, {1, 1}}, mode);
        Tensor<float, 2> y({9, 17});
        auto const smooth = computed({9, 17}, [&](auto at) {
            double sum = 0;
            for (index_t r = -1; r < 2; ++r)
                for (index_t s = -1; s < 2; ++s)
                    sum += a(inside(mode, at[0] + r, 9), inside(mode, at[1] + s, 17));
            return sum;
        });
        CHECK(values(felt::sum<-2, -1>(windows(around, {3, 3}))) == test::near(smooth, 1e-6));
        CHECK(
            explain(assign(y, felt::sum<-2, -1>(windows(around, {3, 3})))).intermediates().empty());
        CHECK(values(matmul(around, transpose(around))) ==
              test::near(values(matmul(eval(around), transpose(eval(around)))), 1e-6));
        CHECK(values(felt::max<-2, -1>(windows(around * 2, {2, 2}, {.stride = {2, 2}}))) ==
              values(felt::max<-2, -1>(windows(eval(around * 2), {2, 2}, {.stride = {2, 2}}))));
    }
}

TEST_CASE("an axis that has too few elements to go on with is an error") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}});
    CHECK(message([&] { (void)pad(x, {{0, 0}, {0, 3}}, pad_mode::reflect); }) ==
          "pad: 3 elements beside axis 1 of (1, 3), which has 2 to mirror");
    CHECK_THROWS_AS(pad(x, {{1, 0}, {0, 0}}, pad_mode::reflect), felt::shape_error);
    CHECK(message([&] { (void)pad(Tensor<int, 1>({0}), {{1, 0}}, pad_mode::edge); }) ==
          "pad: 1 elements beside axis 0 of (0), which has 0 to repeat");
    CHECK_THROWS_AS(pad(Tensor<int, 1>({0}), {{0, 2}}, pad_mode::wrap), felt::shape_error);
    CHECK_THROWS_AS(pad(x, {{0, 0}, {-1, 0}}, pad_mode::wrap), felt::shape_error);
    CHECK_THROWS_AS(pad(x, {{0, 0}, {1, 0}}, pad_mode::constant), felt::error);
    CHECK(values(pad(Tensor<int, 2>({0, 2}), {{0, 0}, {1, 0}}, pad_mode::edge)) ==
          plain{{0, 3}, {}});
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Through views, beside central differences.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::second_error_of;
using test::tolerance;

namespace {
Tensor<double, 3> values() {
    Tensor<double, 3> w({3, 4, 5});
    w = normal<double>(w.extents(), 3);
    return w;
}
}  // namespace

TEST_CASE("views that put elements elsewhere") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return square(permute<2, 0, 1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(flip<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(slice(x, all(), range(1, 3), from(1, 2))); }) <
          tolerance);
    CHECK(error_of(w, [](auto x) { return square(slice(x, from(-1, -2), all(), all())); }) <
          tolerance);
    CHECK(error_of(w, [](auto x) { return square(pad(x, {{1, 0}, {0, 2}, {1, 1}}, 0.5)); }) <
          tolerance);
    CHECK(error_of(w, [](auto x) {
              auto [a, b] = split<1, 2>(x);
              return a * square(b);
          }) < tolerance);
}

TEST_CASE("views that repeat elements, turn them around or take a diagonal") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return square(roll<1, 2>(x, 3, -1)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return roll<0>(square(x), 7); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(tile(x, {2, 1, 3})); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(repeat<1>(x, 3)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(repeat<-1>(x, 2)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(upsample(x, {2, 3})); }) < tolerance);
    for (index_t k : {-3, -1, 0, 2, 4}) {
        CHECK(error_of(w, [&](auto x) { return square(diagonal(x, k)); }) < tolerance);
    }
    CHECK(error_of(w, [](auto x) { return square(trace(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(tril(x, 1)) + triu(x); }) < tolerance);
}
TEST_CASE("a slice that drops axes") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return square(slice(x, 1, all(), all())); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(slice(x, all(), 3, range(1, 4))); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(slice(x, 2, all(), 0)); }) < tolerance);
    CHECK(error_of(w, [](auto x) {
              auto [a, b, c] = unstack<0, 3>(x);
              return a * square(b) + c;
          }) < tolerance);
}

TEST_CASE("a border of the elements themselves gives back what it read") {
    auto w = values();
    for (auto mode : {pad_mode::wrap, pad_mode::reflect, pad_mode::edge}) {
        auto const around = [&](auto x) { return square(pad(x, {{2, 1}, {0, 3}, {1, 0}}, mode)); };
        CHECK(error_of(w, around) < tolerance);
        CHECK(second_error_of(w, [&](auto x) { return sum(square(around(x))); }) < tolerance);
        auto const g = grad<"w">(sum(around(named<"w">(w))));
        Tensor<double, 3> fused_one(w.extents()), other(w.extents());
        run(fused, assign(fused_one, g));
        run(unfused, assign(other, g));
        CHECK(all_close(fused_one, other, 1e-14));
    }
    CHECK(error_of(w, [](auto x) { return pad(x, {{7, 8}, {9, 0}, {0, 6}}, pad_mode::wrap); }) <
          tolerance);
    Tensor<double, 2> one({1, 31}), none({3, 0});
    one = normal<double>(one.extents(), 4);
    CHECK(error_of(one, [](auto x) { return pad(square(x), {{2, 3}, {5, 1}}, pad_mode::edge); }) <
          tolerance);
    auto const no_border = pad(named<"w">(none), {{2, 0}, {0, 0}}, pad_mode::edge);
    CHECK(eval(grad<"w">(sum(no_border))).extents() == none.extents());
}
TEST_CASE("second derivatives of what is counted around") {
    auto w = values();
    auto const rolled = [](auto x) { return sum(square(square(roll<0, 2>(x, 1, 2)))); };
    CHECK(second_error_of(w, rolled) < tolerance);
    auto const tiles = [](auto x) { return sum(square(square(tile(x, {1, 2, 1})))); };
    CHECK(second_error_of(w, tiles) < tolerance);
}

TEST_CASE("windows, which take elements several times") {
    Tensor<double, 4> x({2, 3, 6, 5}), k({4, 3, 3, 2});
    x = normal<double>(x.extents(), 4), k = normal<double>(k.extents(), 5);
    conv_options const o{.stride = {2, 1}, .padding = {1, 1}};
    CHECK(error_of(x, [&](auto y) { return conv2d(y, k, o); }) < tolerance);
    CHECK(error_of(k, [&](auto y) { return conv2d(x, y, o); }) < tolerance);
    conv_options const groups{.dilation = {2, 1}, .groups = 2};
    Tensor<double, 4> many({2, 4, 6, 5}), of_group({6, 2, 2, 2});
    many = normal<double>(many.extents(), 6), of_group = normal<double>(of_group.extents(), 7);
    CHECK(error_of(many, [&](auto y) { return square(conv2d(y, of_group, groups)); }) < tolerance);
    CHECK(error_of(of_group, [&](auto y) { return conv2d(many, y, groups); }) < tolerance);
    CHECK(error_of(x, [](auto y) { return square(avg_pool2d(y, {.window = {2, 2}})); }) <
          tolerance);
    CHECK(error_of(x, [](auto y) { return max_pool2d(y, {.window = {2, 2}}); }) < tolerance);
}

TEST_CASE("a view without a derivative says so") {
    auto const w = values();
    auto const x = named<"w">(w);
    CHECK_THROWS_WITH_AS(
        (void)grad<"w">(sum(square(broadcast_to(slice(x, all(), range(0, 1), all()), {3, 4, 5})))),
        doctest::Contains("use expand_dims"), shape_error);
}

TEST_CASE("convolutions along one axis and along three") {
    Tensor<double, 3> x({2, 4, 7}), k({6, 2, 3});
    x = normal<double>(x.extents(), 4), k = normal<double>(k.extents(), 5);
    conv1d_options const o{.stride = 2, .padding = 1, .groups = 2};
    CHECK(error_of(x, [&](auto y) { return square(conv1d(y, k, o)); }) < tolerance);
    CHECK(error_of(k, [&](auto y) { return square(conv1d(x, y, o)); }) < tolerance);
    Tensor<double, 5> v({2, 2, 3, 4, 5}), f({3, 2, 2, 1, 3});
    v = normal<double>(v.extents(), 6), f = normal<double>(f.extents(), 7);
    conv3d_options const p{.padding = {1, 0, 1}, .dilation = {1, 2, 1}};
    CHECK(error_of(v, [&](auto y) { return square(conv3d(y, f, p)); }) < tolerance);
    CHECK(error_of(f, [&](auto y) { return square(conv3d(v, y, p)); }) < tolerance);
}

TEST_CASE("convolutions of no channels") {
    Tensor<double, 3> x({2, 0, 5}), k({3, 0, 2});
    auto const dk = eval(grad<"k">(sum(square(conv1d(x, named<"k">(k), {.padding = 1})))));
    CHECK(dk.extents() == k.extents());
    auto const dx = eval(grad<"x">(sum(square(conv1d(named<"x">(x), k, {.padding = 1})))));
    CHECK(dx.extents() == x.extents());
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of docs/03_operations.md that no other test here differentiates: they are made of
// others, whose rules they show to be closed. Beside central differences. (House check
// `derivatives`: every function is in such a test, or is said to have none.)
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {

template <std::size_t R>
Tensor<double, R> values(index_t const (&e)[R], std::uint64_t seed = 3) {
    extents<R> of;
    for (std::size_t r = 0; r != R; ++r) of[r] = e[r];
    Tensor<double, R> w(of);
    w = normal<double>(of, seed);
    return w;
}

}  // namespace

TEST_CASE("views") {
    auto w = values({3, 4, 2});
    CHECK(error_of(w, [](auto x) { return square(swapaxes<0, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(moveaxis<0, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(mT(x)) * mT(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(flatten(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(rot180(x)) + x; }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(squeeze<1>(expand_dims<1>(x))); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(slice(x, until(2), all(), 1)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(stack<1>(x, 2 * x)); }) < tolerance);
    auto matrix = values({4, 5});
    CHECK(error_of(matrix, [](auto x) { return square(broadcast_to(x, {3, 4, 5})); }) < tolerance);
    auto row = values({1, 5});
    CHECK(error_of(row, [](auto x) { return square(broadcast_to(x, {3, 1, 5})); }) < tolerance);
    CHECK_THROWS_AS((void)grad<"w">(sum(broadcast_to(named<"w">(row), {4, 5}))), shape_error);
    CHECK(error_of(matrix, [](auto x) { return square(windows(x, {2, 3})); }) < tolerance);
    auto vector = values({5});
    auto const c = values({4, 5}, 4);
    CHECK(error_of(vector, [](auto x) { return square(diag(x, 1)); }) < tolerance);
    CHECK(error_of(vector, [&](auto x) { return get<0>(broadcast_arrays(x, c)) * c; }) < tolerance);
    CHECK(error_of(vector, [&](auto x) {
              auto const [a, b] = meshgrid(x, x);
              return a * square(b);
          }) < tolerance);
}

TEST_CASE("by indices") {
    auto w = values({3, 4});
    auto const at = Tensor<int, 2>::of({{1, 0}, {3, 3}, {2, 1}});
    auto const v = values({3, 2}, 4);
    CHECK(error_of(w, [&](auto x) { return square(take_along_axis<1>(x, at)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(put_along_axis<1>(x, at, v)); }) < tolerance);
}

TEST_CASE("reductions") {
    auto w = values({3, 4});
    auto const weights = values({4}, 4);
    auto const positive = eval(abs(values({3, 4}, 5)) + 1);
    CHECK(error_of(w, [](auto x) { return ptp(x) + sum(square(ptp<1>(x))); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return average(x, positive); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return average<1>(x, weights); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(nansum<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(nanprod<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(nanmean<0>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(nanmax<0>(x)) + square(nanmin<0>(x)); }) <
          tolerance);
    CHECK(error_of(w, [](auto x) { return nanvar<0>(x) + nanstd<0>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(cov(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return corrcoef(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(diff<0>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(diff<1, 2>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return square(cumsum<1>(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return cummax<0>(x) * cummin<1>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return logcumsumexp<1>(x); }) < tolerance);
}

TEST_CASE("products") {
    auto w = values({3, 4});
    auto const c = values({3, 4}, 4);
    CHECK(error_of(w, [&](auto x) { return square(vecdot(x, c)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(inner(x, c)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(tensordot<1>(x, transpose(c))); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return square(tensordot(x, c, axes<0>, axes<0>)); }) <
          tolerance);
    CHECK(error_of(w, [&](auto x) { return square(kron(x, c)) + kron(c, x); }) < tolerance);
    auto three = values({2, 3});
    auto const d = values({2, 3}, 4);
    CHECK(error_of(three, [&](auto x) { return square(cross(x, d)); }) < tolerance);
}

TEST_CASE("along one and three axes") {
    auto line = values({2, 3, 7});
    auto k1 = values({2, 3, 3}, 4);
    CHECK(error_of(line, [&](auto x) { return square(conv1d(x, k1, {.stride = 2})); }) < tolerance);
    CHECK(error_of(k1, [&](auto k) { return square(conv1d(line, k, {.padding = 1})); }) <
          tolerance);
    auto six = values({2, 6, 5}, 5);
    auto k2 = values({4, 3, 3}, 6);
    conv1d_options const groups{.stride = 2, .padding = 1, .groups = 2};
    CHECK(error_of(six, [&](auto x) { return square(conv1d(x, k2, groups)); }) < tolerance);
    CHECK(error_of(k2, [&](auto k) { return square(conv1d(six, k, groups)); }) < tolerance);
    CHECK(error_of(line, [](auto x) { return square(avg_pool1d(x, {.window = 3})); }) < tolerance);
    CHECK(error_of(line, [](auto x) { return square(max_pool1d(x, {.window = 2})); }) < tolerance);
    auto volume = values({1, 2, 3, 4, 4});
    auto k3 = values({2, 2, 2, 2, 2}, 4);
    CHECK(error_of(volume, [&](auto x) { return square(conv3d(x, k3)); }) < tolerance);
    CHECK(error_of(k3, [&](auto k) { return square(conv3d(volume, k)); }) < tolerance);
    CHECK(error_of(volume, [](auto x) { return square(avg_pool3d(x)); }) < tolerance);
    CHECK(error_of(volume, [](auto x) { return square(max_pool3d(x)); }) < tolerance);
}

TEST_CASE("what convolutions and pools go back by") {
    auto x = values({2, 3, 6, 5});
    auto k = values({4, 3, 3, 2}, 4);
    auto dy = values({2, 4, 4, 4}, 5);
    CHECK(error_of(dy, [&](auto d) { return square(conv2d_input_grad(d, k, x.extents())); }) <
          tolerance);
    CHECK(error_of(k, [&](auto w) { return square(conv2d_input_grad(dy, w, x.extents())); }) <
          tolerance);
    CHECK(error_of(dy, [&](auto d) { return square(conv2d_weight_grad(x, d, k.extents())); }) <
          tolerance);
    CHECK(error_of(x, [&](auto y) { return square(conv2d_weight_grad(y, dy, k.extents())); }) <
          tolerance);
    auto dp = values({2, 3, 3, 2}, 6);
    auto const at = eval(argmax_pool2d(x));
    CHECK(error_of(dp, [&](auto d) { return square(max_pool2d_grad(d, at, x.extents())); }) <
          tolerance);
    CHECK(error_of(dp, [&](auto d) { return square(avg_pool2d_grad(d, x.extents())); }) <
          tolerance);
}

TEST_CASE("what is constant but for steps adds nothing") {
    auto w = values({3, 4});
    auto const number = [](auto const& x) { return cast<double>(x); };
    CHECK(error_of(w, [](auto x) { return x * (floor_divide(x, 0.7) + x % 0.3); }) < 1e-5);
    CHECK(error_of(w, [](auto x) { return nextafter(x, 9.0); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return x * (number(isnan(x)) + number(signbit(x))); }) < 1e-5);
    CHECK(error_of(w, [&](auto x) { return x * (number(isinf(x)) + number(isfinite(x))); }) < 1e-5);
    CHECK(error_of(w, [&](auto x) { return x * number(argmax<0>(x) - argmin<0>(x)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) { return x * number(any<0>(x > 0) && all<0>(x > -1)); }) <
          tolerance);
    CHECK(error_of(w, [&](auto x) { return x * number(count_nonzero<0>(x > 0)); }) < tolerance);
    CHECK(error_of(w, [&](auto x) {
              auto const labels = cast<int>(flatten(abs(x)));
              return sum(x) * number(bincount(labels, 5));
          }) < tolerance);
    auto image = values({1, 2, 4, 4});
    CHECK(error_of(image, [&](auto x) { return max_pool2d(x) * number(argmax_pool2d(x)); }) <
          tolerance);
}

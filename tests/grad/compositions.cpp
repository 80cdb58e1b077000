// SPDX-License-Identifier: BSD-3-Clause
//
// Compositions that have derivatives of their own, beside central differences; and second
// derivatives of them, for which these are expressions like any other.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::second_error_of;
using test::tolerance;

namespace {
Tensor<double, 2> values() {
    Tensor<double, 2> w({4, 5});
    w = normal<double>(w.extents(), 3);
    return w;
}
auto const labels = Tensor<int, 1>::of({0, 4, 2, 2});
}  // namespace

TEST_CASE("softmax and its logarithm") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return softmax<1>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return softmax<0>(2 * x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return log_softmax<1>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return logsumexp<0>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return logsumexp<1>(x, keepdims); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return sum(square(softmax<1>(x))); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return sum(square(log_softmax<1>(x))); }) < tolerance);
}

TEST_CASE("losses") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return cross_entropy(x, labels); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return cross_entropy(x, labels); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return kl(0.1, sigmoid(x)); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return kl(sigmoid(x), 0.3); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return kl(0.1, sigmoid(x)); }) < tolerance);
}

TEST_CASE("cross-entropy goes back as softmax - hit") {
    auto const w = values();
    auto const x = named<"w">(w);
    Tensor<double, 2> const by_hand = (softmax<1>(w) - one_hot<double>(labels, 5)) / 4;
    CHECK(all_close(eval(grad<"w">(cross_entropy(x, labels))), by_hand, 1e-15, 1e-16));
}

TEST_CASE("variances and norms") {
    auto w = values();
    CHECK(error_of(w, [](auto x) { return var<0>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return var<1>(x, {.ddof = 1}, keepdims); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return var(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return stddev<1>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return norm<1>(x); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return norm<0>(x, keepdims); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return norm(x, order::one); }) < tolerance);
    CHECK(error_of(w, [](auto x) { return norm<1>(x, 3); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return sum(square(var<1>(x))); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return norm2(x); }) < tolerance);
    w = 0.0;
    auto const x = named<"w">(w);
    CHECK(all(eval(grad<"w">(norm2(x))) == 0));
}

TEST_CASE("pools") {
    Tensor<double, 4> x({2, 2, 6, 5});
    x = normal<double>(x.extents(), 4);
    for (pool_options const& o : {pool_options{},
                                  {.window = {3, 2}, .stride = {1, 2}},
                                  {.window = {3, 3}, .padding = {1, 1}}}) {
        CHECK(error_of(x, [&](auto y) { return avg_pool2d(y, o); }) < tolerance);
        CHECK(error_of(x, [&](auto y) { return max_pool2d(y, o); }) < tolerance);
    }
    CHECK(second_error_of(x, [](auto y) { return sum(square(square(avg_pool2d(y)))); }) <
          tolerance);
}

TEST_CASE("a vector along an axis") {
    Tensor<double, 1> b({3});
    b = normal<double>({3}, 5);
    Tensor<double, 4> x({2, 3, 4, 5});
    x = normal<double>(x.extents(), 6);
    CHECK(error_of(b, [&](auto c) { return sin(x * along<1>(c)); }) < tolerance);
    CHECK(error_of(b, [&](auto c) { return x / (2 + square(along<1>(c))); }) < tolerance);
    CHECK(error_of(b, [&](auto c) { return square(along<1>(c)); }) < tolerance);
}

namespace {
struct swish {
    auto make(array_operand auto const& x) const { return x * sigmoid(x); }
    template <std::size_t I>
    auto pull(auto const& dy, auto const& y, auto const& x) const {
        return dy * (y + sigmoid(x) * (1 - y));
    }
};
}  // namespace

TEST_CASE("a composition of one's own") {
    auto w = values();
    Tensor<double, 2> const y = compose(swish{}, w);
    CHECK(all_close(y, silu(w), 1e-15, 1e-15));
    CHECK(error_of(w, [](auto x) { return compose(swish{}, 2 * x); }) < tolerance);
    CHECK(second_error_of(w, [](auto x) { return sum(compose(swish{}, x)); }) < tolerance);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions, alone and inside of expressions, over more than one part.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("reductions, alone and inside of expressions") {
    same([](auto& x, auto&, auto&) { return sum<1>(x) * 2; });
    same([](auto& x, auto&, auto&) { return sum<0>(x); });
    same([](auto& x, auto&, auto&) { return max<1>(x, keepdims) - x; });
    same([](auto& x, auto&, auto&) { return argmax<1>(x); });
    same([](auto& x, auto&, auto&) { return argmin<0>(transpose(x)); });
    same([](auto& x, auto&, auto&) { return any<0>(x > 2) || felt::all<0>(x < 2); });
    same([](auto& x, auto&, auto&) { return prod<1>(x / 2 + 1) * 0 + mean<1>(square(x)); });
    same([](auto& x, auto&, auto&) { return softmax<1>(x) + log_softmax<0>(x); });
    same([](auto& x, auto&, auto&) { return var<0>(x); });
    Tensor<float, 2, Device> const x = normal<float>({700, 1000}, 3);
    auto const here = to<Host>(x);
    CHECK(float(sum(x)) == doctest::Approx(float(sum(here))).epsilon(1e-4));
    CHECK(index_t(argmax(reshape(x, {700000}))) == index_t(argmax(reshape(here, {700000}))));
    CHECK(all_close(x, x + 0));
}

TEST_CASE("parts of parts, and the first of equal positions") {
    index_t const n = 1024 * 1024 + 3;  // parts of parts
    Tensor<double, 1, Device> const x = full({n}, 0.5);
    CHECK(double(sum(x)) == 0.5 * double(n));
    CHECK(index_t(argmax(x)) == 0);
    Tensor<double, 1, Device> const y =
        cast<double>(iota({n}) == n - 2) - cast<double>(iota({n}) == 7);
    CHECK(index_t(argmax(y)) == n - 2);
    CHECK(index_t(argmin(y)) == 7);
    Tensor<int, 2, Device> const z = full({3, 5}, 2);
    CHECK(index_t(sum(z)) == 30);
    CHECK(bool(felt::all(to<Host>(eval(prod<1>(z))) == 32)));
}

TEST_CASE("NaN wins, and nothing sums to zero") {
    Tensor<float, 2> here = normal<float>({3, 2000}, 1);
    here(1, 1500) = std::numeric_limits<float>::quiet_NaN();
    auto const x = to<Device>(here);
    auto const most = to<Host>(eval(max<1>(x)));
    CHECK(!std::isnan(most(0)));
    CHECK(std::isnan(most(1)));
    CHECK(to<Host>(eval(argmin<1>(x)))(1) == 1500);
    Tensor<float, 2, Device> const none({3, 0});
    CHECK(float(sum(none)) == 0);
    CHECK(to<Host>(eval(sum<1>(none)))(2) == 0);
}

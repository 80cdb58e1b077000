// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes a number is a statement of the device, too: nothing of these tests is computed on
// the host unseen.
#include "tests/support/by_device.hpp"
#include <doctest/doctest.h>

namespace {

// The statements that Device carries out while f runs.
template <class F>
long statements_of(F const& f) {
    long const before = test::statements_by_device;
    f();
    return test::statements_by_device - before;
}

TEST_CASE("numbers are computed by the device") {
    felt::Tensor<double, 2> x({2, 3});
    CHECK(statements_of([&] { x = felt::iota<double>({2, 3}); }) == 1);
    double number = 0;
    CHECK(statements_of([&] { number = sum(x); }) == 1);
    CHECK(number == 15);
    CHECK(statements_of([&] { number = max(x) - mean(x); }) == 1);
    CHECK(number == 2.5);
    auto const row = slice(x, 1, felt::all());
    CHECK(statements_of([&] { number = dot(row, row); }) == 1);
    CHECK(number == 50);
    bool close = false;
    CHECK(statements_of([&] { close = all_close(x, x + 1e-9); }) == 1);
    CHECK(close);
    CHECK(statements_of([&] { close = all_close(x, x + 1); }) == 1);
    CHECK(!close);
}

TEST_CASE("complex numbers are computed on the host") {
    felt::Tensor<std::complex<double>, 1> z({3});
    CHECK(statements_of([&] { z = std::complex<double>(1, 2); }) == 0);
    double number = 0;
    CHECK(statements_of([&] { number = sum(abs(z)); }) == 0);
    CHECK(number == doctest::Approx(3 * std::sqrt(5.0)));
}

}  // namespace

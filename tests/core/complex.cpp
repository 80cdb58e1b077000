// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/complex.hpp>

using felt::is_complex, felt::real_of, felt::detail::number_as;

TEST_CASE("complex elements are those of float and double") {
    CHECK(is_complex<std::complex<float>>);
    CHECK(is_complex<std::complex<double>>);
    CHECK_FALSE(is_complex<std::complex<long double>>);
    CHECK_FALSE(is_complex<float>);
    CHECK(std::is_same_v<real_of<std::complex<float>>, float>);
    CHECK(std::is_same_v<real_of<int>, int>);
}

TEST_CASE("numbers become complex, and complex ones become each other") {
    CHECK(number_as<std::complex<float>>(3) == std::complex<float>(3, 0));
    CHECK(number_as<std::complex<float>>(std::complex<double>(1, 2)) == std::complex<float>(1, 2));
    CHECK(number_as<bool>(std::complex<double>(0, 2)));
    CHECK_FALSE(number_as<bool>(std::complex<double>(0, -0.0)));
    CHECK(number_as<int>(3.5) == 3);
}

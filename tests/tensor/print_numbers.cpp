// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/print_numbers.hpp>
#include <iomanip>
#include <sstream>

using felt::detail::texts_of_complex;
using felt::detail::texts_of_floats;
using felt::detail::wants_scientific;
using texts = std::vector<std::string>;
using numbers = std::vector<double>;

namespace {

std::stringstream const usual;

}  // namespace

TEST_CASE("points stand below each other") {
    CHECK(texts_of_floats({1, 2.5, -3}, false, usual) == texts{" 1. ", " 2.5", "-3. "});
    CHECK(texts_of_floats({100, 0.25}, false, usual) == texts{"100.  ", "  0.25"});
    CHECK(texts_of_floats({NAN, 0.5, -INFINITY, INFINITY}, false, usual) ==
          texts{"nan", "0.5", "-inf", "inf"});
    CHECK(texts_of_floats({}, false, usual).empty());
}

TEST_CASE("as few digits as tell a number from its neighbours, at most 8") {
    CHECK(texts_of_floats({double(0.1F)}, true, usual) == texts{"0.1"});
    CHECK(texts_of_floats({1.0 / 3}, false, usual) == texts{"0.33333333"});
    CHECK(texts_of_floats({double(1.F / 3)}, true, usual) == texts{"0.33333334"});
    CHECK(texts_of_floats({-0.0}, false, usual) == texts{"-0."});
}

TEST_CASE("the largest and the smallest decide on powers of ten") {
    CHECK(!wants_scientific({}, false));
    CHECK(!wants_scientific({0, NAN, INFINITY}, false));
    CHECK(wants_scientific({1e8}, false));
    CHECK(!wants_scientific({99999999}, false));
    CHECK(wants_scientific({1e6}, true));
    CHECK(!wants_scientific({1e6}, false));
    CHECK(!wants_scientific({0, 1e-4}, false));
    CHECK(wants_scientific({9e-5}, false));
    CHECK(!wants_scientific({1, -1000}, false));
    CHECK(wants_scientific({1, -1001}, false));
    CHECK(texts_of_floats({1e8, 1.5}, false, usual) == texts{"1.0e+08", "1.5e+00"});
    CHECK(texts_of_floats({1e100, 1}, false, usual) == texts{"1.e+100", "1.e+000"});
}

TEST_CASE("a stream says how many digits") {
    std::stringstream three, fixed, scientific;
    three << std::setprecision(3);
    fixed << std::fixed << std::setprecision(2);
    scientific << std::scientific << std::setprecision(1);
    CHECK(texts_of_floats({1.0 / 3, 1}, false, three) == texts{"0.333", "1.   "});
    CHECK(texts_of_floats({1, 2.5}, false, fixed) == texts{"1.00", "2.50"});
    CHECK(texts_of_floats({1, 250}, false, scientific) == texts{"1.0e+00", "2.5e+02"});
}

TEST_CASE("parts of complex numbers are aligned each for itself") {
    CHECK(texts_of_complex({1.5, -2}, {-2, 0.25}, false, usual) ==
          texts{" 1.5-2.j  ", "-2. +0.25j"});
    CHECK(texts_of_complex({0}, {NAN}, false, usual) == texts{"0.+nanj"});
}

// SPDX-License-Identifier: BSD-3-Clause
//
// What std::cout << x says.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>
#include <iomanip>
#include <sstream>

using felt::Tensor;

namespace {

template <class X>
std::string text(X const& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

auto const a = Tensor<float, 2>::of({{1, 2.5f, -3}, {4, 5, 60}});

}  // namespace

TEST_CASE("a tensor is printed in columns, a row on each line") {
    CHECK(text(a) == "[[  1 2.5  -3]\n [  4   5  60]]");
    CHECK(text(Tensor<int, 1>::of({1, 20, 3})) == "[ 1 20  3]");
}

TEST_CASE("views and expressions are printed as the tensors that they would be") {
    CHECK(text(transpose(a)) == "[[  1   4]\n [2.5   5]\n [ -3  60]]");
    CHECK(text(slice(a, 1, felt::all()) * 2) == "[  8  10 120]");
    CHECK(text(felt::view(a.data(), {2}, {3})) == "[1 4]");
    CHECK(text(Tensor<float, 2, felt::Host, felt::ColMajor>(a)) == text(a));
    CHECK(text(a > 2) == "[[0 1 0]\n [1 1 1]]");
}

TEST_CASE("an empty line stands between matrices") {
    CHECK(text(felt::iota({2, 1, 2})) == "[[[0 1]]\n\n [[2 3]]]");
}

TEST_CASE("one value is a number") {
    CHECK(text(sum(a)) == "69.5");
    CHECK(text(Tensor<double, 0>()) == "0");
    CHECK(text(any(a)) == "1");
}

TEST_CASE("small integers are numbers") {
    CHECK(text(Tensor<std::uint8_t, 1>::of({7, 65})) == "[ 7 65]");
    CHECK(text(max(Tensor<signed char, 1>::of({7, 65}))) == "65");
}

TEST_CASE("nothing is empty brackets") {
    CHECK(text(Tensor<float, 1>()) == "[]");
    CHECK(text(Tensor<float, 2>({2, 0})) == "[[]\n []]");
    CHECK(text(Tensor<float, 2>({0, 2})) == "[]");
}

TEST_CASE("the format is the stream's, and stays") {
    std::ostringstream out;
    out << std::fixed << std::setprecision(2) << Tensor<double, 1>::of({1, 10}) << ' ' << 0.5;
    CHECK(out.str() == "[ 1.00 10.00] 0.50");
    out.str("");
    out << std::boolalpha << (Tensor<int, 1>::of({1, 2}) > 1);
    CHECK(out.str() == "[false  true]");
}

TEST_CASE("of more than 1000 elements three from each end of an axis are printed") {
    CHECK(text(felt::iota(1001)) == "[   0    1    2 ...  998  999 1000]");
    CHECK(text(felt::iota(1000)).find("...") == std::string::npos);
    CHECK(text(felt::zeros<int>({200, 6})) ==
          "[[0 0 0 0 0 0]\n [0 0 0 0 0 0]\n [0 0 0 0 0 0]\n ...\n"
          " [0 0 0 0 0 0]\n [0 0 0 0 0 0]\n [0 0 0 0 0 0]]");
}

// SPDX-License-Identifier: BSD-3-Clause
//
// What std::cout << x says: the numbers as NumPy 2.4 prints the same arrays.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>

using felt::Tensor;

namespace {

template <class X>
std::string text(X const& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

// Without the last line, which names type and extents.
template <class X>
std::string values(X const& x) {
    std::string const all = text(x);
    return all.substr(0, all.rfind('\n'));
}

std::string f(std::initializer_list<float> list) { return values(Tensor<float, 1>::of(list)); }
std::string d(std::initializer_list<double> list) { return values(Tensor<double, 1>::of(list)); }

auto const a = Tensor<float, 2>::of({{1, 2.5f, -3}, {4, 5, 60}});
double const none = std::numeric_limits<double>::quiet_NaN();
double const inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a tensor is printed in columns, a row on each line, its type and extents below") {
    CHECK(text(a) == "[[ 1.   2.5 -3. ]\n [ 4.   5.  60. ]]\nTensor<float, 2> (2, 3)");
    CHECK(text(Tensor<int, 1>::of({1, 20, 3})) == "[ 1 20  3]\nTensor<int, 1> (3)");
}

TEST_CASE("views and expressions are printed as the tensors that they would be") {
    CHECK(text(transpose(a)) ==
          "[[ 1.   4. ]\n [ 2.5  5. ]\n [-3.  60. ]]\nTensor<float, 2> (3, 2)");
    CHECK(values(slice(a, 1, felt::all()) * 2) == "[  8.  10. 120.]");
    CHECK(values(felt::view(a.data(), {2}, {3})) == "[1. 4.]");
    CHECK(text(Tensor<float, 2, felt::Host, felt::ColMajor>(a)) == text(a));
    CHECK(text(a > 2) == "[[false  true false]\n [ true  true  true]]\nTensor<bool, 2> (2, 3)");
}

TEST_CASE("of rank 0 is the number that it is") {
    CHECK(text(sum(a)) == "69.5");
    CHECK(text(Tensor<double, 0>()) == "0");
    CHECK(text(any(a)) == "true");
}

TEST_CASE("complex numbers are their parts, each as the numbers it is one of") {
    using C = std::complex<double>;
    CHECK(text(Tensor<C, 1>::of({C(1, 2), C(3.5, -10)})) ==
          "[1.  +2.j 3.5-10.j]\nTensor<std::complex<double>, 1> (2)");
    CHECK(values(Tensor<C, 1>::of({C(1, 0.5), C(-1, -2)})) == "[ 1.+0.5j -1.-2.j ]");
    CHECK(values(Tensor<C, 1>::of({C(none, 1), C(0, -inf)})) == "[nan +1.j  0.-infj]");
    CHECK(text(sum(Tensor<C, 1>::of({C(1, 2)}))) == "(1,2)");
}

TEST_CASE("small integers are numbers") {
    CHECK(text(Tensor<std::uint8_t, 1>::of({7, 65})) == "[ 7 65]\nTensor<uint8_t, 1> (2)");
    CHECK(text(max(Tensor<signed char, 1>::of({7, 65}))) == "65");
    CHECK(text(felt::iota(2)) == "[0 1]\nTensor<index_t, 1> (2)");
}

TEST_CASE("nothing is empty brackets") {
    CHECK(text(Tensor<float, 1>()) == "[]\nTensor<float, 1> (0)");
    CHECK(text(Tensor<float, 2>({2, 0})) == "[]\nTensor<float, 2> (2, 0)");
    CHECK(values(Tensor<float, 2>({0, 2})) == "[]");
}

TEST_CASE("floating numbers have the digits that they need, at most 8 after the point") {
    CHECK(f({1, 2.5f, -3}) == "[ 1.   2.5 -3. ]");
    CHECK(f({1 / 3.f, 2 / 3.f}) == "[0.33333334 0.6666667 ]");
    CHECK(d({1 / 3., 20}) == "[ 0.33333333 20.        ]");
    CHECK(d({0.1, 0.12345678901}) == "[0.1        0.12345679]");
    CHECK(d({123.456789012345, 9.999999999}) == "[123.45678901  10.        ]");
    CHECK(d({-0.0, 0}) == "[-0.  0.]");
}

TEST_CASE("large, small and unlike numbers are written by powers of ten") {
    CHECK(f({0.1f, 16777216}) == "[1.0000000e-01 1.6777216e+07]");
    CHECK(f({1e6f, 1e5f}) == "[1.e+06 1.e+05]");
    CHECK(f({999999, 1e4f}) == "[999999.  10000.]");
    CHECK(d({1e8, 1e7}) == "[1.e+08 1.e+07]");
    CHECK(d({99999999., 1e6}) == "[99999999.  1000000.]");
    CHECK(d({1, 1000}) == "[   1. 1000.]");
    CHECK(d({1, 1001}) == "[1.000e+00 1.001e+03]");
    CHECK(f({0.001f, 1}) == "[0.001 1.   ]");
    CHECK(d({1e-5, 0}) == "[1.e-05 0.e+00]");
    CHECK(d({1e-100, -2.25}) == "[ 1.00e-100 -2.25e+000]");
    CHECK(f({3.4028235e38f, 1e-45f}) == "[3.4028235e+38 1.4012985e-45]");
    CHECK(d({2.5, 1234567.123456789}) == "[2.50000000e+00 1.23456712e+06]");
}

TEST_CASE("NaN and infinity are words") {
    CHECK(d({none, 1.5, inf}) == "[nan 1.5 inf]");
    CHECK(d({none, -inf}) == "[ nan -inf]");
    CHECK(d({-inf, 1}) == "[-inf   1.]");
    CHECK(d({none}) == "[nan]");
    CHECK(d({none, 1e20, -1}) == "[    nan  1.e+20 -1.e+00]");
}

TEST_CASE("the stream's precision, fixed and scientific are kept, and stay") {
    std::ostringstream out;
    auto const t = Tensor<double, 1>::of({1, 10.0625});
    out << std::setprecision(2) << t << ' ' << std::fixed << t << ' ' << 0.5;
    CHECK(out.str() ==
          "[ 1.   10.06]\nTensor<double, 1> (2) [ 1.00 10.06]\n"
          "Tensor<double, 1> (2) 0.50");
    out.str("");
    out << std::scientific << t;
    CHECK(out.str() == "[1.00e+00 1.01e+01]\nTensor<double, 1> (2)");
    out.str("");
    out << std::fixed << std::setprecision(0) << Tensor<double, 1>::of({1e300});
    CHECK(out.str().size() == std::string("[.]\nTensor<double, 1> (1)").size() + 301);
}

TEST_CASE("of more than 1000 elements three from each end of an axis are printed") {
    CHECK(values(felt::iota(1001)) == "[   0    1    2 ...  998  999 1000]");
    CHECK(values(felt::iota<double>(1001) / 8) ==
          "[  0.      0.125   0.25  ... 124.75  124.875 125.   ]");
    CHECK(text(felt::iota(1000)).find("...") == std::string::npos);
    CHECK(values(felt::zeros<int>({200, 6})) ==
          "[[0 0 0 0 0 0]\n [0 0 0 0 0 0]\n [0 0 0 0 0 0]\n ...\n"
          " [0 0 0 0 0 0]\n [0 0 0 0 0 0]\n [0 0 0 0 0 0]]");
    CHECK(values(felt::iota({4, 500}) - 1000) == R"([[-1000  -999  -998 ...  -503  -502  -501]
 [ -500  -499  -498 ...    -3    -2    -1]
 [    0     1     2 ...   497   498   499]
 [  500   501   502 ...   997   998   999]])");
}

TEST_CASE("a row longer than 75 characters goes on on the next line") {
    CHECK(values(felt::iota<float>(40) * 1.5f - 20) ==
          R"([-20.  -18.5 -17.  -15.5 -14.  -12.5 -11.   -9.5  -8.   -6.5  -5.   -3.5
  -2.   -0.5   1.    2.5   4.    5.5   7.    8.5  10.   11.5  13.   14.5
  16.   17.5  19.   20.5  22.   23.5  25.   26.5  28.   29.5  31.   32.5
  34.   35.5  37.   38.5])");
    CHECK(values(felt::iota({2, 30}) * 997) ==
          R"([[    0   997  1994  2991  3988  4985  5982  6979  7976  8973  9970 10967
  11964 12961 13958 14955 15952 16949 17946 18943 19940 20937 21934 22931
  23928 24925 25922 26919 27916 28913]
 [29910 30907 31904 32901 33898 34895 35892 36889 37886 38883 39880 40877
  41874 42871 43868 44865 45862 46859 47856 48853 49850 50847 51844 52841
  53838 54835 55832 56829 57826 58823]])");
}

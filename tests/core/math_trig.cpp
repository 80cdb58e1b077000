// SPDX-License-Identifier: BSD-3-Clause
#include "ulps.hpp"
#include <doctest/doctest.h>
#include <felt/core/math_trig.hpp>

namespace math = felt::math;

namespace {

constexpr auto f_sin = [](auto x) { return math::sin(x); };
constexpr auto f_cos = [](auto x) { return math::cos(x); };
constexpr auto f_tan = [](auto x) { return math::tan(x); };
constexpr auto exact_sin = [](auto x) { return std::sin(x); };
constexpr auto exact_cos = [](auto x) { return std::cos(x); };
constexpr auto exact_tan = [](auto x) { return std::tan(x); };

}  // namespace

TEST_CASE_TEMPLATE("sin, cos and tan of a few numbers", T, float, double) {
    CHECK(test::alone(f_sin, T(0.5)) == doctest::Approx(0.479425539));
    CHECK(test::alone(f_cos, T(3)) == doctest::Approx(-0.989992497));
    CHECK(test::alone(f_tan, T(-2)) == doctest::Approx(2.185039863));
    CHECK(math::sin(T(1)) == doctest::Approx(0.841470985));
    CHECK(test::alone(f_cos, T(0)) == 1);
}

TEST_CASE_TEMPLATE("sin, cos and tan of numbers of every size", T, float, double) {
    for (auto const& x : {test::uniform(T(-8), T(8)), test::uniform(T(-5000), T(5000)),
                          test::magnitudes<T>(-100, 40), test::everywhere<T>()}) {
        CHECK(test::worst_of_both<T>(f_sin, exact_sin, x) < 1);
        CHECK(test::worst_of_both<T>(f_cos, exact_cos, x) < 1);
        CHECK(test::worst_of_both<T>(f_tan, exact_tan, x) < 1.6);
    }
}

TEST_CASE_TEMPLATE("near the zeros and poles, every bit of pi counts", T, float, double) {
    std::vector<T> x;
    for (int k = 1; k < 4000; ++k) {
        T const v = static_cast<T>(k * 1.570796326794896619231321691639751L);
        x.insert(x.end(), {v, -std::nextafter(v, T(0)), std::nextafter(v, T(1e9))});
    }
    CHECK(test::worst_of_both<T>(f_sin, exact_sin, x) < 1);
    CHECK(test::worst_of_both<T>(f_cos, exact_cos, x) < 1);
    CHECK(test::worst_of_both<T>(f_tan, exact_tan, x) < 1.6);
}

TEST_CASE("large numbers, to the ends of the vector's range and beyond it") {
    double const most = std::numeric_limits<double>::max();
    for (double x : {most, 1e30, 1.6e6, -1.7e6, 710438.0 * 1.5707963267948966}) {
        CHECK(test::ulps(test::alone(f_sin, x), exact_sin(test::wide<double>(x))) < 1);
        CHECK(test::ulps(test::alone(f_cos, x), exact_cos(test::wide<double>(x))) < 1);
    }
}

TEST_CASE_TEMPLATE("the sine of a zero or a subnormal number is that number", T, float, double) {
    T const least = std::numeric_limits<T>::denorm_min();
    for (T x : {T(0), T(-0.0), least, -least, T(12345) * least}) {
        CHECK(test::same(test::alone(f_sin, x), x));
        CHECK(test::same(test::alone(f_tan, x), x));
    }
    CHECK(std::isnan(test::alone(f_sin, std::numeric_limits<T>::infinity())));
}

TEST_CASE_TEMPLATE("a large number changes nothing in the lanes beside it", T, float, double) {
    using B = xsimd::batch<T>;
    T x[B::size];
    for (std::size_t l = 0; l < B::size; ++l) x[l] = T(1) + T(l);
    x[1] = T(1e30);
    auto const y = math::sin(B::load_unaligned(x));
    for (std::size_t l = 0; l < B::size; ++l) CHECK(y.get(l) == test::alone(f_sin, x[l]));
}

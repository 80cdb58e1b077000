// SPDX-License-Identifier: BSD-3-Clause
//
// Errors in units in the last place: |y - exact| / 2^(exponent of exact - digits).
#pragma once
#include <felt/core/math_batch.hpp>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

// The type that knows a T's exact result.
template <class T>
using wide = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class T>
double ulps(T y, wide<T> exact) {
    int exponent = 0;
    std::frexp(exact, &exponent);
    auto const unit = std::ldexp(wide<T>(1), exponent - std::numeric_limits<T>::digits);
    return static_cast<double>(std::abs(static_cast<wide<T>>(y) - exact) / unit);
}

// Zero for what is right at the ends of the range, infinity for what is wrong there: a NaN stays
// a NaN, what overflows is infinite, and below the normal range anything as small will do.
template <class T>
double error(T y, wide<T> exact) {
    using limits = std::numeric_limits<T>;
    auto const verdict = [](bool right) { return right ? 0.0 : limits::infinity(); };
    auto const rounded = static_cast<T>(exact);
    if (std::isnan(exact)) return verdict(std::isnan(y));
    if (std::isnan(y)) return verdict(false);
    if (std::isinf(rounded)) return verdict(y == rounded);
    if (std::abs(exact) < limits::min()) return verdict(std::abs(y) <= limits::min());
    return ulps(y, exact);
}

// f of a batch of equal lanes; the first lane of the result.
template <class T, class F>
T alone(F f, T x) {
    return f(xsimd::batch<T>(x)).get(0);
}
template <class T, class F>
T alone(F f, T x, T y) {
    return f(xsimd::batch<T>(x), xsimd::batch<T>(y)).get(0);
}

// f of every element, in batches of arch A; the last batch is filled up with ones.
template <class A = xsimd::default_arch, class T, class F>
std::vector<T> in_batches(F f, std::vector<T> x) {
    using B = xsimd::batch<T, A>;
    std::size_t const n = x.size();
    x.resize((n + B::size - 1) / B::size * B::size, T(1));
    for (std::size_t i = 0; i < x.size(); i += B::size)
        f(B::load_unaligned(&x[i])).store_unaligned(&x[i]);
    x.resize(n);
    return x;
}

// The largest error of f over x, against g in the wide type.
template <class T, class F, class G>
double worst(F f, G g, std::vector<T> const& x) {
    auto const y = in_batches(f, x);
    double result = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        result = std::fmax(result, error(y[i], g(static_cast<wide<T>>(x[i]))));
    return result;
}

// The same, of the numbers too, and of two arguments.
template <class T, class F, class G>
double worst_of_both(F f, G g, std::vector<T> const& x) {
    double result = worst(f, g, x);
    for (T v : x) result = std::fmax(result, error(f(v), g(static_cast<wide<T>>(v))));
    return result;
}
template <class T, class F, class G>
double worst_of_both(F f, G g, std::vector<T> const& x, std::vector<T> const& y) {
    double result = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto const exact = g(static_cast<wide<T>>(x[i]), static_cast<wide<T>>(y[i]));
        result = std::fmax(result, error(alone(f, x[i], y[i]), exact));
        result = std::fmax(result, error(f(x[i], y[i]), exact));
    }
    return result;
}

// The same value: NaN is NaN, and zeros have signs.
template <class T>
bool same(T x, T y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y && std::signbit(x) == std::signbit(y);
}

template <class T>
std::vector<T> special() {
    using limits = std::numeric_limits<T>;
    std::vector<T> x;
    for (T v :
         {limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(),
          limits::denorm_min(), T(7) * limits::denorm_min(), T(0), T(0.5), T(1), T(1.5),
          std::nextafter(T(1), T(0)), std::nextafter(T(1), T(2)), T(2), T(2.5), T(3), T(1e30)})
        x.insert(x.end(), {v, -v});
    return x;
}

// All words alike, so that every exponent comes up, subnormal, infinite and NaN ones too.
template <class T>
std::vector<T> everywhere(std::size_t n = 20'000) {
    std::mt19937_64 generator(2);
    auto x = special<T>();
    while (x.size() < n)
        x.push_back(
            std::bit_cast<T>(static_cast<typename felt::math::format<T>::word>(generator())));
    return x;
}

template <class T>
std::vector<T> uniform(T lo, T hi, std::size_t n = 20'000) {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<T> distribution(lo, hi);
    std::vector<T> x(n);
    for (auto& v : x) v = distribution(generator);
    return x;
}

// Of either sign, all magnitudes between 2^lo and 2^hi alike.
template <class T>
std::vector<T> magnitudes(int lo, int hi, std::size_t n = 20'000) {
    auto x = uniform(static_cast<T>(lo), static_cast<T>(hi), n);
    for (std::size_t i = 0; i < n; ++i) x[i] = (i % 2 ? -1 : 1) * std::exp2(x[i]);
    return x;
}

}  // namespace test

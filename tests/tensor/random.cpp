// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace {

constexpr felt::index_t many = 1'000'000;

template <class S>
auto numbers(S const& stream) {
    std::vector<decltype(stream.at(0))> x(static_cast<std::size_t>(many));
    stream.fill(0, many, x.data());
    return x;
}

template <class T>
double moment(std::vector<T> const& x, int power) {
    double sum = 0;
    for (T v : x) sum += std::pow(static_cast<double>(v), power);
    return sum / static_cast<double>(x.size());
}

// The mean of f(x[i]) f(x[i + distance]) less the square of the mean of f(x).
template <class T, class F>
double covariance(std::vector<T> const& x, std::size_t distance, F f) {
    double mean = 0, product = 0;
    for (T v : x) mean += f(v);
    mean /= static_cast<double>(x.size());
    for (std::size_t i = 0; i + distance < x.size(); ++i) {
        product += (f(x[i]) - mean) * (f(x[i + distance]) - mean);
    }
    return product / static_cast<double>(x.size() - distance);
}

// Kolmogorov and Smirnov: sqrt(n) times the largest distance of the distributions; above 1.95 in
// one of a thousand samples.
template <class T, class F>
double distance_from(std::vector<T> x, F probability) {
    std::sort(x.begin(), x.end());
    double const n = static_cast<double>(x.size());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double const p = probability(static_cast<double>(x[i])), at = static_cast<double>(i);
        worst = std::max({worst, p - at / n, (at + 1) / n - p});
    }
    return worst * std::sqrt(n);
}

double normal_probability(double z) { return 0.5 * std::erfc(-z * 0.70710678118654752); }

template <class T>
void check_uniform() {
    auto const x = numbers(felt::uniform_stream<T>{20260101});
    CHECK(*std::min_element(x.begin(), x.end()) >= T(0));
    CHECK(*std::min_element(x.begin(), x.end()) < T(1e-5));
    CHECK(*std::max_element(x.begin(), x.end()) < T(1));
    CHECK(*std::max_element(x.begin(), x.end()) > T(0.99999));
    CHECK(moment(x, 1) == doctest::Approx(0.5).epsilon(0.002));  // 3.5 standard deviations
    CHECK(moment(x, 2) == doctest::Approx(1.0 / 3).epsilon(0.004));
    CHECK(distance_from(x, [](double u) { return u; }) < 1.95);

    double count[256] = {}, chi_square = 0;
    for (T v : x) count[static_cast<int>(v * T(256))] += 1;
    double const expected = static_cast<double>(many) / 256;
    for (double c : count) chi_square += (c - expected) * (c - expected) / expected;
    CHECK(chi_square > 170);  // 255 degrees of freedom: 255 and 3.8 standard deviations
    CHECK(chi_square < 340);
    for (std::size_t distance : {1u, 2u, 3u, 4u, 16u, 64u}) {
        CHECK(std::fabs(covariance(x, distance, [](double u) { return u; })) < 4e-3 / 12);
    }
}

template <class T>
void check_normal() {
    auto const x = numbers(felt::normal_stream<T>{20260102});
    for (T v : x) REQUIRE(std::fabs(v) < T(8.66));
    CHECK(std::fabs(moment(x, 1)) < 0.004);
    CHECK(std::fabs(moment(x, 2) - 1) < 0.006);
    CHECK(std::fabs(moment(x, 3)) < 0.016);
    CHECK(std::fabs(moment(x, 4) - 3) < 0.04);
    CHECK(distance_from(x, normal_probability) < 1.95);
    auto const beyond = std::count_if(x.begin(), x.end(), [](T v) { return std::fabs(v) > 4; });
    CHECK(beyond > 35);  // 63 expected
    CHECK(beyond < 100);
    for (std::size_t distance : {1u, 2u, 3u, 4u, 16u, 64u}) {
        CHECK(std::fabs(covariance(x, distance, [](double z) { return z; })) < 4e-3);
        CHECK(std::fabs(covariance(x, distance, [](double z) { return z * z; })) < 8e-3);
    }
}

// 1e-6 and 1e-14: a few units of the last place of 3.
template <class T>
void check_values(felt::normal_stream<T> stream, std::vector<double> const& expected) {
    std::vector<T> found(expected.size());
    stream.fill(0, static_cast<felt::index_t>(found.size()), found.data());
    double const bound = sizeof(T) == 4 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(std::fabs(found[i] - expected[i]) < bound);
        CHECK(std::fabs(stream.at(static_cast<felt::index_t>(i)) - expected[i]) < bound);
    }
}

TEST_CASE("the first uniform numbers of a seed are these") {
    felt::uniform_stream<float> const in_float{0};
    // The known answer for counter 0 and key 0 is 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
    CHECK(in_float.at(0) == static_cast<float>(0x6627e8) * 0x1p-24f);
    CHECK(in_float.at(1) == static_cast<float>(0xe169c5) * 0x1p-24f);
    CHECK(in_float.at(2) == static_cast<float>(0xbc57ac) * 0x1p-24f);
    CHECK(in_float.at(3) == static_cast<float>(0x9b00db) * 0x1p-24f);
    felt::uniform_stream<double> const in_double{0};
    CHECK(in_double.at(0) == static_cast<double>(0x6627e8d5e169c58d >> 11) * 0x1p-53);
    CHECK(in_double.at(1) == static_cast<double>(0xbc57ac4c9b00dbd8 >> 11) * 0x1p-53);
}

TEST_CASE("the first normal numbers of a seed are these") {
    check_values<float>(
        {42}, {3.03282684, 0.0238173937, -1.4623138, 0.884931539, 1.35276786, -1.5058092});
    check_values<double>({42}, {2.3721435306989953, 1.8898521076152659, 2.0092501230080653,
                                -0.24567489165307435, 0.69730437138167456, 1.6151432356171729});
}

TEST_CASE("an index beyond 32 bits has a number of its own") {
    felt::uniform_stream<float> const stream{1};
    felt::index_t const far = felt::index_t{1} << 40;
    CHECK(stream.at(far) != stream.at(0));
    CHECK(stream.at(far + 1) != stream.at(1));
    float found[16];
    stream.lanes<16>(far - 6, found);
    for (int l = 0; l < 16; ++l) CHECK(found[l] == stream.at(far - 6 + l));
}

TEST_CASE("every bit of the seed counts, and the two streams are apart") {
    for (int bit = 0; bit < 64; ++bit) {
        CHECK(felt::uniform_stream<double>{std::uint64_t{1} << bit}.at(0) !=
              felt::uniform_stream<double>{0}.at(0));
    }
    using felt::detail::words_of_pair;
    CHECK(words_of_pair<double>(0, felt::detail::uniform_law::stream, 0).a !=
          words_of_pair<double>(0, felt::detail::normal_law::stream, 0).a);
}

TEST_CASE("streams are equal if their seeds are") {
    CHECK(felt::uniform_stream<float>{5} == felt::uniform_stream<float>{5});
    CHECK_FALSE(felt::uniform_stream<float>{5} == felt::uniform_stream<float>{6});
    static_assert(std::is_trivially_copyable_v<felt::normal_stream<float>>);
    static_assert(sizeof(felt::normal_stream<double>) == 8);
}

TEST_CASE("a million uniform numbers are uniform and independent") {
    check_uniform<float>();
    check_uniform<double>();
}

TEST_CASE("a million normal numbers are normal and independent") {
    check_normal<float>();
    check_normal<double>();
}

}  // namespace

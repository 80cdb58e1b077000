// SPDX-License-Identifier: BSD-3-Clause
#include <support/digits.hpp>
#include <doctest/doctest.h>

namespace {

using support::image_set;

double squared_distance(std::vector<double> const& mean, std::uint8_t const* image) {
    double sum = 0;
    for (std::size_t p = 0; p < mean.size(); ++p)
        sum += (mean[p] - image[p]) * (mean[p] - image[p]);
    return sum;
}

std::vector<std::vector<double>> means_of_classes(image_set const& set) {
    std::vector<std::vector<double>> mean(10, std::vector<double>(784, 0));
    std::vector<double> count(10, 0);
    for (std::size_t i = 0; i < set.count; ++i) {
        for (std::size_t p = 0; p < 784; ++p) mean[set.labels[i]][p] += set.pixels[i * 784 + p];
        count[set.labels[i]] += 1;
    }
    for (std::size_t c = 0; c < 10; ++c) {
        for (double& v : mean[c]) v /= count[c];
    }
    return mean;
}

}  // namespace

TEST_CASE("the random stream is splitmix64, with the numbers that its author gives") {
    support::random_stream r{1234567};
    CHECK(r.next() == 6457827717110365317u);
    CHECK(r.next() == 3203168211198807973u);
    CHECK(r.next() == 9817491932198370423u);
}

TEST_CASE("random numbers lie where they should") {
    support::random_stream r{1};
    double sum = 0, squares = 0, normals = 0, normal_squares = 0;
    std::vector<int> hits(7, 0);
    int const n = 70000;
    for (int i = 0; i < n; ++i) {
        double const u = r.uniform(), z = r.normal();
        REQUIRE(u >= 0);
        REQUIRE(u < 1);
        sum += u, squares += u * u, normals += z, normal_squares += z * z;
        ++hits.at(r.below(7));
    }
    CHECK(sum / n == doctest::Approx(1.0 / 2).epsilon(0.01));
    CHECK(squares / n == doctest::Approx(1.0 / 3).epsilon(0.01));
    CHECK(std::abs(normals / n) < 0.02);
    CHECK(normal_squares / n == doctest::Approx(1).epsilon(0.02));
    for (int h : hits) CHECK(h == doctest::Approx(10000).epsilon(0.05));
}

TEST_CASE("a digit depends on the seed and its number alone") {
    auto const a = support::generated_digits(20, 5), b = support::generated_digits(50, 5);
    CHECK(a.labels == std::vector<std::uint8_t>(b.labels.begin(), b.labels.begin() + 20));
    CHECK(a.pixels == std::vector<std::uint8_t>(b.pixels.begin(), b.pixels.begin() + 20 * 784));
    CHECK(support::generated_digits(20, 6).pixels != a.pixels);
}

TEST_CASE("every image is ink on empty paper") {
    auto const set = support::generated_digits(2000, 1);
    CHECK(set.pixels.size() == 2000 * 784);
    std::vector<int> seen(10, 0);
    for (std::size_t i = 0; i < set.count; ++i) {
        ++seen.at(set.labels[i]);
        double ink = 0;
        for (std::size_t p = 0; p < 784; ++p) ink += set.pixels[i * 784 + p] / 255.0 / 784;
        CHECK(ink > 0.02);
        CHECK(ink < 0.35);
    }
    for (int n : seen) CHECK(n > 140);
}

TEST_CASE("the labels say what is drawn: class means of some digits recognise others") {
    auto const mean = means_of_classes(support::generated_digits(2000, 1));
    auto const set = support::generated_digits(500, 2);
    int right = 0;
    for (std::size_t i = 0; i < set.count; ++i) {
        std::size_t best = 0;
        for (std::size_t c = 1; c < 10; ++c) {
            std::uint8_t const* const image = &set.pixels[i * 784];
            if (squared_distance(mean[c], image) < squared_distance(mean[best], image)) best = c;
        }
        right += best == set.labels[i];
    }
    CHECK(right > 400);
    CHECK(right < 500);  // no two alike: too easy a set would teach nothing
}

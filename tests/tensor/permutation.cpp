// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/permutation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

using felt::index_t;
using felt::permutation_stream;

namespace {

std::vector<index_t> all_of(index_t n, std::uint64_t seed) {
    permutation_stream const s(n, seed);
    std::vector<index_t> x;
    for (index_t i = 0; i < n; ++i) x.push_back(s.at(i));
    return x;
}

}  // namespace

TEST_CASE("every number comes once") {
    for (index_t n : {1, 2, 3, 15, 16, 17, 31, 100, 1000, 4096, 4097, 100003}) {
        for (std::uint64_t seed : {0U, 1U, 77U}) {
            auto x = all_of(n, seed);
            std::sort(x.begin(), x.end());
            bool once = true;
            for (index_t i = 0; i < n; ++i) once = once && x[static_cast<std::size_t>(i)] == i;
            CHECK(once);
        }
    }
}

TEST_CASE("the numbers of a large range lie in it, and no two of them are equal") {
    index_t const n = (index_t{1} << 40) + 12345;
    permutation_stream const s(n, 5);
    std::vector<index_t> x;
    for (index_t i = 0; i < 20000; ++i) x.push_back(s.at(n - 1 - i * 54321));
    CHECK(*std::min_element(x.begin(), x.end()) >= 0);
    CHECK(*std::max_element(x.begin(), x.end()) < n);
    std::sort(x.begin(), x.end());
    CHECK(std::adjacent_find(x.begin(), x.end()) == x.end());
}

TEST_CASE("lanes have the elements, at any step, and 0 outside") {
    permutation_stream const s(37, 9);
    index_t out[8];
    s.lanes<8>(3, 4, out);
    for (int l = 0; l < 8; ++l) CHECK(out[l] == s.at(3 + 4 * l));
    s.lanes<8>(34, 1, out);
    CHECK(out[2] == s.at(36));
    CHECK(out[3] == 0);
    s.lanes<8>(2, -1, out);
    CHECK(out[0] == s.at(2));
    CHECK(out[7] == 0);
}

TEST_CASE("streams are equal if n and the seed are") {
    CHECK(permutation_stream(5, 1) == permutation_stream(5, 1));
    CHECK_FALSE(permutation_stream(5, 1) == permutation_stream(5, 2));
    CHECK_FALSE(permutation_stream(5, 1) == permutation_stream(6, 1));
}

// Chi squared of k classes that are equally likely is k - 1 +- sqrt(2 (k - 1)).
TEST_CASE("all orders of few numbers are equally likely over the seeds") {
    for (index_t n : {2, 3, 4, 5}) {
        std::map<std::vector<index_t>, double> seen;
        int const seeds = 48000;
        for (int seed = 0; seed < seeds; ++seed) ++seen[all_of(n, static_cast<unsigned>(seed))];
        double orders = 1, sum = 0;
        for (index_t i = 2; i <= n; ++i) orders *= static_cast<double>(i);
        REQUIRE(static_cast<double>(seen.size()) == orders);
        double const each = seeds / orders;
        for (auto const& [order, times] : seen) sum += (times - each) * (times - each) / each;
        CHECK(sum < orders - 1 + 4 * std::sqrt(2 * (orders - 1)));
    }
}

TEST_CASE("every number is at every place equally often over the seeds") {
    index_t const n = 37;
    std::array<std::array<double, 37>, 37> seen{};
    int const seeds = 37000;
    for (int seed = 0; seed < seeds; ++seed) {
        auto const x = all_of(n, static_cast<unsigned>(seed));
        for (std::size_t i = 0; i < 37; ++i) ++seen[i][static_cast<std::size_t>(x[i])];
    }
    double sum = 0;
    for (auto const& row : seen) {
        for (double times : row) sum += (times - 1000) * (times - 1000) / 1000;
    }
    CHECK(sum < 36 * 36 + 4 * std::sqrt(2 * 36 * 36));
    CHECK(sum > 36 * 36 - 4 * std::sqrt(2 * 36 * 36));
}

TEST_CASE("neighbours of a permutation are not near each other") {
    auto const x = all_of(10007, 3);
    double ups = 0, far = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        ups += x[i] > x[i - 1];
        far += static_cast<double>(std::abs(x[i] - x[i - 1]));
    }
    CHECK(ups == doctest::Approx(5003).epsilon(0.03));
    CHECK(far / 10006 == doctest::Approx(10007. / 3).epsilon(0.03));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <doctest/doctest.h>
#include <felt/distributed/gradient_buckets.hpp>
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
#include <felt/felt.hpp>

namespace {

using felt::index_t;
using vector = felt::Tensor<float, 1>;

// Element i of rank r's gradient.
float part(index_t i, int r) {
    return static_cast<float>(i % 17) - 3 + 0.5f * static_cast<float>(r);
}

vector gradient_of(index_t n, int rank) {
    vector g({n});
    for (index_t i = 0; i < n; ++i) g(i) = part(i, rank);
    return g;
}

// The weighted sum over ranks in double, against what the buckets have made.
double apart(vector const& g, std::vector<double> const& weights) {
    double most = 0;
    for (index_t i = 0; i < g.size(); ++i) {
        double right = 0;
        for (std::size_t r = 0; r < weights.size(); ++r) {
            right += weights[r] * static_cast<double>(part(i, static_cast<int>(r)));
        }
        most = std::max(most, std::abs(static_cast<double>(g(i)) - right));
    }
    return most;
}

constexpr index_t all_bytes = index_t{1} << 40;

}  // namespace

TEST_CASE("buckets are cut from the end: a small one first, what is left last") {
    auto const count = [](index_t n, felt::bucket_options const& o) {
        return felt::gradient_buckets<float>(felt::alone, n, o).count();
    };
    CHECK(count(1000, {.first = 400, .bytes = 1600}) == 4);  // 100, 400, 400, 100 elements
    CHECK(count(1000, {.first = 1, .bytes = 1}) == 1000);
    CHECK(count(1000, {.first = all_bytes, .bytes = all_bytes}) == 1);
    CHECK(count(1 << 20, {}) == 2);
    CHECK(count(0, {}) == 0);
}

TEST_CASE("the gradient is the mean over ranks, for buckets of any size") {
    for (felt::bucket_options const o : {felt::bucket_options{.first = 1, .bytes = 1},
                                         {.first = 40, .bytes = 100},
                                         {.first = 4, .bytes = all_bytes},
                                         {.first = all_bytes, .bytes = 4}}) {
        for (index_t n : {index_t{0}, index_t{1}, index_t{97}}) {
            felt::run_ranks(4, [&](felt::communicator& ranks) {
                felt::gradient_buckets<float> buckets(ranks, n, o);
                for (int step = 0; step < 3; ++step) {
                    auto g = gradient_of(n, ranks.rank());
                    buckets.begin(g);
                    buckets.ready(n - n / 3);
                    buckets.ready(n / 2);
                    buckets.ready(n / 2);
                    buckets.ready(0);
                    buckets.finish();
                    CHECK(apart(g, {0.25, 0.25, 0.25, 0.25}) < 1e-6);
                }
                CHECK(buckets.times().steps == (n > 0 ? 3 : 0));
                CHECK(buckets.times().bytes == 3 * 4 * n);
                CHECK(buckets.times().exposed <= buckets.times().total);
            });
        }
    }
}

TEST_CASE("shards of different sizes weigh as many rows as they have") {
    felt::run_ranks(3, [](felt::communicator& ranks) {
        felt::gradient_buckets<float> buckets(ranks, 50, {.first = 32, .bytes = 64});
        auto g = gradient_of(50, ranks.rank());
        buckets.begin(g, felt::shard_of(7, ranks).weight());
        buckets.finish();  // all of it is ready by now
        CHECK(apart(g, {2. / 7, 2. / 7, 3. / 7}) < 1e-6);
        g = gradient_of(50, ranks.rank());
        buckets.begin(g, 1);
        buckets.finish();
        CHECK(apart(g, {1, 1, 1}) == 0);
    });
}

TEST_CASE("parts may be ready in any order, and a sum starts when its bucket is complete") {
    felt::run_ranks(2, [](felt::communicator& ranks) {
        felt::gradient_buckets<float> buckets(ranks, 100, {.first = 40, .bytes = 120});
        auto g = gradient_of(100, ranks.rank());
        buckets.begin(g);
        buckets.ready(30, 90);  // the second and third of four, and another's beginning
        CHECK(buckets.times().bytes == 2 * 30 * 4);
        buckets.ready(0, 30);
        buckets.ready(95, 100), buckets.ready(90, 95);
        CHECK(buckets.times().bytes == 100 * 4);
        buckets.finish();
        CHECK(apart(g, {0.5, 0.5}) < 1e-6);
    });
}

TEST_CASE("a gradient has the same bits on all ranks") {
    std::vector<vector> results(4);
    felt::run_ranks(4, [&](felt::communicator& ranks) {
        felt::gradient_buckets<float> buckets(ranks, 1000, {.first = 100, .bytes = 700});
        vector g({1000});
        g = felt::normal<float>({1000}, static_cast<std::uint64_t>(ranks.rank()));
        buckets.begin(g);
        for (index_t from = 900; from >= 0; from -= 100) buckets.ready(from);
        buckets.finish();
        results[static_cast<std::size_t>(ranks.rank())] = g;
    });
    for (vector const& g : results) CHECK(bool(felt::all(g == results[0])));
}

TEST_CASE("NaN passes to all ranks, and stays where it was") {
    felt::run_ranks(3, [](felt::communicator& ranks) {
        felt::gradient_buckets<float> buckets(ranks, 10, {.first = 8, .bytes = 8});
        auto g = gradient_of(10, ranks.rank());
        if (ranks.rank() == 1) g(4) = std::nanf("");
        buckets.begin(g);
        buckets.finish();
        for (index_t i = 0; i < 10; ++i) CHECK(std::isnan(g(i)) == (i == 4));
    });
}

TEST_CASE("a step that is given up does not reach into the next") {
    felt::run_ranks(2, [](felt::communicator& ranks) {
        felt::gradient_buckets<float> buckets(ranks, 50, {.first = 40, .bytes = 40});
        auto given_up = gradient_of(50, ranks.rank()), g = gradient_of(50, ranks.rank());
        buckets.begin(given_up);
        buckets.ready(20);
        buckets.begin(g);
        buckets.finish();
        CHECK(apart(g, {0.5, 0.5}) < 1e-6);
    });
}

TEST_CASE("one rank sums nothing, and weighs what it is told to") {
    felt::gradient_buckets<float> buckets(felt::alone, 20);
    auto g = gradient_of(20, 0);
    buckets.begin(g);
    buckets.ready(0);
    buckets.finish();
    CHECK(apart(g, {1}) == 0);
    buckets.begin(g, 0.5);
    buckets.finish();
    CHECK(apart(g, {0.5}) == 0);
    CHECK(buckets.times().steps == 0);
    CHECK(buckets.times().overlap() == 0);
}

TEST_CASE("what is no part of the gradient, or is said to be ready twice, is an error") {
    felt::gradient_buckets<float> buckets(felt::alone, 20, {.first = 16, .bytes = 16});
    auto g = gradient_of(20, 0), other = gradient_of(19, 0);
    CHECK_THROWS_AS(buckets.begin(other), felt::shape_error);
    buckets.begin(g);
    CHECK_THROWS_AS(buckets.ready(-1), felt::shape_error);
    CHECK_THROWS_AS(buckets.ready(21), felt::shape_error);
    buckets.ready(10);
    CHECK_THROWS_AS(buckets.ready(11), felt::shape_error);
    CHECK_THROWS_AS(buckets.ready(8, 12), felt::shape_error);
}

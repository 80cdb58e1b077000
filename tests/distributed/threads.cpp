// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>

using felt::index_t;

TEST_CASE("every rank is called once with its number, and gets the sum over all") {
    for (int n : {1, 2, 3, 7}) {
        std::vector<double> seen(static_cast<std::size_t>(n), -1);
        felt::run_ranks(n, [&](felt::communicator& ranks) {
            double x[2] = {ranks.rank() + 1., 10. * ranks.rank()};
            felt::sum(ranks, std::span(x));
            auto const own = static_cast<std::size_t>(ranks.rank());
            seen[own] = x[0] + x[1] + 1000 * (ranks.size() == n ? 1 : 0);
        });
        for (double s : seen) CHECK(s == 1000 + n * (n + 1) / 2 + 10. * n * (n - 1) / 2);
    }
}

TEST_CASE("sums are of floats, doubles and indices, and several may be under way") {
    felt::run_ranks(4, [&](felt::communicator& ranks) {
        std::vector<float> a(5, 1.5f);
        std::vector<index_t> b(3, index_t{1} << (40 + ranks.rank()));
        std::vector<double> none;
        auto const first = ranks.start_sum(std::span(a));
        auto const second = ranks.start_sum(std::span(b));
        auto const third = ranks.start_sum(std::span(none));
        third->wait(), second->wait(), first->wait();
        CHECK(first->done());
        CHECK(a == std::vector<float>(5, 6));
        CHECK(b == std::vector<index_t>(3, index_t{15} << 40));
    });
}

TEST_CASE("sums are in the order of the ranks: the same bits on all, and in every run") {
    float expected = 0;
    for (int r = 0; r < 5; ++r) expected += 1.f / (3 + static_cast<float>(r));
    for (int i = 0; i < 50; ++i) {
        felt::run_ranks(5, [&](felt::communicator& ranks) {
            float const s = felt::sum(ranks, 1.f / (3 + static_cast<float>(ranks.rank())));
            CHECK(std::memcmp(&s, &expected, sizeof s) == 0);
        });
    }
}

TEST_CASE("a sum with NaN is NaN everywhere") {
    felt::run_ranks(3, [](felt::communicator& ranks) {
        CHECK(std::isnan(felt::sum(ranks, ranks.rank() == 1 ? std::nan("") : 1)));
    });
}

TEST_CASE("a broadcast brings what rank 0 has, gathered() what each has") {
    felt::run_ranks(4, [](felt::communicator& ranks) {
        int x[3] = {ranks.rank(), 7 + ranks.rank(), 2};
        felt::broadcast(ranks, std::span(x));
        CHECK(x[0] == 0);
        CHECK(x[1] == 7);
        felt::broadcast(ranks, std::span<int>());
        CHECK(felt::gathered(ranks, index_t{10} * ranks.rank()) ==
              std::vector<index_t>{0, 10, 20, 30});
        ranks.barrier();
    });
}

TEST_CASE("an exception on one rank ends the others where they wait, and comes through") {
    CHECK_THROWS_WITH_AS(felt::run_ranks(4,
                                         [](felt::communicator& ranks) {
                                             if (ranks.rank() == 2) throw felt::error("no data");
                                             felt::sum(ranks, 1.);
                                         }),
                         "no data", felt::error);
    CHECK_THROWS_WITH_AS(felt::run_ranks(3,
                                         [](felt::communicator& ranks) {
                                             if (ranks.rank() == 0) ranks.abort("disk full");
                                             ranks.barrier();
                                         }),
                         "disk full", felt::error);
}

TEST_CASE("ranks that ask for different operations are told so") {
    CHECK_THROWS_AS(felt::run_ranks(2,
                                    [](felt::communicator& ranks) {
                                        std::vector<float> x(ranks.is_first() ? 3 : 4);
                                        felt::sum(ranks, std::span(x));
                                    }),
                    felt::error);
    CHECK_THROWS_AS(felt::run_ranks(2,
                                    [](felt::communicator& ranks) {
                                        if (ranks.is_first()) felt::sum(ranks, 1.);
                                        else felt::sum(ranks, index_t{1});
                                    }),
                    felt::error);
}

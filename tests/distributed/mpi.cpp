// SPDX-License-Identifier: BSD-3-Clause
//
// Run by mpirun on 1, 2 and 4 ranks: every rank checks what it gets.
#include <felt/distributed/mpi.hpp>
#include <doctest/doctest.h>
#include <felt/distributed/gradient_buckets.hpp>
#include <felt/distributed/shards.hpp>
#include <felt/felt.hpp>
#include <cmath>
#include <cstring>

namespace {

using felt::index_t;

felt::communicator& all() {
    static felt::mpi_session const session;
    static felt::mpi_ranks ranks;
    return ranks;
}

}  // namespace

TEST_CASE("ranks are numbered, and know how many they are") {
    auto const numbers = felt::gathered(all(), index_t{all().rank()});
    CHECK(numbers.size() == static_cast<std::size_t>(all().size()));
    for (std::size_t r = 0; r < numbers.size(); ++r) CHECK(numbers[r] == static_cast<index_t>(r));
}

TEST_CASE("sums are of floats, doubles and indices, and several may be under way") {
    auto const n = static_cast<double>(all().size());
    std::vector<float> a(5, 1.5f);
    std::vector<double> b(100000, all().rank() + 1.);
    std::vector<index_t> c(3, index_t{1} << 40);
    std::vector<double> none;
    auto const first = all().start_sum(std::span(a));
    auto const second = all().start_sum(std::span(b));
    auto const third = all().start_sum(std::span(c));
    all().start_sum(std::span(none))->wait();
    while (!second->done()) {
    }
    third->wait(), first->wait();
    CHECK(first->done());
    CHECK(a == std::vector<float>(5, 1.5f * static_cast<float>(n)));
    CHECK(b == std::vector<double>(100000, n * (n + 1) / 2));
    CHECK(c == std::vector<index_t>(3, (index_t{1} << 40) * all().size()));
}

TEST_CASE("a broadcast brings what rank 0 has") {
    std::vector<float> x(1000, static_cast<float>(all().rank()));
    felt::broadcast(all(), x);
    CHECK(x == std::vector<float>(1000, 0));
    CHECK(felt::broadcast(all(), all().rank() + 5) == 5);
    all().barrier();
}

TEST_CASE("a mean gradient in buckets has the same bits on all ranks, and is right to rounding") {
    for (index_t const bytes : {index_t{400}, index_t{1} << 14, index_t{1} << 30}) {
        index_t const n = 100003;
        felt::gradient_buckets<float> buckets(all(), n, {.first = bytes / 4, .bytes = bytes});
        felt::Tensor<float, 1> g({n});
        felt::Tensor<double, 1> right({n});
        for (int r = 0; r < all().size(); ++r) {
            auto const weight = felt::shard_of(11, r, all().size()).weight();
            right += weight *
                     felt::cast<double>(felt::normal<float>({n}, static_cast<std::uint64_t>(r)));
        }
        g = felt::normal<float>({n}, static_cast<std::uint64_t>(all().rank()));
        buckets.begin(g, felt::shard_of(11, all()).weight());
        buckets.ready(70000);
        buckets.ready(20000);
        buckets.finish();
        CHECK(double(felt::max(abs(felt::cast<double>(g) - right))) < 1e-6);
        std::vector<float> of_first(g.data(), g.data() + n);
        felt::broadcast(all(), of_first);
        CHECK(std::memcmp(of_first.data(), g.data(), of_first.size() * sizeof(float)) == 0);
    }
}

TEST_CASE("NaN passes to all ranks") {
    CHECK(std::isnan(felt::sum(all(), all().is_first() ? std::nan("") : 1)));
}

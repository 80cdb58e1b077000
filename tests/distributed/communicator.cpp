// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/distributed/communicator.hpp>

using felt::index_t;

TEST_CASE("a program on its own is rank 0 of 1, and what it sums and sends is its own") {
    felt::communicator& alone = felt::alone;
    CHECK(alone.rank() == 0);
    CHECK(alone.size() == 1);
    CHECK(alone.is_first());
    CHECK(!alone.of_device_memory());
    std::vector<float> x = {1, 2, 3};
    auto const under_way = alone.start_sum(std::span(x));
    CHECK(under_way->done());
    under_way->wait();
    felt::broadcast(alone, std::span(x));
    alone.barrier();
    CHECK(x == std::vector<float>{1, 2, 3});
    CHECK(felt::sum(alone, 2.5) == 2.5);
    CHECK(felt::sum(alone, index_t{7}) == 7);
    CHECK(felt::broadcast(alone, 'a') == 'a');
    CHECK(felt::gathered(alone, 4.f) == std::vector<float>{4});
}

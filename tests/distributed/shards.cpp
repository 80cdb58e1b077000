// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/distributed/shards.hpp>

using felt::index_t;

TEST_CASE("ten rows on four ranks are 2, 3, 2 and 3") {
    index_t const cuts[] = {0, 2, 5, 7, 10};
    for (int r = 0; r < 4; ++r) {
        auto const s = felt::shard_of(10, r, 4);
        CHECK(s.begin == cuts[r]);
        CHECK(s.end == cuts[r + 1]);
        CHECK(s.weight() == static_cast<double>(s.size()) / 10);
    }
    CHECK(felt::shard_of(10, felt::alone).size() == 10);
}

TEST_CASE("shards are all rows, in order, and differ by at most one") {
    for (index_t rows : {index_t{0}, index_t{1}, index_t{7}, index_t{64}, index_t{1} << 61}) {
        for (int size : {1, 2, 3, 8, 512}) {
            index_t at = 0;
            double weights = 0;
            for (int r = 0; r < size; ++r) {
                auto const s = felt::shard_of(rows, r, size);
                CHECK(s.begin == at);
                CHECK(s.size() >= rows / size);
                CHECK(s.size() <= rows / size + 1);
                at = s.end, weights += s.weight();
            }
            CHECK(at == rows);
            CHECK(weights == doctest::Approx(rows > 0 ? 1 : 0));
        }
    }
}

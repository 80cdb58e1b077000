// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/micro.hpp>
#include <felt/plan/constants.hpp>

using namespace felt::planning;

namespace {

bool is_about(double a, double b) { return a < 1.5 * b && b < 1.5 * a; }

template <class T>
void check_tiles() {
    using tile = felt::host::tile<T>;
    CHECK(most_mc % tile::mr == 0);
    CHECK(most_nc % tile::nr == 0);
    CHECK(tile::mr <= most_mr);
    CHECK(tile::nr <= most_nr);
    CHECK(most_nc * most_kc * static_cast<felt::index_t>(sizeof(T)) <= 2 * pack_bytes);
}

}  // namespace

TEST_CASE("what a product packs is whole tiles and fits in the cache that it is packed for") {
    check_tiles<float>();
    check_tiles<double>();
    CHECK(pack_bytes + most_mc * most_kc * 4 <= scratch_limit);
}

TEST_CASE("tiles and what they are computed into stay in the second cache, beside the next ones") {
    CHECK(4 * static_cast<double>(tile_bytes) < second_cache);
    CHECK(tile_bytes >= staging_limit);
}

TEST_CASE("what planning counts in operations agrees with the prices") {
    CHECK(is_about(row_start, price.rows / price.operations));
    CHECK(is_about(terms_per_element, price.staged / price.terms));
    CHECK(is_about(load_cost, price.points / price.operations));
    CHECK(is_about(static_cast<double>(part_work) * price.operations, 5e3));
}

TEST_CASE("margins by which equal works are told apart are wider than what counts as equal") {
    CHECK(order_margin - 1 > 1 - equal_work);
    CHECK(shrinking > order_margin);
    CHECK(shrinking_from_memory > shrinking);
    CHECK(better_plan < 1);
    CHECK(better_lanes < 1);
}

TEST_CASE("rounding that is not carried is small") {
    CHECK(static_cast<double>(few_sums) / (1 << 24) < 1e-5);
}

TEST_CASE("counts add up, and are priced each by its own price") {
    work_counts a{.operations = 1, .rows = 2}, b{.rows = 3, .far_bytes = 10};
    a += b * 2;
    CHECK(a.operations == 1);
    CHECK(a.rows == 8);
    CHECK(a.far_bytes == 20);
    CHECK(a.nanoseconds() ==
          doctest::Approx(price.operations + 8 * price.rows + 20 * price.far_bytes));
    CHECK(work_counts{}.nanoseconds() == 0);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/extents.hpp>
#include <cstdint>
#include <string>

using felt::extents;

TEST_CASE("extents count elements, one of rank 0 and none with an empty axis") {
    CHECK(extents<2>{{3, 4}}.size() == 12);
    CHECK(extents<0>{}.size() == 1);
    CHECK(extents<3>{{3, 0, 4}}.size() == 0);
    CHECK(extents<2>{}.size() == 0);
}

TEST_CASE("extents count in 64 bits") {
    CHECK(extents<2>{{3'000'000, 3'000'000}}.size() == 9'000'000'000'000);
}

TEST_CASE("extents are equal if all of them are") {
    CHECK(extents<2>{{3, 4}} == extents<2>{{3, 4}});
    CHECK(extents<2>{{3, 4}} != extents<2>{{4, 3}});
    CHECK(extents<2>{{3, 4}} != extents<2>{{3, 5}});
    CHECK(extents<0>{} == extents<0>{});
}

TEST_CASE("extents are given as any mix of integer types") {
    constexpr auto e = felt::make_extents({std::uint8_t{200}, 3, std::size_t{5}, -1L});
    static_assert(e.rank == 4);
    CHECK(e == extents<4>{{200, 3, 5, -1}});
}

TEST_CASE("extents iterate over their axes") {
    felt::index_t sum = 0, count = 0;
    for (felt::index_t n : extents<3>{{2, 3, 5}}) sum += n, ++count;
    CHECK(sum == 10);
    CHECK(count == 3);
    for (felt::index_t n : extents<0>{}) sum += n + 1;
    CHECK(sum == 10);
}

TEST_CASE("negative extents are an error that names the operation") {
    extents<2> const e{{2, 0}};
    CHECK(&felt::checked_extents("full", e) == &e);
    CHECK_THROWS_WITH_AS(felt::checked_extents("full", extents<2>{{2, -1}}),
                         "full: negative extent in (2, -1)", felt::shape_error);
}

TEST_CASE("extents print as Python tuples do, for messages") {
    CHECK(felt::to_string(extents<3>{{2, 3, -5}}) == "(2, 3, -5)");
    CHECK(felt::to_string(extents<1>{{7}}) == "(7)");
    CHECK(felt::to_string(extents<0>{}) == "()");
}

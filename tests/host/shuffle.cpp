// SPDX-License-Identifier: BSD-3-Clause
#include <felt/host/shuffle.hpp>
#include <doctest/doctest.h>

namespace {

template <class T>
using four [[gnu::vector_size(4 * sizeof(T))]] = T;

}  // namespace

TEST_CASE_TEMPLATE("lanes are taken from both vectors, by their numbers", T, float, double,
                   std::int8_t, std::int16_t, std::int32_t, std::int64_t) {
    four<T> const a = {0, 1, 2, 3}, b = {4, 5, 6, 7};
    auto const mixed = felt::host::shuffle<6, 1, 1, 7>(a, b);
    CHECK(mixed[0] == T(6));
    CHECK(mixed[1] == T(1));
    CHECK(mixed[2] == T(1));
    CHECK(mixed[3] == T(7));
    auto const turned = felt::host::shuffle<3, 2, 1, 0>(a, a);
    for (int l = 0; l < 4; ++l) CHECK(turned[l] == T(3 - l));
}

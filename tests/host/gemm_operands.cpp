// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::host::box;

namespace {

box over(index_t lo, index_t hi, index_t first, index_t last) {
    box b;
    b.rank = 2;
    b.lo[0] = lo, b.hi[0] = hi;
    b.lo[1] = first, b.hi[1] = last;
    return b;
}

}  // namespace

TEST_CASE("an operand that was packed holds that box, and no part of it") {
    felt::host::packed_box<float> packed;
    CHECK(!packed.holds(over(0, 0, 0, 0)));
    packed.hold(over(2, 5, 0, 7));
    CHECK(packed.holds(over(2, 5, 0, 7)));
    CHECK(!packed.holds(over(2, 4, 0, 7)));
    CHECK(!packed.holds(over(2, 5, 0, 8)));
    CHECK(!packed.holds(over(3, 6, 0, 7)));
}

TEST_CASE("a product of no terms is 0 in its box, and nothing else is touched") {
    std::vector<double> memory(60, 7);
    felt::host::strided<double> const to{memory.data(), {20, 2}};
    felt::host::clear(over(1, 3, 2, 5), to);
    for (index_t i = 0; i < 60; ++i) {
        index_t const row = i / 20, column = i % 20 / 2;
        bool const own = row >= 1 && column >= 2 && column < 5 && i % 2 == 0;
        CHECK(memory[static_cast<std::size_t>(i)] == (own ? 0 : 7));
    }
}

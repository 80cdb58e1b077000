// SPDX-License-Identifier: BSD-3-Clause
//
// The nodes of one space of loops, in the order of the tree.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

TEST_CASE("every node is in the list of the loops that it is read in, and in no other") {
    auto const a = test::nowhere(1, {40, 30}), b = test::nowhere(2, {30, 20});
    auto const y = test::nowhere(3, {40, 20});
    auto const p = felt::explain(assign(y, exp(matmul(a, b)) - felt::sum<0>(matmul(a, b))));
    std::size_t listed = 0;
    for (int s = 0; s < static_cast<int>(p.space.size()); ++s) {
        int before = -1;
        for (int id : p.read_in(s)) {
            CHECK(p.at(id).space == s);
            CHECK(id > before);
            before = id;
            ++listed;
        }
    }
    CHECK(listed == p.node.size());
}

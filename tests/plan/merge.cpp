// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::Host;
using felt::Tensor;

TEST_CASE("contiguous tensors are one long row, in either order") {
    Tensor<float, 4> x({3, 5, 7, 2}), y({3, 5, 7, 2});
    auto const rows = felt::explain(felt::assign(y, x + 1.0F));
    CHECK(rows.space[0].rank == 1);
    CHECK(rows.space[0].extent[0] == 210);
    Tensor<float, 3, Host, felt::ColMajor> a({3, 5, 7}), b({3, 5, 7});
    auto const columns = felt::explain(felt::assign(b, a * a));
    CHECK(columns.space[0].rank == 1);
    CHECK(columns.space[0].extent[0] == 105);
}

TEST_CASE("loops that one reader broadcasts along stay apart") {
    Tensor<float, 2> x({5, 7}), y({5, 7});
    Tensor<float, 1> row({7});
    auto const p = felt::explain(felt::assign(y, x + row));
    CHECK(p.space[0].rank == 2);
    Tensor<float, 2, Host, felt::ColMajor> c({5, 7});
    CHECK(felt::explain(felt::assign(y, x + c)).space[0].rank == 2);
}

TEST_CASE("merged loops give the values of loops that are not merged") {
    Tensor<float, 3> x({4, 1, 9}), y({4, 1, 9});
    x = felt::iota<float>({4, 1, 9});
    y = x * 2.0F + felt::iota<float>({4, 1, 9});
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 9; ++j) CHECK(y(i, 0, j) == 3.0F * static_cast<float>(i * 9 + j));
    }
    float const total = felt::sum(x);
    CHECK(total == 36 * 35 / 2);
    felt::index_t const best = felt::argmax(x);
    CHECK(best == 35);
    Tensor<float, 1> s = felt::sum<1, 2>(x);
    CHECK(s(3) == 27 * 9 + 36);
}

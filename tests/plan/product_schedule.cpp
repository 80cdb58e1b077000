// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::planning::label_id;
using felt::planning::label_list;

namespace {
std::vector<int> list(label_list const& of) { return {of.begin(), of.end()}; }
}  // namespace

TEST_CASE("labels stand from the outermost to the last") {
    label_list of;
    CHECK(of.last() == -1);
    index_t const extent[] = {5, 7, 11, 13};
    CHECK(of.points(extent) == 1);
    for (int l : {0, 2, 3}) of.add(label_id(l));
    CHECK(list(of) == std::vector<int>{0, 2, 3});
    CHECK(of.last() == 3);
    CHECK(of.has(label_id(2)));
    CHECK(!of.has(label_id(1)));
    CHECK(of.points(extent) == 5 * 11 * 13);
    of.put_last(label_id(0));
    CHECK(list(of) == std::vector<int>{2, 3, 0});
    of.put_last(label_id(1));  // none of them
    CHECK(list(of) == std::vector<int>{2, 3, 0});
}

TEST_CASE("a product is blocked by mc rows, nc columns and kc terms") {
    felt::Tensor<float, 2> const a({1000, 700}), b({700, 900});
    felt::Tensor<float, 2> y({1000, 900});
    auto const s = assign(y, matmul(a, b) + 1);
    auto const p = felt::explain(s);
    auto const& product = test::product_of(p, 1);
    CHECK(product.mc > 0);
    CHECK(product.mc <= felt::planning::most_mc);
    CHECK(product.nc > 0);
    CHECK(product.nc <= felt::planning::most_nc);
    CHECK(product.kc == product.axes.k.points(product.k_step));
    CHECK(product.kc < 700);
    CHECK(product.is_left(0));
    CHECK(!product.is_left(1));
}

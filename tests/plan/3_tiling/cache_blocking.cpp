// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::label_list;
using namespace felt::planning::detail;

TEST_CASE("pieces are equal, and none is longer than the limit") {
    CHECK(even_pieces(10, 10) == 10);
    CHECK(even_pieces(11, 10) == 6);
    CHECK(even_pieces(1000, 256) == 250);
    CHECK(even_pieces(1, 256) == 1);
    CHECK(round_up(33, 32) == 64);
    CHECK(round_up(64, 32) == 64);
}

TEST_CASE("few columns leave room for more terms, and few rows want long runs") {
    CHECK(shared_limit(false, 768, 4) == 341);
    CHECK(shared_limit(false, 64, 4) == 1024);
    CHECK(shared_limit(false, 64, 8) == 512);
    CHECK(shared_limit(true, 64, 4) == 16 * felt::planning::most_kc);
    for (index_t columns : {1, 31, 768, 100000}) {
        CHECK(shared_limit(false, columns, 4) >= felt::planning::most_kc);
    }
}

TEST_CASE("shared labels are cut from the outermost") {
    felt::Tensor<float, 4> const x({2, 48, 9, 9}), w({64, 48, 3, 3});
    felt::Tensor<float, 4> y({2, 64, 7, 7});
    auto const s = assign(y, relu(conv2d(x, w)));
    auto const p = felt::explain(s);
    label_list const& k = test::product_of(p, 1).axes.k;
    index_t block[felt::planning::max_axes];
    auto const* const extent = p.g[p.g.nodes[1].inner].extent;
    cut_terms(k, extent, 1000, block);  // 48 * 9 terms fit
    CHECK(k.points(block) == 432);
    cut_terms(k, extent, 100, block);
    CHECK(k.points(block) <= 100);
    CHECK(k.points(block) > 50);
    CHECK(block[k.last()] == extent[k.last()]);
}

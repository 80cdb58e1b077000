// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::Tensor;
using felt::planning::node_id;

TEST_CASE("a reduction holds its results, a stream holds nothing") {
    Tensor<float, 2> x({64, 100}), y({64, 100});
    auto const s = felt::assign(y, x * 2.0F + 1.0F);
    auto const stream = felt::explain(s);
    CHECK(stream.g.spaces.size() == 1);
    for (node_id id : stream.g.nodes.ids()) CHECK(test::scratch_of(stream, id) == 0);
    auto const t = felt::assign(y, x - felt::mean<1>(x, felt::keepdims));
    auto const centred = felt::explain(t);
    bool found = false;
    for (node_id id : centred.g.nodes.ids()) {
        if (centred.g[id].what != felt::planning::kind::reduce) continue;
        found = true;
        CHECK(test::scratch_of(centred, id) == (centred.s.spaces[0].block[0] + 64) * 4);
    }
    CHECK(found);
}

TEST_CASE("a product holds its box and what it packs, and the block keeps that below the limit") {
    Tensor<float, 2> a({3000, 500}), b({500, 3000}), y({3000, 3000});
    auto const s = felt::assign(y, felt::exp(felt::matmul(a, b)) + y);
    auto const p = felt::explain(s);
    index_t const* const block = p.s.spaces[0].block;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what != felt::planning::kind::contract) continue;
        CHECK(test::scratch_of(p, id) > block[0] * block[1] * 4);
        CHECK(test::scratch_of(p, id) <= felt::planning::scratch_limit);
    }
}

TEST_CASE("slices of one product need scratch for each their own rows") {
    Tensor<float, 2> w({512, 64}), x({64, 40}), y({128, 40});
    auto const z = felt::matmul(w, x);
    auto const part = [&](int k) {
        return felt::slice(z, felt::range(128 * k, 128 * (k + 1)), felt::all());
    };
    auto const s = felt::assign(y, part(0) * part(1) + part(1) + y);
    auto const p = felt::explain(s);
    std::vector<node_id> product;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == felt::planning::kind::contract) product.push_back(id);
    }
    REQUIRE(product.size() == 3);
    for (node_id id : product) {
        CHECK(p.s[id].held[0] == 128);
        CHECK(test::product_of(p, id).kc > 0);
    }
    CHECK(test::scratch_of(p, product[0]) > 0);
    CHECK(test::scratch_of(p, product[1]) == test::scratch_of(p, product[0]));
}

TEST_CASE("a question leaves the schedule as it is, and tiles that are wider need more") {
    Tensor<float, 2> x({64, 1000}), y({64, 1000});
    auto const s = felt::assign(y, x - felt::mean<1>(x, felt::keepdims));
    auto const p = felt::explain(s);
    felt::planning::schedule narrow = p.s, wide = p.s;
    felt::planning::space_id const sp = p.g.statements[0].space;
    index_t const one[] = {1, 1000}, all[] = {64, 1000};
    felt::planning::detail::tile_space(p.g, narrow, sp, one);
    felt::planning::detail::tile_space(p.g, wide, sp, all);
    auto const few = footprint_of(p.g, narrow, sp), many = footprint_of(p.g, wide, sp);
    CHECK(few.bytes < many.bytes);
    CHECK(footprint_of(p.g, narrow, sp).bytes == few.bytes);
    CHECK(few.fits(felt::planning::scratch_limit));
    CHECK_FALSE(many.fits(few.bytes));
}

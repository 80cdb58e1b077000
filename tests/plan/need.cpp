// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::Tensor;
using felt::planning::node_id;

TEST_CASE("a reduction holds its results, a stream holds nothing") {
    Tensor<float, 2> x({64, 100}), y({64, 100});
    auto const stream = felt::explain(felt::assign(y, x * 2.0F + 1.0F));
    CHECK(stream.g.spaces.size() == 1);
    for (auto const& f : stream.s.nodes) CHECK(f.scratch_bytes == 0);
    auto const centred = felt::explain(felt::assign(y, x - felt::mean<1>(x, felt::keepdims)));
    bool found = false;
    for (node_id id : centred.g.nodes.ids()) {
        if (centred.g[id].what != felt::planning::kind::reduce) continue;
        found = true;
        CHECK(centred.s[id].scratch_bytes == (centred.s.spaces[0].block[0] + 64) * 4);
    }
    CHECK(found);
}

TEST_CASE("a product holds its box and what it packs, and the block keeps that below the limit") {
    Tensor<float, 2> a({3000, 500}), b({500, 3000}), y({3000, 3000});
    auto const p = felt::explain(felt::assign(y, felt::exp(felt::matmul(a, b)) + y));
    index_t const* const block = p.s.spaces[0].block;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what != felt::planning::kind::contract) continue;
        CHECK(p.s[id].scratch_bytes > block[0] * block[1] * 4);
        CHECK(p.s[id].scratch_bytes <= felt::planning::scratch_limit);
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
    std::vector<felt::planning::placement> product;
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == felt::planning::kind::contract) product.push_back(p.s[id]);
    }
    REQUIRE(product.size() == 3);
    for (auto const& f : product) {
        CHECK(f.held[0] == 128);
        CHECK(f.chunk[2] > 0);
    }
    CHECK(product[0].scratch_bytes > 0);
    CHECK(product[1].scratch_bytes == product[0].scratch_bytes);
}

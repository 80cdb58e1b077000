// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"

namespace nn = felt::nn;
using differences::net;
using felt::index_t;

namespace {
index_t kept(net&& n) {
    n.prepare({2, 1, 4, 4});
    return n.kept();
}
}  // namespace

TEST_CASE("a block keeps what a layer reads from memory, and nothing else") {
    nn::conv const c{1, 3, {.padding = {1, 1}}};
    index_t const one = kept(net{} << c);  // its result, and a zero
    CHECK(one == 33);
    CHECK(kept(net{} << (c | nn::relu)) == one);
    CHECK(kept(net{} << (c | nn::silu | nn::relu)) == one);
    CHECK(kept(net{} << (c | nn::relu | nn::dropout{})) == one);
    CHECK(kept(net{} << (c | nn::relu | c)) == one + 32);
    CHECK(kept(net{} << (c | nn::relu | nn::max_pool{})) == one + 8);
}

TEST_CASE("derivatives within a block of several products, a norm, functions of any kind") {
    nn::conv const c{3, 3, {.padding = {1, 1}}};
    auto n = net{} << (c | nn::silu | c | nn::sigmoid | nn::avg_pool{});
    differences::check(n, felt::extents<4>{{2, 2, 4, 4}});
    auto m = net{} << (c | nn::norm{} | nn::tanh | c | nn::softplus);
    differences::check(m, felt::extents<4>{{3, 2, 4, 4}});
    auto d = net{} << (nn::dense{5} | nn::silu | nn::dropout{0.4} | nn::dense{4} | nn::tanh);
    differences::check(d, felt::extents<2>{{3, 6}});
}

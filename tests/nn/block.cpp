// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"

namespace nn = felt::nn;
using differences::net;
using felt::index_t;

namespace {
nn::conv same(index_t out, index_t k) { return {out, k, {.padding = {k / 2, k / 2}}}; }
}  // namespace

TEST_CASE("convolutions, pools and products behind boundaries") {
    auto n = net{} << (same(3, 3) | nn::relu) << nn::max_pool{} << (same(4, 1) | nn::sigmoid)
                   << nn::avg_pool{3, 1, 1} << (nn::dense{5} | nn::tanh) << nn::dense{3};
    differences::check(n, felt::extents<4>{{3, 2, 5, 6}});
}

TEST_CASE("a normalisation is read by the block behind it") {
    auto n = net{} << (same(3, 3) | nn::norm{} | nn::relu) << (same(4, 1) | nn::norm{})
                   << (same(2, 3) | nn::norm{} | nn::relu) << nn::max_pool{} << nn::dense{3};
    differences::check(n, felt::extents<4>{{3, 2, 4, 4}});
    differences::check(n, felt::extents<4>{{2, 2, 6, 4}});  // prepared again
    // By a block that has none it is read as a tensor, which is written for it.
    auto m = net{} << (same(3, 3) | nn::norm{} | nn::relu) << same(2, 1);
    differences::check(m, felt::extents<4>{{3, 2, 4, 4}});
    auto last = net{} << (same(3, 3) | nn::norm{} | nn::relu);
    differences::check(last, felt::extents<4>{{3, 2, 4, 4}});
}

TEST_CASE("a normalisation of a product's rows ends a block as any layer does") {
    auto n = net{} << (nn::dense{4} | nn::norm{} | nn::relu) << (nn::dense{3} | nn::norm{})
                   << (nn::dense{3} | nn::norm{} | nn::relu | nn::dropout{0.25});
    differences::check(n, felt::extents<2>{{6, 3}});
    auto m = net{} << nn::max_pool{} << (nn::dense{3} | nn::norm{}) << (nn::relu | nn::dense{2});
    differences::check(m, felt::extents<4>{{5, 2, 4, 4}});
}

TEST_CASE("one sample, one pixel, one channel") {
    auto n = net{} << (same(1, 3) | nn::relu) << nn::dense{1};
    differences::check(n, felt::extents<4>{{1, 1, 1, 1}});
    auto d = net{} << (nn::dense{1} | nn::sigmoid) << nn::dense{1};
    differences::check(d, felt::extents<2>{{1, 1}});
}

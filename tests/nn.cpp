// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn.hpp>

namespace nn = felt::nn;
using differences::net;

TEST_CASE("one header has networks beside each other and sums of them") {
    auto const c = [](auto out, auto k) {
        return nn::conv{out, k, {.padding = {k / 2, k / 2}}} | nn::norm{} | nn::relu;
    };
    auto n = net{} << c(2, 3) << nn::beside(net{} << c(1, 1), net{} << c(1, 1) << c(2, 3))
                   << (nn::plus(net{} << c(3, 1)) | nn::relu) << nn::max_pool{} << nn::dense{2};
    differences::check(n, felt::extents<4>{{2, 1, 4, 4}});
}

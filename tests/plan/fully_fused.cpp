// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::fully_fused;

namespace {

template <class E>
bool fuses(E const&) {
    return fully_fused<E>;
}

}  // namespace

TEST_CASE("streaming nodes, reductions and chains of products fuse") {
    felt::Tensor<float, 2> const x({4, 4});
    felt::Tensor<float, 1> const b({4});
    felt::Tensor<int, 1> const rows({4});
    static_assert(fully_fused<felt::Tensor<float, 2>>);
    CHECK(fuses(x));
    CHECK(fuses(sigmoid(x) * 2 + b));
    CHECK(fuses(transpose(x) + felt::flip<0>(x)));
    CHECK(fuses(sigmoid(matmul(x, x) + b)));
    CHECK(fuses(matmul(x, relu(matmul(x, x)))));
    CHECK(fuses(matmul(relu(matmul(x, x)), x)));
    CHECK(fuses(felt::softmax<1>(matmul(x, x))));
    CHECK(fuses(felt::sum<0>(square(matmul(x, x) - b))));
    CHECK(fuses(matmul(x - felt::mean<0>(x), x)));
    CHECK(fuses(felt::concat<0>(matmul(x, x), x)));
    CHECK(fuses(pad(felt::upsample(matmul(x, x), {2, 2}), {{1, 1}, {1, 1}})));
    CHECK(fuses(felt::sum<2, 3>(windows(x, {2, 2}))));
    CHECK(fuses(reshape(matmul(x, x), {16})));
    CHECK(fuses(felt::gather<0>(exp(x), rows)));
    CHECK(fuses(felt::cumsum<0>(matmul(x, x)) * x));
}

TEST_CASE("a product of products and a gather of what is expensive do not") {
    felt::Tensor<float, 2> const x({4, 4});
    felt::Tensor<int, 1> const rows({4});
    auto const p = matmul(x, x);
    CHECK_FALSE(fuses(matmul(p, p)));
    CHECK_FALSE(fuses(matmul(relu(p), transpose(p))));
    CHECK_FALSE(fuses(exp(matmul(p, p + 1)) * 2));
    CHECK_FALSE(fuses(felt::gather<0>(p, rows)));
    CHECK_FALSE(fuses(felt::gather<0>(x - felt::mean<0>(x), rows)));
    CHECK_FALSE(fuses(felt::sum<0>(felt::gather<1>(felt::softmax<1>(x), rows))));
    CHECK_FALSE(fuses(felt::scatter_add<0>({9, 4}, rows, p)));
    CHECK_FALSE(fuses(felt::gather<0>(felt::cumsum<0>(x), rows)));
}

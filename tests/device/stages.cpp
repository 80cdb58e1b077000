// SPDX-License-Identifier: BSD-3-Clause
//
// What does not stream is computed first, once.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("equal values are computed once, and streams write nothing on the way") {
    Tensor<float, 2, Device> const x = normal<float>({30, 40}, 1);
    Tensor<float, 2, Device> y({30, 40});
    auto const tensors = [&](auto how, auto const& e) {
        auto const before = allocations().tensors;
        run(how, assign(y, e));
        return allocations().tensors - before;
    };
    CHECK(tensors(fused, sigmoid(x) * 2 + transpose(transpose(x))) == 0);
    CHECK(tensors(fused, x - max<1>(x, keepdims)) == 1);
    CHECK(tensors(fused, exp(x - max<1>(x, keepdims)) * max<1>(x, keepdims)) == 1);
    CHECK(tensors(unfused, sigmoid(x) * 2 + 1) == 2);
    CHECK(tensors(unfused, transpose(transpose(x)) * 2) == 0);
    CHECK(tensors(unfused, exp(x) * exp(x)) == 1);
}

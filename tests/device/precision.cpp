// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/device.hpp>

using namespace felt;

TEST_CASE("less exact products are fused statements, and the host's are exact") {
    Tensor<float, 2> const x = normal<float>({20, 30}, 1), w = normal<float>({30, 10}, 2);
    Tensor<float, 2> y({20, 10}), want({20, 10});
    want = matmul(x, w);
    run(tf32, assign(y, matmul(x, w)));
    CHECK(all_close(y, want, 0, 0));
    run(bf16, assign(y, matmul(x, w)));
    CHECK(all_close(y, want, 0, 0));
    run(tf32x3, assign(y, matmul(x, w)));
    CHECK(all_close(y, want, 0, 0));
}

TEST_CASE("so are they where the host's loops stand for a device") {
    Tensor<float, 2> const x = normal<float>({20, 30}, 1), w = normal<float>({30, 10}, 2);
    Tensor<float, 2, Device> const dx = to<Device>(x), dw = to<Device>(w);
    Tensor<float, 2, Device> y({20, 10});
    run(tf32, assign(y, sigmoid(matmul(dx, dw))));
    CHECK(all_close(to<Host>(y), eval(sigmoid(matmul(x, w))), 0, 0));
    run(bf16, assign(y, exp(y)));
    CHECK(all_close(to<Host>(y), eval(exp(sigmoid(matmul(x, w)))), 1e-6, 0));
}

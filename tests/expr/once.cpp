// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::Tensor;

TEST_CASE("once changes no value, wherever it stands") {
    Tensor<float, 2> x({19, 45});
    x = felt::normal<float>({19, 45}, 3);
    auto const e = felt::detail::once(felt::exp(x));
    Tensor<float, 2> y = e / felt::sum<0>(e, felt::keepdims);
    Tensor<float, 2> z = felt::exp(x) / felt::sum<0>(felt::exp(x), felt::keepdims);
    CHECK(felt::all_close(y, z, 1e-6));
    Tensor<float, 2> w({19, 45});
    felt::run(felt::unfused, felt::assign(w, e / felt::sum<0>(e, felt::keepdims)));
    CHECK(felt::all_close(y, w, 1e-6));
}

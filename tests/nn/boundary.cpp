// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn/boundary.hpp>

using value = felt::nn::boundary<float, felt::Host>;

namespace {
value images() {
    value v;
    v.rank = 4, v.e = {{2, 3, 4, 5}};
    v.lie_whole();
    return v;
}
}  // namespace

TEST_CASE("images lie by pixels, and are rows of pixels") {
    value const v = images();
    CHECK(v.size() == 120);
    CHECK(v.as<4>().strides() == felt::extents<4>{{60, 1, 15, 3}});
    CHECK(v.as<2>().extents() == felt::extents<2>{{2, 60}});
    CHECK(v.as<2>().strides() == felt::extents<2>{{60, 1}});
}

TEST_CASE("what has other axes than a layer reads is an error that says so") {
    value v = images();
    v.rank = 2, v.lie_whole();
    CHECK(v.as<2>().extents() == felt::extents<2>{{2, 3}});
    CHECK_THROWS_WITH_AS((void)v.as<4>(), "nn: a layer of rank 4 after (2, 3)", felt::shape_error);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Which types of nodes are computed with their reader, and which before it.
#include "tests/device/same.hpp"

using namespace felt;
using device::is_computed_first;

namespace {

template <class N>
constexpr bool streams(N const&) {
    return !is_computed_first<fused_t, N> && !is_computed_first<tf32_t, N>;
}
template <class N>
constexpr bool streams_unfused(N const&) {
    return !is_computed_first<unfused_t, N>;
}

}  // namespace

TEST_CASE("what reads other elements than its own streams, unless it needs all of them") {
    Tensor<float, 2, Device> const x({6, 8});
    Tensor<int, 1, Device> const at({6});
    CHECK(streams(transpose(exp(x))));
    CHECK(streams(exp(x) + 1));
    CHECK(streams(flip<0>(exp(x))));
    CHECK(streams(gather<0>(x, at)));
    CHECK(streams(sum<2, 3>(windows(x, {2, 2}))));
    CHECK_FALSE(streams(sum<1>(x)));
    CHECK_FALSE(streams(sum<0, 1>(windows(x, {2, 2}))));
    CHECK_FALSE(streams(cumsum<1>(x)));
    CHECK_FALSE(streams(scatter_add<0>({6, 8}, at, x)));
    CHECK_FALSE(streams(matmul(x, transpose(x))));
}

TEST_CASE("unfused, what only moves elements of one operand has no tensor of its own") {
    Tensor<float, 2, Device> const x({6, 8});
    CHECK(streams_unfused(transpose(exp(x))));
    CHECK(streams_unfused(reshape(exp(x), {48})));
    CHECK(streams_unfused(detail::once(exp(x))));
    CHECK_FALSE(streams_unfused(exp(x)));
    CHECK_FALSE(streams_unfused(concat<0>(x, x)));
    CHECK_FALSE(streams_unfused(sum<2, 3>(windows(x, {2, 2}))));
}

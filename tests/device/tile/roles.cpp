// SPDX-License-Identifier: BSD-3-Clause
//
// Which loops are rows, columns, batch and terms.
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/roles.hpp>

using namespace felt;
using device::loop_order;

namespace {

template <class Y, class E, class F>
void roles(Y& y, E const& e, F const& check) {
    auto const s = lower(assign(y, e));
    int found = 0;
    device::for_each_product(s.expression, device::own_loops<rank_of<Y>>(),
                             [&](auto const& p, auto const& m) {
                                 ++found;
                                 check(device::roles_of(p, m, s.e, s.stride));
                             });
    CHECK(found == 1);
}

}  // namespace

TEST_CASE("a matrix product, and its transpose") {
    Tensor<float, 2, Device> a({3, 4}), b({4, 5}), y({3, 5}), z({5, 3});
    roles(y, sigmoid(matmul(a, b)) + 1, [](auto const& r) {
        CHECK(r.rows == loop_order{0});
        CHECK(r.columns == loop_order{1});
        CHECK(r.terms == loop_order{2});
        CHECK(r.batch.empty());
    });
    roles(z, transpose(matmul(a, b)), [](auto const& r) {
        CHECK(r.rows == loop_order{1});
        CHECK(r.columns == loop_order{0});
    });
}

TEST_CASE("batches are what both operands follow, or neither") {
    Tensor<float, 3, Device> a({2, 3, 4}), b({2, 4, 5}), y({2, 3, 5}), c({7, 3, 5});
    roles(y, matmul(a, b), [](auto const& r) { CHECK(r.batch == loop_order{0}); });
    Tensor<float, 2, Device> w({3, 4}), v({4, 5});
    roles(c, c + matmul(w, v), [](auto const& r) { CHECK(r.batch == loop_order{0}); });
}

TEST_CASE("convolution: rows of a tile are places, its columns filters") {
    Tensor<float, 4, Device, ChannelsLast> x({2, 3, 6, 6}), w({4, 3, 3, 3}), y({2, 4, 4, 4});
    roles(y, conv2d(x, w), [](auto const& r) {
        CHECK(r.rows == loop_order{0, 2, 3});
        CHECK(r.columns == loop_order{1});
        CHECK(device::extent_of(r.terms, r.loops) == 27);
    });
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks, whose backward passes are derived, beside those by hand.
#include "tests/examples/by_hand/compare.hpp"
#include "tests/examples/by_hand/resnet.hpp"
#include <doctest/doctest.h>
#include <resnet/training.hpp>

namespace {

using felt::index_t;

void compare_residual_networks(resnet::shape const& s) {
    index_t const n = 3;
    resnet::layers<> const l(s);
    auto running = resnet::initial_running<double>(l), other = running;
    auto theta = resnet::initial_parameters<double>(s, l, 1);
    theta += 0.1 * felt::normal<double>(theta.extents(), 2);
    felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> x({n, 3, s.side, s.side});
    x = felt::normal<double>(x.extents(), 3);
    felt::Tensor<index_t, 1> const y = felt::iota<index_t>({n});
    resnet::batch<double> const shown{felt::view(std::as_const(x)), felt::view(y), 7};
    resnet::net<double> derived(s, l, n, running);
    by_hand::residual::net<double> known(s, l, n, other);
    by_hand::compare(derived, known, theta, shown);
    CHECK(by_hand::more_bytes(derived, known, theta, shown) < 1.03);
}

}  // namespace

TEST_CASE("residual networks") {
    resnet::shape padded = resnet::cifar(8);
    padded.side = 8, padded.width = 2, padded.classes = 3;
    auto projected = padded, bottleneck = padded;
    projected.change = bottleneck.change = resnet::shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {1, 1};
    for (auto const& s : {padded, projected, bottleneck}) compare_residual_networks(s);
}

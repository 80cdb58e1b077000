// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks, whose backward passes are derived, beside those by hand.
#include "tests/examples/by_hand/block.hpp"
#include "tests/examples/by_hand/compare.hpp"
#include "tests/examples/by_hand/resnet.hpp"
#include <doctest/doctest.h>
#include <resnet/instances.hpp>
#include <resnet/training.hpp>

namespace {

using felt::index_t;

void compare_residual_networks(resnet::shape const& s) {
    index_t const n = 3;
    resnet::layers<> const l(s);
    auto other = resnet::initial_running<double>(l);
    auto theta = resnet::initial_parameters<double>(s, l, 1);
    theta += 0.1 * felt::normal<double>(theta.extents(), 2);
    felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> x({n, 3, s.side, s.side});
    x = felt::normal<double>(x.extents(), 3);
    felt::Tensor<index_t, 1> const y = felt::iota<index_t>({n});
    resnet::batch<double> const shown{felt::view(std::as_const(x)), felt::view(y), 7};
    resnet::net<double> derived(s, n);
    by_hand::residual::net<double> known(s, l, n, other);
    by_hand::compare(derived, known, theta, shown);
    auto g = theta;
    known.cost_and_gradient(felt::fused, shown, theta, g);  // as often as the derived one
    CHECK(felt::all_close(derived.running(), other, 1e-12, 1e-14));
}

// Of a list of parameters, where one that goes by other names has the same.
void check_places(felt::parameter_list const& own, felt::parameter_list const& named) {
    REQUIRE(own.entries().size() == named.entries().size());
    for (std::size_t k = 0; k < own.entries().size(); ++k) {
        auto const &a = own.entries()[k], &b = named.entries()[k];
        CAPTURE(b.name);
        CHECK(a.name.substr(a.name.rfind('.')) == b.name.substr(b.name.rfind('.')));
        CHECK(a.offset == b.offset);
        CHECK(a.extents == b.extents);
        CHECK(a.strides == b.strides);
    }
}

}  // namespace

TEST_CASE("parameters lie where torchvision's names say") {
    resnet::shape large = resnet::resnet50(), first = large, basic = resnet::cifar(8);
    large.side = first.side = 32, first.stride_first = true;
    for (auto const& s : {large, first, basic, resnet::cifar(20)}) {
        resnet::layers<> const l(s);
        auto net = resnet::network<felt::nn::net>(s);
        net.prepare({1, 3, s.side, s.side});
        check_places(net.parameters(), l.trained);
        check_places(net.statistics(), l.running);
    }
}

TEST_CASE("residual networks") {
    resnet::shape padded = resnet::cifar(8);
    padded.side = 8, padded.width = 2, padded.classes = 3;
    auto projected = padded, bottleneck = padded;
    projected.change = bottleneck.change = resnet::shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {1, 1};
    for (auto const& s : {padded, projected, bottleneck}) compare_residual_networks(s);
}

TEST_CASE("residual blocks are those by hand, running statistics too") {
    for (bool bottleneck : {false, true}) {
        for (auto e : {felt::extents<4>{{3, 4, 7, 6}}, felt::extents<4>{{1, 8, 3, 3}},
                       felt::extents<4>{{2, 5, 1, 4}}}) {
            by_hand::residual_block<double> a(e, 3, bottleneck), b(e, 3, bottleneck);
            by_hand::derived_block<double> derived(a);
            by_hand::block_by_hand<double> known(b);
            for (int step = 0; step < 2; ++step) derived.step(felt::fused), known.step(felt::fused);
            CHECK(felt::all_close(a.out, b.out, 1e-12, 1e-12));
            CHECK(felt::all_close(a.dx, b.dx, 1e-12, 1e-12));
            CHECK(felt::all_close(a.gradient, b.gradient, 1e-12, 1e-12));
            CHECK(felt::all_close(a.running, b.running, 1e-12, 1e-13));
        }
    }
}

// Where blocks are as many as in the networks that are trained: what more there is, is at changes
// of extents.
TEST_CASE("a step of a residual network moves as many bytes as by hand") {
    resnet::shape padded = resnet::cifar(20), projected, bottleneck;
    padded.side = 8, padded.width = 2, padded.classes = 3;
    projected = bottleneck = padded;
    projected.change = bottleneck.change = resnet::shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {2, 2};
    index_t const n = 3;
    for (auto const& s : {padded, projected, bottleneck}) {
        resnet::layers<> const l(s);
        auto running = resnet::initial_running<double>(l);
        auto const theta = resnet::initial_parameters<double>(s, l, 1);
        felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> const x({n, 3, s.side, s.side});
        felt::Tensor<index_t, 1> const y = felt::iota<index_t>({n});
        resnet::batch<double> const shown{felt::view(x), felt::view(y)};
        resnet::net<double> derived(s, n);
        by_hand::residual::net<double> known(s, l, n, running);
        CHECK(by_hand::more_bytes(derived, known, theta, shown) < 1.03);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
//
// A residual network's step moves at most 3 % more bytes than the one by hand, where blocks are as
// many as in the networks that are trained: what more there is, is at changes of extents. A program
// of its own, for it compiles networks for one way to run more: their plans are asked.
#include "tests/examples/by_hand/compare.hpp"
#include <felt/nn/stage.hpp>

namespace counted {

struct bytes {
    static inline double fused = 0, unfused = 0;
};
template <class... S>
void run(bytes, S const&... s) {
    run(support::count_bytes{&bytes::fused, &bytes::unfused}, s...);
}

}  // namespace counted

template <>
inline constexpr counted::bytes felt::nn::further_way<felt::Host>{};

#include "tests/examples/by_hand/resnet.hpp"
#include <resnet/training.hpp>

TEST_CASE("a step of a residual network moves as many bytes as by hand") {
    resnet::shape padded = resnet::cifar(20), projected, bottleneck;
    padded.side = 8, padded.width = 2, padded.classes = 3;
    projected = bottleneck = padded;
    projected.change = bottleneck.change = resnet::shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {2, 2};
    felt::index_t const n = 3;
    for (auto const& s : {padded, projected, bottleneck}) {
        resnet::layers<> const l(s);
        auto running = resnet::initial_running<double>(l);
        auto const theta = resnet::initial_parameters<double>(s, l, 1);
        by_hand::vector g(theta.extents());
        felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> const x({n, 3, s.side, s.side});
        felt::Tensor<felt::index_t, 1> const y = felt::iota<felt::index_t>({n});
        resnet::batch<double> const shown{felt::view(x), felt::view(y)};
        resnet::net<double> derived(s, n);
        by_hand::residual::net<double> known(s, l, n, running);
        double by_hand_bytes = 0, unfused = 0;
        counted::bytes::fused = counted::bytes::unfused = 0;
        derived.cost_and_gradient(counted::bytes{}, shown, theta, g);
        known.cost_and_gradient(support::count_bytes{&by_hand_bytes, &unfused}, shown, theta, g);
        CHECK(counted::bytes::fused < 1.03 * by_hand_bytes);
        CHECK(counted::bytes::unfused > counted::bytes::fused);
    }
}

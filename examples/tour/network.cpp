// SPDX-License-Identifier: BSD-3-Clause
//
// A network of layers, and a layer of one's own.
#include <felt/nn.hpp>
#include <felt/nn/adam.hpp>
#include "check.hpp"
#include <cstdio>

namespace nn = felt::nn;
using felt::index_t;
using felt::Tensor;

//[layer]
// Every channel times a factor that is learned.
struct scaled {
    static constexpr std::size_t rank = 4;  // reads images; 2: samples in rows

    auto operator()(auto& s, auto const& x) const {
        index_t const channels = x.extents()[1];
        return x * felt::along<1>(nn::param<"scale">(s, {channels}, nn::constant(1)));
    }
};
//[layer]

int main() {
    // Squares with one bright side, of four.
    index_t const n = 256, side = 8;
    auto const label = felt::randint({n}, 0, 4, 1);
    Tensor<index_t, 1> const y = label;
    Tensor<float, 4, felt::Host, felt::ChannelsLast> x({n, 1, side, side});
    x = felt::normal<float>(x.extents(), 2);
    for (index_t k = 0; k < n; ++k) {
        for (index_t i = 0; i < side; ++i) {
            index_t const edge = y(k) % 2 == 0 ? 0 : side - 1;
            (y(k) < 2 ? x(k, 0, edge, i) : x(k, 0, i, edge)) += 2.f;
        }
    }

    //[network]
    auto net = nn::net{} << (nn::conv{8, 3} | scaled{} | nn::relu) << nn::max_pool{2}
                         << (nn::dense{16} | nn::relu | nn::dropout{0.2}) << nn::dense{4};
    net.prepare({n, 1, side, side});
    felt::adam<float> optimiser(net.initial(7), {.rate = 0.01});
    for (std::uint64_t k = 0; k < 100; ++k) {
        optimiser.step([&](auto const& theta, auto& g) {
            return net.cost(felt::fused, x, nn::cross_entropy(felt::view(y)), theta, g, k);
        });
    }
    net.infer(felt::fused, x, optimiser.x());
    float const right = mean(felt::cast<float>(felt::argmax<1>(net.out().as<2>()) == y));
    //[network]
    std::printf("cost %.3f, %.0f %% right\n", optimiser.cost(), 100 * right);
    for (auto const& p : net.parameters().entries()) std::printf("%s  ", p.name.c_str());
    std::printf("\n");
    check(right > 0.95f, "bright sides are told from each other");
    return failures;
}

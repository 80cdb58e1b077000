// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks. (He et al., "Deep residual learning for image recognition", 2016.)
#pragma once
#include <felt/nn.hpp>

namespace networks {

namespace nn = felt::nn;
using felt::index_t;

inline auto conv_norm(index_t out, index_t k, index_t stride) {
    return nn::conv{out, k, {.stride = {stride, stride}, .padding = {k / 2, k / 2}}} | nn::norm{};
}

// On 224 x 224; the stride of a block is on its 3 x 3, as in Torch.
template <class Net = nn::net>
Net resnet50() {
    auto const block = [](index_t width, index_t stride, bool widens) {
        auto const c = conv_norm;
        auto way = Net{} << (c(width, 1, 1) | nn::relu) << (c(width, 3, stride) | nn::relu)
                         << c(4 * width, 1, 1);
        auto shortcut = widens ? Net{} << c(4 * width, 1, stride) : Net{};
        return Net{} << (nn::plus(std::move(way), std::move(shortcut)) | nn::relu);
    };
    auto net = Net{} << (conv_norm(64, 7, 2) | nn::relu) << nn::max_pool{3, 2, 1};
    index_t width = 64;
    for (int blocks : {3, 4, 6, 3}) {
        for (int k = 0; k < blocks; ++k) net << block(width, k == 0 && width > 64 ? 2 : 1, k == 0);
        width *= 2;
    }
    return std::move(net) << nn::mean_pool{} << nn::dense{1000};
}

// Of 6 n + 2 layers on 32 x 32; where channels become more, the shortcut has zeros for them.
template <class Net = nn::net>
Net resnet_cifar(int layers) {
    auto const block = [](index_t width, bool widens) {
        auto way = Net{} << (conv_norm(width, 3, widens ? 2 : 1) | nn::relu)
                         << conv_norm(width, 3, 1);
        auto shortcut = widens ? Net{} << nn::thinned{2, width} : Net{};
        return Net{} << (nn::plus(std::move(way), std::move(shortcut)) | nn::relu);
    };
    auto net = Net{} << (conv_norm(16, 3, 1) | nn::relu);
    for (index_t width : {16, 32, 64})
        for (int k = 0; k < (layers - 2) / 6; ++k) net << block(width, k == 0 && width > 16);
    return std::move(net) << nn::mean_pool{} << nn::dense{10};
}

}  // namespace networks

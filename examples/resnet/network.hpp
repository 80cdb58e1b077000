// SPDX-License-Identifier: BSD-3-Clause
//
// The network of layers that a table stands for.
#pragma once
#include <felt/nn.hpp>
#include <resnet/shape.hpp>

namespace resnet {

namespace nn = felt::nn;

inline auto conv_norm(index_t out, index_t k, index_t stride) {
    return nn::conv{out, k, {.stride = {stride, stride}, .padding = {k / 2, k / 2}}} | nn::norm{};
}

// Of so many channels `from`.
//[block]
template <class Net>
Net block(shape const& s, index_t from, index_t width, index_t stride) {
    index_t const to = width * s.expansion();
    auto const c = conv_norm;
    auto way = s.bottleneck ? Net{} << (c(width, 1, s.stride_first ? stride : 1) | nn::relu)
                                    << (c(width, 3, s.stride_first ? 1 : stride) | nn::relu)
                                    << c(to, 1, 1)
                            : Net{} << (c(width, 3, stride) | nn::relu) << c(width, 3, 1);
    bool const changes = stride > 1 || from != to;
    if (changes && s.change == shortcut::padded)
        return Net{} << (nn::plus(std::move(way), nn::thinned{stride, to}) | nn::relu);
    auto round = changes ? Net{} << c(to, 1, 1) : Net{};
    return Net{} << (nn::plus(std::move(way), std::move(round), stride) | nn::relu);
}
//[block]

template <class Net = nn::net>
Net network(shape const& s) {
    Net net;
    if (s.large_images) net << (conv_norm(s.width, 7, 2) | nn::relu) << nn::max_pool{3, 2, 1};
    else net << (conv_norm(s.width, 3, 1) | nn::relu);
    index_t from = s.width, width = s.width;
    for (std::size_t stage = 0; stage < s.blocks.size(); ++stage, width *= 2) {
        for (index_t k = 0; k < s.blocks[stage]; ++k) {
            net << block<Net>(s, from, width, stage > 0 && k == 0 ? 2 : 1);
            from = width * s.expansion();
        }
    }
    return std::move(net) << nn::mean_pool{} << nn::dense{s.classes};
}

}  // namespace resnet

// SPDX-License-Identifier: BSD-3-Clause
//
// Where the parameters of a residual network lie, under torchvision's names: as network() has them.
#pragma once
#include <felt/nn/parameters.hpp>
#include <resnet/shape.hpp>
#include <string>

namespace resnet {

// Of a convolution and its normalisation: filters (o, c, k, k), gamma and beta in the vector of
// what is trained, the running mean and variance in that of what is not.
template <class Layout = felt::ChannelsLast>
struct conv_norm_layer {
    felt::parameter<4, Layout> w;
    felt::parameter<4> gamma, beta, mean, variance;  // (1, o, 1, 1)
    felt::conv_options options;

    // Named as PyTorch's modules are: conv + ".weight", norm + ".weight", ".bias", ..
    static conv_norm_layer add(felt::parameter_list& trained, felt::parameter_list& running,
                               std::string const& conv, std::string const& norm,
                               felt::extents<4> const& e, felt::conv_options const& o) {
        auto const w = trained.add<Layout>(conv + ".weight", {e[0], e[1], e[2], e[3]});
        auto const of_channels = [&](felt::parameter_list& list, char const* name) {
            return felt::parameter<4>{list.add(norm + name, {e[0]}).offset, {{1, e[0], 1, 1}}};
        };
        auto const gamma = of_channels(trained, ".weight"), beta = of_channels(trained, ".bias");
        auto const mean = of_channels(running, ".running_mean");
        return {w, gamma, beta, mean, of_channels(running, ".running_var"), o};
    }

    felt::extents<4> results(felt::extents<4> const& x) const {
        felt::extents<4> y{{x[0], w.e[0]}};
        for (std::size_t a = 2; a < 4; ++a) {
            index_t const reach = options.dilation[a - 2].value * (w.e[a] - 1) + 1;
            y[a] = (x[a] + 2 * options.padding[a - 2].value - reach) / options.stride[a - 2].value;
            ++y[a];
        }
        return y;
    }
};

template <class Layout>
struct block_layers {
    std::vector<conv_norm_layer<Layout>> units, projection;  // projection: one or none
    index_t stride = 1;
};

template <class Layout = felt::ChannelsLast>
struct layers {
    felt::parameter_list trained, running;
    conv_norm_layer<Layout> stem;
    std::vector<block_layers<Layout>> blocks;
    felt::parameter<2> w;  // (classes, features)
    felt::parameter<1> b;

    explicit layers(shape const& s);

private:
    conv_norm_layer<Layout> unit(std::string const& conv, std::string const& norm, index_t from,
                                 index_t to, index_t k, index_t stride) {
        felt::conv_options const o{.stride = {stride, stride},
                                   .padding = {(k - 1) / 2, (k - 1) / 2}};
        return conv_norm_layer<Layout>::add(trained, running, conv, norm, {{to, from, k, k}}, o);
    }
    block_layers<Layout> block(shape const& s, std::string const& name, index_t from, index_t width,
                               index_t stride);
};

template <class Layout>
block_layers<Layout> layers<Layout>::block(shape const& s, std::string const& name, index_t from,
                                           index_t width, index_t stride) {
    block_layers<Layout> made;
    made.stride = stride;
    auto const add = [&](index_t in, index_t out, index_t k, index_t by) {
        std::string const number = std::to_string(made.units.size() + 1);
        made.units.push_back(unit(name + "conv" + number, name + "bn" + number, in, out, k, by));
    };
    if (s.bottleneck) {
        add(from, width, 1, s.stride_first ? stride : 1);
        add(width, width, 3, s.stride_first ? 1 : stride);
        add(width, 4 * width, 1, 1);
    } else {
        add(from, width, 3, stride);
        add(width, width, 3, 1);
    }
    index_t const to = width * s.expansion();
    if ((stride != 1 || from != to) && s.change == shortcut::projected) {
        made.projection.push_back(
            unit(name + "downsample.0", name + "downsample.1", from, to, 1, stride));
    }
    return made;
}

template <class Layout>
layers<Layout>::layers(shape const& s)
    : stem(s.large_images ? unit("conv1", "bn1", 3, s.width, 7, 2)
                          : unit("conv1", "bn1", 3, s.width, 3, 1)) {
    index_t from = s.width, width = s.width;
    for (std::size_t stage = 0; stage < s.blocks.size(); ++stage, width *= 2) {
        for (index_t k = 0; k < s.blocks[stage]; ++k) {
            std::string const name =
                "layer" + std::to_string(stage + 1) + "." + std::to_string(k) + ".";
            blocks.push_back(block(s, name, from, width, stage > 0 && k == 0 ? 2 : 1));
            from = width * s.expansion();
        }
    }
    w = trained.add("fc.weight", {s.classes, from});
    b = trained.add("fc.bias", {s.classes});
}

}  // namespace resnet

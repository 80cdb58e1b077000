// SPDX-License-Identifier: BSD-3-Clause
//
// Where the parameters of a residual network lie, under torchvision's names: as network() has them.
#pragma once
#include <felt/nn/conv_norm.hpp>
#include <resnet/shape.hpp>
#include <string>

namespace resnet {

template <class Layout>
struct block_layers {
    std::vector<felt::conv_norm_layer<Layout>> units, projection;  // projection: one or none
    index_t stride = 1;
};

template <class Layout = felt::ChannelsLast>
struct layers {
    felt::parameter_list trained, running;
    felt::conv_norm_layer<Layout> stem;
    std::vector<block_layers<Layout>> blocks;
    felt::parameter<2> w;  // (classes, features)
    felt::parameter<1> b;

    explicit layers(shape const& s);

private:
    felt::conv_norm_layer<Layout> unit(std::string const& conv, std::string const& norm,
                                       index_t from, index_t to, index_t k, index_t stride) {
        felt::conv_options const o{.stride = {stride, stride},
                                   .padding = {(k - 1) / 2, (k - 1) / 2}};
        return felt::conv_norm_layer<Layout>::add(trained, running, conv, norm, {{to, from, k, k}},
                                                  o);
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

// x at every stride-th pixel.
template <class X>
auto strided(X const& x, index_t stride) {
    return slice(x, felt::all(), felt::all(), felt::range(0, x.extents()[2], stride),
                 felt::range(0, x.extents()[3], stride));
}

// That, and zeros for the channels that x has not: a shortcut without parameters.
template <class X>
auto padded(X const& x, index_t stride, index_t channels) {
    return pad(strided(x, stride), {{0, 0}, {0, channels - x.extents()[1]}, {0, 0}, {0, 0}},
               felt::value_of<X>(0));
}

}  // namespace resnet

// SPDX-License-Identifier: BSD-3-Clause
//
// ResNet-50 for resnet_inference.cu and resnet_training.cu: parameters and images of 224 x 224,
// N H W C. Nothing plain computes it in double in the time that there is: right is what the same
// statements give unfused, in float.
#pragma once
#include "timing.hpp"
#include <felt/nn/initial.hpp>
#include <resnet/shape.hpp>

namespace bench {

using felt::Device;
using vector = tensor<float, 1>;

inline resnet::shape small_network() {
    return {.side = 32, .classes = 5, .width = 4, .blocks = {1, 1}};
}

struct network {
    resnet::shape shape;
    resnet::layers<> layers{shape};
    felt::Tensor<float, 4, Device, felt::ChannelsLast> x;
    tensor<index_t, 1> labels;
    vector theta{felt::extents<1>{{layers.trained.size()}}};
    vector running{felt::extents<1>{{layers.running.size()}}};

    network(resnet::shape const& s, index_t images)
        : shape(s), x({images, 3, s.side, s.side}), labels({images}) {
        x = felt::normal<float>(x.extents(), 1);
        labels = felt::iota<index_t>({images});  // there are more classes
        start(layers.stem);
        for (auto const& b : layers.blocks) {
            for (auto const& l : b.units) start(l);
            for (auto const& l : b.projection) start(l);
        }
        auto w = layers.w.in(theta);
        w = felt::glorot_uniform<float>(w.extents(), w.extent(1), w.extent(0), 2);
    }
    void start(resnet::conv_norm_layer<> const& l) {
        auto w = l.w.in(theta), gamma = l.gamma.in(theta), variance = l.variance.in(running);
        auto const seed = static_cast<std::uint64_t>(l.w.offset);
        w = felt::he_normal<float>(w.extents(), felt::fan_out(w.extents()), seed);
        gamma = 1.f;
        variance = 1.f;
    }
    double images() const { return static_cast<double>(labels.size()); }
};

// The distance of y from `right`, by its size.
template <class Y>
double apart(Y const& y, Y const& right) {
    float const difference = felt::sum(square(y - right)), size = felt::sum(square(right));
    return std::sqrt(double(difference) / double(size));
}

template <class Network>
void measure(options const& o, char const* what, resnet::shape const& s, index_t images,
             double allowed, double in_tf32) {
    Network n(s, images);
    auto const error = [&] { return n.error(); };
    contest(o, what + std::to_string(images), {1e9 * n.images(), "images/s"},
            {{"felt", [&] { n.run(felt::fused); }, error, allowed},
             {"felt-tf32", [&] { n.run(felt::tf32); }, error, in_tf32},
             {"unfused", [&] { n.run(felt::unfused); }, error, allowed}});
}

}  // namespace bench

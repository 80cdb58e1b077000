// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutional networks of the suites, as scores of classes: the softmax belongs to the cost.
#pragma once
#include <felt/nn.hpp>
#include <array>

namespace networks {

namespace nn = felt::nn;
using felt::index_t;

// k x k filters, and a relu.
inline auto conv_relu(index_t out, index_t k, index_t stride, index_t padding) {
    return nn::conv{out, k, {.stride = {stride, stride}, .padding = {padding, padding}}} | nn::relu;
}
inline auto dense_relu(index_t out) { return nn::dense{out} | nn::relu; }

// On 224 x 224. (Krizhevsky, "One weird trick for parallelizing convolutional neural networks",
// 2014.)
//[alexnet]
template <class Net = nn::net>
Net alexnet() {
    auto const c = conv_relu;
    nn::max_pool const pool{3, 2};
    return Net{} << c(64, 11, 4, 2) << pool << c(192, 5, 1, 2) << pool << c(384, 3, 1, 1)
                 << c(256, 3, 1, 1) << c(256, 3, 1, 1) << pool << dense_relu(4096)
                 << dense_relu(4096) << nn::dense{1000};
}
//[alexnet]
// Convolutions and pools of the others by their filters, and what is padded before the first.
template <class Net>
Net alexnet_filters(std::array<index_t, 5> const& n, index_t padding, nn::max_pool const& first,
                    nn::max_pool const& pool) {
    auto const c = conv_relu;
    return Net{} << c(n[0], 11, 4, padding) << first << c(n[1], 5, 1, 2) << pool << c(n[2], 3, 1, 1)
                 << c(n[3], 3, 1, 1) << c(n[4], 3, 1, 1) << pool;
}
// convnet-benchmarks' for TensorFlow, on 227 x 227 without padding: sides are the same from there
// on. The scores are rectified, too.
template <class Net = nn::net>
Net alexnet_227() {
    return alexnet_filters<Net>({64, 192, 384, 256, 256}, 0, {3, 2}, {3, 2})
           << dense_relu(4096) << dense_relu(4096) << dense_relu(1000);
}
// dlbench's, "s" for synthetic images. As it has it for Torch.
inline constexpr std::array<index_t, 5> alexnet_s_filters = {96, 256, 384, 384, 256};
template <class Net = nn::net>
Net alexnet_s() {
    return alexnet_filters<Net>(alexnet_s_filters, 2, {3, 2}, {3, 2})
           << dense_relu(4096) << dense_relu(4096) << nn::dense{1000};
}
// For TensorFlow, "SAME": sides are ceil(side / stride), those of pools too, 56, 28, 14 and 7.
// (What is odd of a padding it has behind an image; here windows begin a pixel earlier.) The scores
// are rectified.
template <class Net = nn::net>
Net alexnet_s_same() {
    return alexnet_filters<Net>(alexnet_s_filters, 4, {3, 2, 1}, {3, 2, 1})
           << dense_relu(4096) << dense_relu(4096) << dense_relu(1000);
}
// For Caffe: no padding first, 54; its pools round up, 27, 13 and 6; dropout.
template <class Net = nn::net>
Net alexnet_s_caffe() {
    auto const d = [] { return dense_relu(4096) | nn::dropout{0.5}; };
    return alexnet_filters<Net>(alexnet_s_filters, 0, {3, 2, 1}, {3, 2})
           << d() << d() << nn::dense{1000};
}
// Of CIFAR-10, as cuda-convnet's layers-18pct without normalisation.
template <class Net = nn::net>
Net alexnet_r() {
    auto const c = [](index_t out) { return conv_relu(out, 5, 1, 2); };
    return Net{} << c(32) << nn::max_pool{3, 2} << c(32) << nn::max_pool{3, 2} << c(64)
                 << nn::avg_pool{3, 2} << nn::dense{10};
}

// VGG on 224 x 224 by its columns: A has 1, 1, 2, 2, 2 convolutions between pools. (Simonyan and
// Zisserman, "Very deep convolutional networks for large-scale image recognition", 2014.)
template <class Net = nn::net>
Net vgg(std::initializer_list<int> convolutions) {
    Net net;
    index_t channels = 64;
    for (int n : convolutions) {
        for (int k = 0; k < n; ++k) net << conv_relu(channels, 3, 1, 1);
        net << nn::max_pool{};
        channels = std::min<index_t>(2 * channels, 512);
    }
    return std::move(net) << dense_relu(4096) << dense_relu(4096) << nn::dense{1000};
}
template <class Net = nn::net>
Net vgg_a() {
    return vgg<Net>({1, 1, 2, 2, 2});
}
template <class Net = nn::net>
Net vgg16() {
    return vgg<Net>({2, 2, 3, 3, 3});
}
template <class Net = nn::net>
Net vgg19() {
    return vgg<Net>({2, 2, 4, 4, 4});
}

// The fast one, on 231 x 231. (Sermanet et al., "OverFeat", 2013.)
template <class Net = nn::net>
Net overfeat() {
    auto const c = conv_relu;
    return Net{} << c(96, 11, 4, 0) << nn::max_pool{} << c(256, 5, 1, 0) << nn::max_pool{}
                 << c(512, 3, 1, 1) << c(1024, 3, 1, 1) << c(1024, 3, 1, 1) << nn::max_pool{}
                 << dense_relu(3072) << dense_relu(4096) << nn::dense{1000};
}

// GoogLeNet v1 on 224 x 224, without its auxiliary heads. (Szegedy et al., "Going deeper with
// convolutions", 2014.)
//[inception]
template <class Net>
Net inception(index_t a, index_t b0, index_t b, index_t d0, index_t d, index_t e) {
    auto const c = [](index_t out, index_t k) { return conv_relu(out, k, 1, k / 2); };
    return nn::beside(Net{} << c(a, 1), Net{} << c(b0, 1) << c(b, 3), Net{} << c(d0, 1) << c(d, 5),
                      Net{} << nn::max_pool{3, 1, 1} << c(e, 1));
}
//[inception]
template <class Net = nn::net>
Net googlenet() {
    nn::max_pool const pool{3, 2, 1};
    auto const i = inception<Net>;
    return Net{} << conv_relu(64, 7, 2, 3) << pool << conv_relu(64, 1, 1, 0)
                 << conv_relu(192, 3, 1, 1) << pool << i(64, 96, 128, 16, 32, 32)
                 << i(128, 128, 192, 32, 96, 64) << pool << i(192, 96, 208, 16, 48, 64)
                 << i(160, 112, 224, 24, 64, 64) << i(128, 128, 256, 24, 64, 64)
                 << i(112, 144, 288, 32, 64, 64) << i(256, 160, 320, 32, 128, 128) << pool
                 << i(256, 160, 320, 32, 128, 128) << i(384, 192, 384, 48, 128, 128)
                 << nn::mean_pool{} << nn::dense{1000};
}

// ---- of 28 x 28 ----

// The study's: sigmoid, mean pool.
template <class Net = nn::net>
Net study() {
    return Net{} << (nn::conv{20, 9} | nn::sigmoid | nn::avg_pool{}) << nn::dense{10};
}
// The trial network of "Hardware and Software for Deep Learning".
template <class Net = nn::net>
Net trial() {
    auto const c = [](index_t out) { return conv_relu(out, 5, 1, 2); };
    return Net{} << c(32) << nn::max_pool{} << c(64) << nn::max_pool{}
                 << (nn::dense{1024} | nn::relu | nn::dropout{0.5}) << nn::dense{10};
}
// Keras' mnist_cnn, of 32 and 32 filters: 128 features, and scores of ten classes.
template <class Net = nn::net>
Net keras_features() {
    return Net{} << conv_relu(32, 3, 1, 0) << conv_relu(32, 3, 1, 0)
                 << (nn::max_pool{} | nn::dropout{0.25})
                 << (nn::dense{128} | nn::relu | nn::dropout{0.5});
}
template <class Net = nn::net>
Net keras_cnn() {
    return keras_features<Net>() << nn::dense{10};
}
// One of Caffe's convolutions and its pool.
template <class Net = nn::net>
Net caffe_conv() {
    return Net{} << nn::conv{20, 5, {}, nn::glorot} << nn::max_pool{} << nn::dense{10};
}

}  // namespace networks

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <networks/convolutional.hpp>
#include <networks/dense.hpp>
#include <networks/recurrent.hpp>
#include <networks/residual.hpp>

using felt::index_t;
using felt::nn::net;

namespace {

template <std::size_t R>
index_t parameters(net&& n, felt::extent_arg const (&one)[R]) {
    n.prepare(one);
    return n.parameters().size();
}

}  // namespace

// Published, or the sum over published layers.
TEST_CASE("networks of the suites have as many parameters as they say") {
    CHECK(parameters(networks::fcn(3), {1, 26752}) == 117997696);
    CHECK(parameters(networks::fcn(6), {1, 26752}) == 130586752);
    CHECK(parameters(networks::fcn5_r(), {1, 784}) == 14205962);
    CHECK(parameters(networks::softmax_regression(), {1, 784}) == 7850);
    CHECK(parameters(networks::keras_dense(), {1, 100}) == 7114);
    CHECK(parameters(networks::yacht(), {1, 6}) == 65);
    CHECK(parameters(networks::p1b1(), {1, 60483}) == 244400085);
    CHECK(parameters(networks::alexnet(), {1, 3, 224, 224}) == 61100840);
    CHECK(parameters(networks::alexnet_s(), {1, 3, 224, 224}) == 62378344);
    CHECK(parameters(networks::alexnet_r(), {1, 3, 32, 32}) == 85098);
    CHECK(parameters(networks::vgg_a(), {1, 3, 224, 224}) == 132863336);
    CHECK(parameters(networks::vgg16(), {1, 3, 224, 224}) == 138357544);
    CHECK(parameters(networks::vgg19(), {1, 3, 224, 224}) == 143667240);
    CHECK(parameters(networks::overfeat(), {1, 3, 231, 231}) == 145920872);
    CHECK(parameters(networks::googlenet(), {1, 3, 224, 224}) == 6998552);
    CHECK(parameters(networks::resnet50(), {1, 3, 224, 224}) == 25557032);
    CHECK(parameters(networks::resnet_cifar(20), {1, 3, 32, 32}) == 269722);
    CHECK(parameters(networks::resnet_cifar(56), {1, 3, 32, 32}) == 853018);
    CHECK(parameters(networks::words(), {32, 1}) == 6180624);
    CHECK(parameters(networks::basic_lstm(1024), {2, 1, 1024}) == 8392704);
    CHECK(parameters(networks::basic_rnn(1024), {2, 1, 1024}) == 2098176);
    CHECK(parameters(networks::study(), {1, 1, 28, 28}) == 21650);
    CHECK(parameters(networks::trial(), {1, 1, 28, 28}) == 3274634);
    CHECK(parameters(networks::keras_cnn(), {1, 1, 28, 28}) == 600810);
    CHECK(parameters(networks::caffe_conv(), {1, 1, 28, 28}) == 520 + 28810);
}

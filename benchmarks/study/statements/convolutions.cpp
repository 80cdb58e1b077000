// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions, activated and pooled: of digits, whose one channel leaves few operations for each
// byte, and of 64 channels, where products bind.
#include "../../table_peers.hpp"
#include "../statement.hpp"

namespace {

using namespace bench;

study::statement const digits{
    "digits",
    "avg_pool2d(sigmoid(conv2d(x, w))), 28 x 28, 20 filters of 9 x 9",
    "images",
    {1, 16, 256, 1024},
    [](study::trial& t, index_t n) {
        auto const x = random({n, 1, 28, 28}), w = random({20, 1, 9, 9}, 2);
        t.measure(
            felt::avg_pool2d(sigmoid(felt::conv2d(x, w))),
            pooled_convolution({"", n, 1, 28, 20, 9, 1, 0}, onednn::order::nchw, x.data(), w.data(),
                               onednn::after::logistic, onednn::pool::mean, {2, 2}));
    }};

study::statement const channels{
    "channels",
    "max_pool2d(relu(conv2d(x, w))), 28 x 28 x 64, 64 filters of 3 x 3",
    "images",
    {1, 4, 16},
    [](study::trial& t, index_t n) {
        felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x({n, 64, 28, 28}),
            w({64, 64, 3, 3});
        x = felt::normal<float>(x.extents(), 1), w = felt::normal<float>(w.extents(), 2);
        auto const conv = felt::conv2d(x, w, {.padding = {1, 1}});
        t.measure(felt::permute<0, 2, 3, 1>(felt::max_pool2d(relu(conv))),
                  pooled_convolution({"", n, 64, 28, 64, 3, 1, 1}, onednn::order::nhwc, x.data(),
                                     w.data(), onednn::after::relu, onednn::pool::max, {2, 2}));
    }};

}  // namespace

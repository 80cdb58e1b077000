// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions and their gradients as implicit products: windows are never written.
#include "tests/device/tile/emulated.hpp"

using namespace felt;
using test::check_tiles;

namespace {

template <class Layout>
void convolutions(conv_options const& o, index_t groups) {
    Tensor<float, 4, Device, Layout> x({2, 4, 9, 7}), w({6, 4 / groups, 3, 2});
    x = normal<float>(x.extents(), 1), w = normal<float>(w.extents(), 2);
    check_tiles(sigmoid(conv2d(x, w, o)));
    check_tiles(conv2d(x * 2 + 1, w, o));  // the border is 0, not 1
    Tensor<float, 4, Device, Layout> dy(eval(conv2d(x, w, o)).extents());
    dy = normal<float>(dy.extents(), 3);
    check_tiles(conv2d_input_grad(dy, w, x.extents(), o));
    check_tiles(conv2d_weight_grad(x, dy, w.extents(), o));
}

}  // namespace

TEST_CASE("strides, padding, dilation and groups, in both layouts") {
    for (index_t stride : {1, 2}) {
        for (index_t padding : {0, 1}) {
            for (index_t groups : {1, 2}) {
                CAPTURE(stride);
                CAPTURE(padding);
                CAPTURE(groups);
                conv_options const o{{stride, 1}, {padding, 1}, {1, stride}, groups};
                convolutions<RowMajor>(o, groups);
                convolutions<ChannelsLast>(o, groups);
            }
        }
    }
}

TEST_CASE("packets of channels") {
    Tensor<float, 4, Device, ChannelsLast> x({1, 8, 6, 6}), w({5, 8, 3, 3});
    x = normal<float>(x.extents(), 1), w = normal<float>(w.extents(), 2);
    check_tiles(relu(conv2d(x, w, {{1, 1}, {1, 1}})));
}

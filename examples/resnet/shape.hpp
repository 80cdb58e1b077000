// SPDX-License-Identifier: BSD-3-Clause
//
// Residual networks as tables: how wide, how deep, where the stride is. (He et al., "Deep residual
// learning for image recognition", 2016.)
#pragma once
#include <felt/core/extents.hpp>
#include <vector>

namespace resnet {

using felt::index_t;

// What a block adds to its input where extents change: a convolution of 1 x 1 (option B of the
// paper), or every second pixel and channels of zeros (option A), which has no parameters.
enum class shortcut { projected, padded };

struct shape {
    index_t side = 224, classes = 1000;
    index_t width = 64;  // channels of the first stage; each next has twice them
    std::vector<index_t> blocks = {3, 4, 6, 3};  // of each stage
    bool bottleneck = true;     // 1x1, 3x3, 1x1 and 4 times the channels; or 3x3, 3x3
    bool stride_first = false;  // the stride of a bottleneck is on its first 1x1
    bool large_images = true;   // begins with 7x7 / 2 and a maximum pool; or with 3x3
    shortcut change = shortcut::projected;

    index_t expansion() const { return bottleneck ? 4 : 1; }
    index_t features() const { return width * expansion() << (blocks.size() - 1); }
};

// 25,557,032 parameters. Stride on the 3x3, as in Torch, CNTK and torchvision.
inline shape resnet50() { return {}; }

// Of 6 n + 2 layers, n blocks in each of three stages, for CIFAR-10: 20, 56.
inline shape cifar(index_t layers) {
    index_t const n = (layers - 2) / 6;
    return {32, 10, 16, {n, n, n}, false, false, false, shortcut::padded};
}

}  // namespace resnet

// SPDX-License-Identifier: BSD-3-Clause
//
// What a run learns from, and is tested on.
#pragma once
#include <resnet/pictures.hpp>
#include <resnet/setting.hpp>
#include <memory>

namespace resnet {

struct data {
    std::unique_ptr<pictures> train, test;
};

// CIFAR-10, photographs (--images) or generated shapes. The setting is told what they are like.
data load(job const& j, setting& s);

}  // namespace resnet

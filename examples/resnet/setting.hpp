// SPDX-License-Identifier: BSD-3-Clause
//
// How a network is trained: stochastic gradient descent with momentum 0.9 and a decay of 1e-4, at a
// rate that falls to a tenth after half of the epochs and again after three quarters. (He et al.,
// "Deep residual learning for image recognition", 2016.)
#pragma once
#include <felt/nn/schedule.hpp>
#include <felt/nn/sgd.hpp>
#include <resnet/job.hpp>
#include <resnet/shape.hpp>
#include <support/state.hpp>

namespace resnet {

struct setting {
    index_t layers = 20, width = 16;
    index_t batch = 128, epochs = 30, iterations = 0;  // iterations: 0, or where it ends before
    double rate = 0.1;
    std::string schedule = "steps", batch_norm = "synchronised";
    index_t side = 32, classes = 10;
    bool large = false, stride_first = false;  // large: ResNet-50, and `layers` is not used

    std::string name() const { return "ResNet-" + std::to_string(large ? 50 : layers); }
};

inline shape shape_of(setting const& s) {
    shape of = s.large ? resnet50() : cifar(s.layers);
    of.side = s.side, of.classes = s.classes, of.width = s.width;
    of.stride_first = s.stride_first;
    return of;
}

// The ranks of 32 images that a batch is worth, whoever computes it: what a rate for a batch of any
// size grows with.
inline int workers(index_t batch) { return static_cast<int>(std::max<index_t>(1, batch / 32)); }

// For step `iteration` = 0, 1, ... of a run with `per_epoch` steps in each epoch.
inline felt::sgd_options options_at(setting const& s, index_t iteration, index_t per_epoch) {
    auto const epochs = static_cast<double>(s.epochs);
    felt::rate_schedule r;
    r.steps = per_epoch;
    bool const large = s.schedule == "imagenet", warms = s.schedule == "warm-up";
    if (large) r.ranks = workers(s.batch);
    else r.drops = {{0.5 * epochs, 0.1}, {0.75 * epochs, 0.01}};
    if (!large) r.warm_epochs = warms ? 1 : 0, r.ranks = warms ? 10 : 1;  // ten of a tenth
    r.base = s.rate / r.ranks;
    return {
        .rate = r.rate(iteration), .momentum = 0.9 * r.correction(iteration), .weight_decay = 1e-4};
}

// ResNet-50 as in the Keras and Horovod example for ImageNet: a rate of 0.0125 for every 32 images.
// (An L2 penalty of 5e-5 is a decay of 1e-4.)
inline setting large_setting(index_t batch) {
    setting s;
    s.width = 64, s.side = 224, s.large = true;
    s.batch = batch, s.epochs = 90, s.rate = 0.0125 * workers(batch), s.schedule = "imagenet";
    return s;
}

// What the command line asks for, over what was saved, over the usual.
inline setting chosen(job const& j, setting const& saved) {
    setting s = saved;
    if (j.brief) s.layers = 8, s.batch = 50, s.epochs = 3;
    if (!j.images.empty() && j.resume.empty()) {
        s = large_setting(j.batch > 0 ? j.batch : 32 * j.ranks->size());
    }
    support::lay_over(j, "--side", j.side, s.side);
    support::lay_over(j, "--stride-first", j.stride_first, j.stride_first, s.stride_first);
    support::lay_over(j, "--layers", j.layers, s.layers);
    support::lay_over(j, "--width", j.width, s.width);
    support::lay_over(j, "--batch", j.batch, s.batch);
    support::lay_over(j, "--rate", j.rate, s.rate);
    support::lay_over(j, "--schedule", j.schedule, s.schedule);
    support::lay_over(j, "--batch-norm", j.batch_norm, s.batch_norm);
    if (j.epochs > 0) s.epochs = j.epochs;
    s.iterations = j.iterations;
    return s;
}

}  // namespace resnet

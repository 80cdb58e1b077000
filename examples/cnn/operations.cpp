// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, operation by operation.
#include <cnn/operations.hpp>
#include <felt/nn/parameters.hpp>

namespace cnn {

void study_operations::step(support::profile& times, batch<float> const& b, vector const& theta,
                            vector& gradient) {
    index_t const f = shape_.filters, n = shape_.filter, k = shape_.pool, to = shape_.pooled();
    felt::parameter_list list;
    auto const at_Wc = list.add<felt::ChannelsLast>("0.weight", {f, 1, n, n});
    auto const at_bc = list.add("0.bias", {f});
    auto const at_Wd = list.add<felt::ChannelsLast>("3.weight", {shape_.classes, f, to, to});
    auto const at_bd = list.add("3.bias", {shape_.classes});
    auto const Wc = at_Wc.in(theta), Wd = at_Wd.in(theta);
    auto const bc = at_bc.in(theta), bd = at_bd.in(theta);
    auto const m = static_cast<float>(b.whole());
    auto const hit = felt::one_hot<float>(b.y, shape_.classes);
    auto const timed = [&](char const* name, auto const&... s) {
        times.time(name, [&] { run(felt::unfused, s...); });
    };
    timed("filter_convolve", assign(a_, sigmoid(conv2d(b.x, Wc) + felt::along<1>(bc))));
    timed("pool", assign(h_, avg_pool2d(a_, {.window = {k, k}})));
    timed("softmax", assign(p_, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(h_, Wd) + bd)));
    timed("other", assign(slice(cost_, 0), sum(log(felt::sum<1>(p_ * hit))) * (-1 / m)),
          assign(d_, (p_ - hit) / m), assign(at_bd.in(gradient), felt::sum<0>(d_)),
          assign(at_Wd.in(gradient), felt::einsum<"no,nchw->ochw">(d_, h_)),
          assign(dh_, felt::einsum<"no,ochw->nchw">(d_, Wd)));
    timed("upsample", assign(up_, upsample(dh_, {k, k})));
    timed("other", assign(dz_, up_ * (1 / static_cast<float>(k * k)) * a_ * (1 - a_)),
          assign(at_bc.in(gradient), felt::sum<0, 2, 3>(dz_)));
    timed("grad_convolve", assign(at_Wc.in(gradient), conv2d_weight_grad(b.x, dz_, Wc.extents())));
}

}  // namespace cnn

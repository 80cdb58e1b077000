// SPDX-License-Identifier: BSD-3-Clause
//
// A training step of the study's network as the study wrote it: one operation after the other,
// each result a tensor of its own, timed by the study's names.
#pragma once
#include <cnn/study.hpp>
#include <support/profile.hpp>

namespace cnn {

template <class T, class Space = felt::Host, class Layout = felt::RowMajor>
class study_operations {
public:
    using net = study<T, Space, Layout>;
    using images = typename net::images;
    using vector = typename net::vector;

    study_operations(study_shape const& s, index_t batch)
        : shape_(s),
          a_({batch, s.filters, s.features(), s.features()}),
          up_(a_.extents()),
          dz_(a_.extents()),
          h_({batch, s.filters, s.pooled(), s.pooled()}),
          dh_(h_.extents()),
          p_({batch, s.classes}),
          d_(p_.extents()),
          cost_({1}) {}

    // The gradient at theta is written.
    void step(support::profile& times, batch<T, Space> const& b, vector const& theta,
              vector& gradient);

private:
    study_shape shape_;
    images a_, up_, dz_, h_, dh_;
    felt::Tensor<T, 2, Space> p_, d_;
    vector cost_;
};

template <class T, class Space, class Layout>
void study_operations<T, Space, Layout>::step(support::profile& times, batch<T, Space> const& b,
                                              vector const& theta, vector& gradient) {
    auto const [Wc, Wd, bc, bd] = net::parts_of(theta.data(), shape_);
    auto const g = net::parts_of(gradient.data(), shape_);
    index_t const k = shape_.pool;
    auto const m = static_cast<T>(b.whole());
    auto const hit = felt::one_hot<T>(b.y, shape_.classes);
    auto const timed = [&](char const* name, auto const&... s) {
        times.time(name, [&] { run(felt::unfused, s...); });
    };
    timed("filter_convolve", assign(a_, sigmoid(conv2d(b.x, Wc) + felt::along<1>(bc))));
    timed("pool", assign(h_, avg_pool2d(a_, {.window = {k, k}})));
    timed("softmax", assign(p_, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(h_, Wd) + bd)));
    timed("other", assign(slice(cost_, 0), sum(log(felt::sum<1>(p_ * hit))) * (-1 / m)),
          assign(d_, (p_ - hit) / m), assign(g.bd, felt::sum<0>(d_)),
          assign(g.Wd, felt::einsum<"no,nchw->ochw">(d_, h_)),
          assign(dh_, felt::einsum<"no,ochw->nchw">(d_, Wd)));
    timed("upsample", assign(up_, upsample(dh_, {k, k})));
    timed("other", assign(dz_, up_ * (1 / static_cast<T>(k * k)) * a_ * (1 - a_)),
          assign(g.bc, felt::sum<0, 2, 3>(dz_)));
    timed("grad_convolve", assign(g.Wc, conv2d_weight_grad(b.x, dz_, Wc.extents())));
}

}  // namespace cnn

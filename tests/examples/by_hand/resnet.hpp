// SPDX-License-Identifier: BSD-3-Clause
//
// A residual network in training. On m images with labels:
//
//   h = mean over pixels of the last block's output,  p = softmax(h W' + b)
//   J = mean of -log p[label],  d = (p - one_hot(label)) / m,  dW = d' h,  db = sum d,  ..
//
// Of some of the m images these are parts, whose sums are what all of them have.
//
// All parameters are one vector theta, as an optimiser wants them; what is written besides its
// gradient are the results of the convolutions and the inputs of the blocks.
#pragma once
#include "tests/examples/by_hand/resnet_block.hpp"
#include <resnet/net.hpp>
#include <functional>
#include <optional>

namespace by_hand::residual {

using resnet::batch;
using resnet::layers;
using resnet::shape;

template <class T, class Space = felt::Host, class Layout = felt::ChannelsLast>
class net {
public:
    using value_type = T;
    using space = Space;
    using vector = felt::Tensor<T, 1, Space>;
    using unit = by_hand::conv_norm<T, Space, Layout>;
    using images = typename unit::images;
    using images_view = typename unit::images_view;

    // For batches of so many images. `running` are the means and variances of all normalisations.
    net(shape const& s, layers<Layout> const& l, index_t count, vector& running);

    // Statistics of normalisations are those of so many images, of which a batch is a part:
    // batch_normalization::share. Otherwise each part has its own.
    void share(index_t count, typename unit::sum_over_parts const& sum) {
        stem_.share(count, sum);
        for (auto& b : blocks_) b.share(count, sum);
    }

    // J at theta; its gradient is written, and what is running goes on. How is felt::fused or
    // felt::unfused. `ready(k)`: elements k and after of the gradient are final.
    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient, std::function<void(index_t)> const& ready = {});

    felt::Tensor<T, 2, Space> const& log_probabilities() const { return p_; }  // after a step

private:
    template <class How>
    void forward(How how, batch<T, Space> const& b, vector const& theta);
    template <class How>
    void backward_head(How how, batch<T, Space> const& b, vector const& theta, vector& gradient);
    template <class How>
    void backward_stem(How how, batch<T, Space> const& b, images_view const& dx,
                       vector const& theta, vector& gradient);

    auto stem_features() const { return relu(stem_.output()); }
    images_view like(images const& x, int which) {
        return felt::view<Layout, Space>(derivatives_[which].data(), x.extents());
    }

    shape shape_;
    layers<Layout> const& layers_;
    unit stem_;
    felt::Tensor<index_t, 4, Space, Layout> winners_;  // of the maximum pool
    std::vector<block<T, Space, Layout>> blocks_;
    images out_;                        // of the last block
    felt::Tensor<T, 4, Space> h_, dh_;  // (m, features, 1, 1): its means; the derivative
    felt::Tensor<T, 2, Space> p_, d_;   // (m, classes): log p; the derivative by what makes it
    vector cost_{{1}};
    vector derivatives_[3];  // by what the blocks give, in turn; within blocks
    felt::pool_options pool_{.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
};

template <class T, class Space, class Layout>
net<T, Space, Layout>::net(shape const& s, layers<Layout> const& l, index_t count, vector& running)
    : shape_(s), layers_(l), stem_(l.stem, {{count, 3, s.side, s.side}}, running) {
    felt::extents<4> e = stem_.y().extents();
    if (s.large_images) {
        for (std::size_t a = 2; a < 4; ++a) e[a] = (e[a] - 1) / 2 + 1;
        winners_ = felt::Tensor<index_t, 4, Space, Layout>(e, felt::uninitialized);
    }
    index_t largest = stem_.y().size(), within = 0;
    for (auto const& of : l.blocks) {
        blocks_.emplace_back(of, e, running);
        largest = std::max(largest, e.size());
        within = std::max(within, blocks_.back().largest_within());
        e = blocks_.back().last().y().extents();
    }
    largest = std::max(largest, e.size());
    out_ = images(e, felt::uninitialized);
    h_ = dh_ = felt::Tensor<T, 4, Space>({count, e[1], 1, 1});
    p_ = d_ = felt::Tensor<T, 2, Space>({count, s.classes});
    for (int i = 0; i < 3; ++i) {
        derivatives_[i] = vector(felt::extents<1>{{i < 2 ? largest : within}}, felt::uninitialized);
    }
}

template <class T, class Space, class Layout>
template <class How>
void net<T, Space, Layout>::forward(How how, batch<T, Space> const& b, vector const& theta) {
    stem_.forward(how, b.x, theta);
    images& x = blocks_[0].x();
    if (shape_.large_images) {
        run(how, assign(x, max_pool2d(stem_features(), pool_)),
            assign(winners_, argmax_pool2d(stem_features(), pool_)));
        blocks_[0].forward(how, theta);
    } else {
        blocks_[0].forward(how, theta, assign(x, stem_features()));
    }
    for (std::size_t k = 1; k < blocks_.size(); ++k) {
        blocks_[k - 1].with_output(
            [&](auto const& out) { blocks_[k].forward(how, theta, assign(blocks_[k].x(), out)); });
    }
    blocks_.back().with_output([&](auto const& out) {
        run(how, assign(out_, out), assign(h_, felt::mean<2, 3>(out_, felt::keepdims)));
    });
}

template <class T, class Space, class Layout>
template <class How>
void net<T, Space, Layout>::backward_head(How how, batch<T, Space> const& b, vector const& theta,
                                          vector& gradient) {
    auto const w = layers_.w.in(theta);
    auto const bias = layers_.b.in(theta);
    auto const dw = layers_.w.in(gradient);
    auto const dbias = layers_.b.in(gradient);
    index_t const count = b.x.extent(0);
    auto const m = static_cast<T>(b.whole());
    auto const h = reshape(h_, {count, shape_.features()});
    auto const hit = felt::one_hot<T>(b.y, shape_.classes);
    run(how, assign(p_, felt::log_softmax<1>(felt::einsum<"nc,kc->nk">(h, w) + bias)),
        assign(slice(cost_, 0), sum(p_ * hit) * (-1 / m)));
    run(how, assign(d_, (exp(p_) - hit) / m), assign(dbias, felt::sum<0>(d_)),
        assign(dw, felt::einsum<"nk,nc->kc">(d_, h)));
    auto const dh = felt::view<felt::RowMajor, Space>(dh_.data(), {count, shape_.features()});
    run(how, assign(dh, felt::einsum<"nk,kc->nc">(d_, w)));
}

template <class T, class Space, class Layout>
template <class How>
void net<T, Space, Layout>::backward_stem(How how, batch<T, Space> const& b, images_view const& dx,
                                          vector const& theta, vector& gradient) {
    if (shape_.large_images) {
        auto const dz = like(stem_.y(), 0);
        auto const e = max_pool2d_grad(dx, winners_, stem_.y().extents(), pool_);
        stem_.take_gradient(how, dz, where(stem_.output() > T(0), e, T(0)), theta, gradient);
        stem_.through_norm(how, dz);
        stem_.weight_gradient(how, b.x, gradient);
    } else {
        stem_.take_gradient(how, dx, theta, gradient);
        stem_.through_norm(how, dx);
        stem_.weight_gradient(how, b.x, gradient);
    }
}

template <class T, class Space, class Layout>
template <class How>
double net<T, Space, Layout>::cost_and_gradient(How how, batch<T, Space> const& b,
                                                vector const& theta, vector& gradient,
                                                std::function<void(index_t)> const& ready) {
    auto const done = [&](index_t from) {
        if (ready) ready(from);
    };
    forward(how, b, theta);
    backward_head(how, b, theta, gradient);
    done(layers_.w.offset);

    auto const pixels = static_cast<T>(out_.extent(2) * out_.extent(3));
    images_view const last = like(out_, 0);
    blocks_.back().last().take_gradient(how, last, where(out_ > T(0), dh_ * (1 / pixels), T(0)),
                                        theta, gradient);
    int which = 0;
    for (std::size_t k = blocks_.size(); k-- > 0;) {
        images const& x = blocks_[k].x();
        images_view const g = like(blocks_[k].last().y(), which), dx = like(x, which = 1 - which);
        blocks_[k].backward(how, g, theta, gradient, derivatives_[2].data(), [&](auto const& e) {
            if (k > 0) {
                blocks_[k - 1].last().take_gradient(how, dx, where(x > T(0), e, T(0)), theta,
                                                    gradient);
            } else if (shape_.large_images) {
                run(how, assign(dx, e));
            } else {
                run(how, assign(dx, where(x > T(0), e, T(0))));
            }
        });
        done(layers_.blocks[k].units[0].w.offset);
    }
    backward_stem(how, b, like(blocks_[0].x(), which), theta, gradient);
    done(0);
    return static_cast<double>(T(sum(cost_)));
}

}  // namespace by_hand::residual

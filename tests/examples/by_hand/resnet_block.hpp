// SPDX-License-Identifier: BSD-3-Clause
//
// A residual block in training, basic or bottleneck: units of convolution and normalisation, and
// what goes round them,
//
//   y1 = conv(x, w1),  y2 = conv(relu(norm(y1)), w2),  ..,  out = relu(norm(y_last) + shortcut(x))
//
// shortcut(x) is x, norm(conv(x, wp)), or x at every second pixel and zeros. Tensors are x and the
// y. `out` is written, as the next block's x, by the pass of the convolution that reads it first.
#pragma once
#include "tests/examples/by_hand/conv_norm.hpp"
#include <resnet/layers.hpp>

namespace by_hand::residual {

using felt::index_t;
using resnet::block_layers;

// x at every stride-th pixel.
template <class X>
auto strided(X const& x, index_t stride) {
    return slice(x, felt::all(), felt::all(), felt::range(0, x.extents()[2], stride),
                 felt::range(0, x.extents()[3], stride));
}

// That, and zeros for the channels that x has not: a shortcut without parameters.
template <class X>
auto padded(X const& x, index_t stride, index_t channels) {
    return pad(strided(x, stride), {{0, 0}, {0, channels - x.extents()[1]}, {0, 0}, {0, 0}},
               felt::value_of<X>(0));
}

template <class T, class Space, class Layout>
class block {
public:
    using unit = by_hand::conv_norm<T, Space, Layout>;
    using images = typename unit::images;
    using images_view = typename unit::images_view;
    using vector = typename unit::vector;

    block(block_layers<Layout> const& l, felt::extents<4> const& x, vector& running)
        : stride_(l.stride), x_(x, felt::uninitialized) {
        felt::extents<4> e = x;
        for (auto const& of : l.units) {
            units_.emplace_back(of, e, running);
            e = units_.back().y().extents();
        }
        for (auto of : l.projection) {
            of.options.stride[0] = of.options.stride[1] = 1;
            projection_.emplace_back(of, seen().extents(), running);
        }
        read_ = felt::cast<T>(expand_dims<1>(at_multiples(x[2])) && at_multiples(x[3]));
    }

    // Statistics are those of so many images: batch_normalization::share.
    void share(index_t count, typename unit::sum_over_parts const& sum) {
        for (unit& u : units_) u.share(count, sum);
        for (unit& u : projection_) u.share(count, sum);
    }

    images& x() { return x_; }
    unit& last() { return units_.back(); }

    // Elements of the largest derivative between units.
    index_t largest_within() const {
        index_t n = 0;
        for (std::size_t k = 0; k + 1 < units_.size(); ++k) n = std::max(n, units_[k].y().size());
        return n;
    }

    // The convolutions of x; `before` are statements that write x.
    template <class How, class... Before>
    void forward(How how, vector const& theta, Before const&... before) {
        units_[0].forward(how, x_, theta, before...);
        for (unit& u : projection_) u.forward(how, seen(), theta);
        for (std::size_t k = 1; k < units_.size(); ++k) {
            units_[k].forward(how, relu(units_[k - 1].output()), theta);
        }
    }

    // f(out), an expression.
    template <class F>
    void with_output(F&& f) const {
        auto const z = units_.back().output();
        if (is_projected()) f(relu(z + projection_[0].output()));
        else if (is_padded()) f(relu(z + padded(x_, stride_, z.extents()[1])));
        else f(relu(z + x_));
    }

    // g is the derivative by what `out` is the relu of, which last() has taken. All gradients of
    // the block are written, and f(derivative by x) is called. `within` is memory for derivatives
    // of the units before the last; afterwards no y is what it was.
    template <class How, class F>
    void backward(How how, images_view const& g, vector const& theta, vector& gradient, T* within,
                  F&& f) {
        units_.back().through_norm(how, g);
        for (std::size_t k = units_.size(); --k > 0;) {
            unit& before = units_[k - 1];
            auto const dz = felt::view<Layout, Space>(within, before.y().extents());
            units_[k].weight_gradient(how, relu(before.output()), gradient);
            auto const dx = units_[k].input_gradient(theta);
            before.take_gradient(how, dz, where(before.output() > T(0), dx, T(0)), theta, gradient);
            before.through_norm(how, dz);
        }
        units_[0].weight_gradient(how, x_, gradient);
        auto const dx = units_[0].input_gradient(theta);
        if (is_projected()) {
            projection_[0].take_gradient(how, g, theta, gradient);
            projection_[0].through_norm(how, g);
            projection_[0].weight_gradient(how, seen(), gradient);
            f(dx + where_seen(projection_[0].input_gradient(theta)));
        } else if (is_padded()) {
            f(dx + where_seen(first_channels(g)));
        } else {
            f(dx + g);
        }
    }

private:
    bool is_projected() const { return !projection_.empty(); }
    bool is_padded() const { return stride_ > 1 && !is_projected(); }

    // The pixels of x that the shortcut reads; and its derivative by them as one by x.
    auto seen() const { return strided(x_, stride_); }
    template <class E>
    auto where_seen(E const& e) const {
        return upsample(e, {stride_, stride_}) * read_;
    }
    auto at_multiples(index_t n) const {
        auto const i = felt::iota<T>({n});
        auto const by = static_cast<T>(stride_);
        return by * floor(i / by) == i;
    }
    auto first_channels(images_view const& g) const {
        return slice(g, felt::all(), felt::range(0, x_.extent(1)), felt::all(), felt::all());
    }

    index_t stride_;
    images x_;
    std::vector<unit> units_, projection_;
    felt::Tensor<T, 2, Space> read_;  // (h, w): 1 where the shortcut reads x
};

}  // namespace by_hand::residual

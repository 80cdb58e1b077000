// SPDX-License-Identifier: BSD-3-Clause
//
// A residual block in training, basic or bottleneck: units of convolution and normalisation, and
// what goes round them,
//
//   y1 = conv(x, w1),  y2 = conv(relu(norm(y1)), w2),  ..,  out = norm(y_last) + shortcut(x)
//
// with x = relu(s), s being the `out` of the block before. shortcut(x) is x, norm(conv(x, wp)), or
// x at every second pixel and zeros. In memory are s and the y, and each of these is a program,
// whose derivatives by s and by the y take their places.
#pragma once
#include <resnet/shape.hpp>

namespace resnet {

using felt::cotangent;
using felt::gradient;
using felt::let;
using felt::named;
using felt::program;
using felt::wrt;

template <class T, class Space, class Layout>
class block {
public:
    using unit = felt::conv_norm<T, Space, Layout>;
    using images = typename unit::images;
    using vector = typename unit::vector;

    block(block_layers<Layout> const& l, felt::extents<4> const& s, vector& running,
          felt::workspace<Space>& scratch)
        : stride_(l.stride), s_(s, felt::uninitialized), end_(memory::with(scratch)) {
        felt::extents<4> e = s;
        for (auto const& of : l.units) {
            units_.emplace_back(of, e, running, scratch);
            e = units_.back().y().extents();
        }
        for (auto of : l.projection) {
            of.options.stride[0] = of.options.stride[1] = 1;
            projection_.emplace_back(of, strided(s_, stride_).extents(), running, scratch);
        }
    }

    // Statistics are those of so many images: conv_norm::share.
    void share(index_t count, typename unit::sum_over_parts const& sum) {
        for (unit& u : units_) u.share(count, sum);
        for (unit& u : projection_) u.share(count, sum);
    }

    images& s() { return s_; }
    felt::extents<4> extents_of_out() { return units_.back().y().extents(); }

    template <class How>
    void forward(How how, images& out, vector const& theta, vector& g) {
        auto const run = [&](auto const& p, auto&&...) { p.run_forward(how); };
        enter(out, theta, g, run);
        for (std::size_t k = 1; k < units_.size(); ++k) go_on(k, theta, g, run);
        leave(out, theta, g, run);
    }
    // In `out` is the derivative by it, and then in s() that by s.
    template <class How>
    void backward(How how, images& out, vector const& theta, vector& g) {
        auto const run = [&](auto const& p, auto&&... to) { p.run_backward(how, to...); };
        leave(out, theta, g, run);
        for (std::size_t k = units_.size(); --k > 0;) go_on(k, theta, g, run);
        enter(out, theta, g, run);
    }

private:
    using memory = felt::workspace<Space>;

    // f(program, where its derivatives go..): the convolutions of x. The derivative by x or
    // shortcut(x) is what was written over `out`.
    template <class F>
    void enter(images& out, vector const& theta, vector& g, F const& f) {
        unit& u = units_[0];
        auto const x = let<"x">(relu(named<"s">(s_)));
        auto const y = u.template kept<"y">(x, theta);
        auto const dy = cotangent<"y">(u.y());
        auto const by = wrt<"w", "s">();
        if (is_projected()) {
            unit& v = projection_[0];
            auto const z = v.template kept<"z", "v">(strided(x, stride_), theta);
            f(gradient(program(x, y, z), dy + cotangent<"z">(v.y()), wrt<"w", "v", "s">(),
                       u.memory()),
              u.w(g), v.w(g), s_);
        } else if (is_padded()) {
            auto const c = let<"c">(shortcut(x));
            f(gradient(program(x, y, c), dy + cotangent<"c">(out), by, u.memory()), u.w(g), s_);
        } else {
            f(gradient(program(x, y), dy + cotangent<"x">(out), by, u.memory()), u.w(g), s_);
        }
    }
    // The convolution of unit k of what the one before it gives.
    template <class F>
    void go_on(std::size_t k, vector const& theta, vector& g, F const& f) {
        unit &u = units_[k], &from = units_[k - 1];
        auto const z = u.template kept<"z">(relu(from.output(theta)), theta);
        f(gradient(z, cotangent<"z">(u.y()), wrt<"w", "gamma", "beta", "y">(), u.memory()), u.w(g),
          from.gamma(g), from.beta(g), from.y());
    }
    // `out`, of which the derivative by shortcut(x) is that by itself.
    template <class F>
    void leave(images& out, vector const& theta, vector& g, F const& f) {
        unit& u = units_.back();
        auto const sum = [&](auto const& round) {
            return program(felt::keep<"out">(out, u.output(theta) + round));
        };
        auto const dout = cotangent<"out">(out);
        if (is_projected()) {
            unit& v = projection_[0];
            f(gradient(sum(v.template output<"round", "z", "delta", "epsilon">(theta)), dout,
                       wrt<"gamma", "beta", "y", "delta", "epsilon", "z">(), end_),
              u.gamma(g), u.beta(g), u.y(), v.gamma(g), v.beta(g), v.y());
        } else {
            auto const x = relu(s_);
            auto const by = wrt<"gamma", "beta", "y">();
            if (is_padded())
                f(gradient(sum(shortcut(x)), dout, by, end_), u.gamma(g), u.beta(g), u.y());
            else f(gradient(sum(x), dout, by, end_), u.gamma(g), u.beta(g), u.y());
        }
    }

    bool is_projected() const { return !projection_.empty(); }
    bool is_padded() const { return stride_ > 1 && !is_projected(); }
    template <class X>
    auto shortcut(X const& x) {
        return padded(x, stride_, extents_of_out()[1]);
    }

    index_t stride_;
    images s_;
    std::vector<unit> units_, projection_;
    memory end_;
};

}  // namespace resnet

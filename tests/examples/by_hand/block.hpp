// SPDX-License-Identifier: BSD-3-Clause
//
// Residual blocks, x + what two or three convolutions with normalisations make of it: backward by
// hand, by the units of nn/by_hand/conv_norm.hpp, and derived from
//
//   y1 = conv(x, k1),  y2 = conv(relu(norm(y1)), k2),  ..,  out = relu(norm(y_last) + x)
#pragma once
#include "tests/examples/by_hand/conv_norm.hpp"
#include <vector>

namespace by_hand {

using felt::index_t;

template <class T>
struct residual_block {
    using vector = felt::Tensor<T, 1>;
    using images = felt::Tensor<T, 4, felt::Host, felt::ChannelsLast>;
    using layer = resnet::conv_norm_layer<>;

    felt::parameter_list trained, statistics;
    std::vector<layer> layers;
    vector theta, gradient, running;
    images x, out, dout, dx;

    // Bottleneck: 1 x 1 to `inner` channels, 3 x 3, 1 x 1 back; or two of 3 x 3.
    residual_block(felt::extents<4> const& e, index_t inner, bool bottleneck)
        : x(e), out(e), dout(e), dx(e) {
        auto const add = [&](index_t to, index_t from, index_t k) {
            auto const n = std::to_string(layers.size() + 1);
            layers.push_back(layer::add(trained, statistics, "conv" + n, "bn" + n,
                                        {{to, from, k, k}}, {.padding = {k / 2, k / 2}}));
        };
        if (bottleneck) add(inner, e[1], 1), add(inner, inner, 3), add(e[1], inner, 1);
        else add(e[1], e[1], 3), add(e[1], e[1], 3);
        theta = vector({trained.size()}), gradient = vector({trained.size()});
        running = vector({statistics.size()});
        theta = felt::normal<T>(theta.extents(), 1) * T(0.3);
        running = felt::uniform<T>(running.extents(), 2) * T(0.1);
        x = felt::normal<T>(e, 3);
        dout = felt::normal<T>(e, 4);
    }
};

// A step by the units.
template <class T>
class block_by_hand {
public:
    explicit block_by_hand(residual_block<T>& of) : b_(of), dz_(of.x.extents()) {
        auto e = of.x.extents();
        for (auto const& l : of.layers) {
            units_.emplace_back(l, e, of.running);
            e = units_.back().extents_of_y();
            between_.emplace_back(e);
        }
    }
    template <class How>
    void step(How how) {
        auto const& theta = b_.theta;
        auto& g = b_.gradient;
        auto& last = units_.back();
        units_[0].forward(how, b_.x, theta);
        for (std::size_t k = 1; k < units_.size(); ++k)
            units_[k].forward(how, relu(units_[k - 1].output()), theta);
        run(how, assign(b_.out, relu(last.output() + b_.x)));
        last.take_gradient(how, felt::view(dz_), where(b_.out > T(0), b_.dout, T(0)), theta, g);
        last.through_norm(how, felt::view(dz_));
        for (std::size_t k = units_.size(); --k > 0;) {
            auto& before = units_[k - 1];
            units_[k].weight_gradient(how, relu(before.output()), g);
            before.take_gradient(
                how, felt::view(between_[k - 1]),
                where(before.output() > T(0), units_[k].input_gradient(theta), T(0)), theta, g);
            before.through_norm(how, felt::view(between_[k - 1]));
        }
        units_[0].weight_gradient(how, b_.x, g);
        run(how, assign(b_.dx, units_[0].input_gradient(theta) + dz_));
    }

private:
    using images = typename residual_block<T>::images;
    residual_block<T>& b_;
    std::vector<by_hand::conv_norm<T>> units_;
    std::vector<images> between_;
    images dz_;
};

// The same, derived.
template <class T>
class derived_block {
public:
    explicit derived_block(residual_block<T>& of) : b_(of) {
        auto e = of.x.extents();
        for (auto const& l : of.layers) y_.emplace_back(e = l.results(e));
    }
    template <class How>
    void step(How how) {
        if (b_.layers.size() == 2) basic(how);
        else bottleneck(how);
    }

private:
    using images = typename residual_block<T>::images;

    auto vector_of(felt::parameter<4> const& p, typename residual_block<T>::vector& in) const {
        return felt::view<felt::RowMajor, felt::Host>(in.data() + p.offset, {p.e[1]});
    }
    auto filters(std::size_t k, typename residual_block<T>::vector& in) {
        return b_.layers[k].w.in(in);
    }
    template <felt::fixed_string Name, class X>
    auto convolved(std::size_t k, X const& x) {
        return felt::conv2d(x, felt::named<Name>(filters(k, b_.theta)), b_.layers[k].options);
    }
    template <felt::fixed_string Name, felt::fixed_string Gamma, felt::fixed_string Beta, class Y>
    auto normalised(std::size_t k, Y const& y) {
        auto const& l = b_.layers[k];
        felt::running_statistics<T> const running{vector_of(l.mean, b_.running),
                                                  vector_of(l.variance, b_.running)};
        return felt::batch_norm<Name>(y, felt::named<Gamma>(vector_of(l.gamma, b_.theta)),
                                      felt::named<Beta>(vector_of(l.beta, b_.theta)), running);
    }
    auto gradients(std::size_t k) {
        auto const& l = b_.layers[k];
        return std::tuple{filters(k, b_.gradient), vector_of(l.gamma, b_.gradient),
                          vector_of(l.beta, b_.gradient)};
    }
    template <class How>
    void basic(How how) {
        auto const x = felt::named<"x">(b_.x);
        auto const y1 = felt::keep<"y1">(y_[0], convolved<"k1">(0, x));
        auto const n1 = normalised<"n1", "g1", "s1">(0, y1);
        auto const y2 = felt::keep<"y2">(y_[1], convolved<"k2">(1, relu(n1)));
        auto const sum = felt::let<"sum">(normalised<"n2", "g2", "s2">(1, y2) + x);
        auto const out = felt::keep<"out">(b_.out, relu(sum));
        auto step = felt::gradient(program(y1, y2, sum, out), felt::cotangent<"out">(b_.dout),
                                   felt::wrt<"x", "k1", "g1", "s1", "k2", "g2", "s2">(), memory_,
                                   felt::in_place<"y1", "y2">());
        auto [k1, g1, s1] = gradients(0);
        auto [k2, g2, s2] = gradients(1);
        step(how, b_.dx, k1, g1, s1, k2, g2, s2);
    }
    template <class How>
    void bottleneck(How how) {
        auto const x = felt::named<"x">(b_.x);
        auto const y1 = felt::keep<"y1">(y_[0], convolved<"k1">(0, x));
        auto const n1 = normalised<"n1", "g1", "s1">(0, y1);
        auto const y2 = felt::keep<"y2">(y_[1], convolved<"k2">(1, relu(n1)));
        auto const n2 = normalised<"n2", "g2", "s2">(1, y2);
        auto const y3 = felt::keep<"y3">(y_[2], convolved<"k3">(2, relu(n2)));
        auto const sum = felt::let<"sum">(normalised<"n3", "g3", "s3">(2, y3) + x);
        auto const out = felt::keep<"out">(b_.out, relu(sum));
        auto step =
            felt::gradient(program(y1, y2, y3, sum, out), felt::cotangent<"out">(b_.dout),
                           felt::wrt<"x", "k1", "g1", "s1", "k2", "g2", "s2", "k3", "g3", "s3">(),
                           memory_, felt::in_place<"y1", "y2", "y3">());
        auto [k1, g1, s1] = gradients(0);
        auto [k2, g2, s2] = gradients(1);
        auto [k3, g3, s3] = gradients(2);
        step(how, b_.dx, k1, g1, s1, k2, g2, s2, k3, g3, s3);
    }

    residual_block<T>& b_;
    std::vector<images> y_;
    felt::workspace<> memory_;
};

}  // namespace by_hand

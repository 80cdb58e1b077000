// SPDX-License-Identifier: BSD-3-Clause
//
// A residual network in training. On m images with labels, s being what the last block gives:
//
//   h = mean over pixels of relu(s),  p = softmax(h W' + b),  J = mean of -log p[label]
//
// Of some of the m images these are parts, whose sums are what all of them have.
//
// It is a chain of programs: each gives a tensor that the next one reads, and from the derivative
// by that, which takes its place, derivatives by what it has read are derived. Parameters are one
// vector theta, as an optimiser wants them.
#pragma once
#include <resnet/block.hpp>
#include <functional>

namespace resnet {

template <class T, class Space = felt::Host>
struct batch {
    felt::View<T const, 4, Space> x;        // (images, 3, side, side)
    felt::View<index_t const, 1, Space> y;  // (images), 0 .. classes - 1
    index_t of = 0;                         // of a batch of so many on all ranks; 0: these are all

    index_t whole() const { return of > 0 ? of : x.extent(0); }
};

template <class T, class Space = felt::Host, class Layout = felt::ChannelsLast>
class net {
public:
    using value_type = T;
    using space = Space;
    using vector = felt::Tensor<T, 1, Space>;
    using unit = felt::conv_norm<T, Space, Layout>;
    using images = typename unit::images;

    // For batches of so many images. `running` are the means and variances of all normalisations.
    net(shape const& s, layers<Layout> const& l, index_t count, vector& running);

    // Statistics of normalisations are those of so many images, of which a batch is a part:
    // conv_norm::share. Otherwise each part has its own.
    void share(index_t count, typename unit::sum_over_parts const& sum) {
        stem_.share(count, sum);
        for (auto& b : blocks_) b.share(count, sum);
    }

    // f("forward, stage 1") and so on is called when a part of a step has run.
    void watch(std::function<void(std::string const&)> f) { passed_ = std::move(f); }

    // J at theta; its gradient is written, and what is running goes on. How is felt::fused or
    // felt::unfused. `ready(k)`: elements k and after of the gradient are final.
    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient, std::function<void(index_t)> const& ready = {});

    felt::Tensor<T, 2, Space> const& log_probabilities() const { return p_; }  // after a step

private:
    using memory = felt::workspace<Space>;

    // f(program, where its derivatives go..), as in a block.
    template <class F>
    void stem(batch<T, Space> const& b, vector const& theta, vector& g, F const& f);
    template <class F>
    void behind_stem(vector const& theta, vector& g, F const& f);
    template <class F>
    void head(batch<T, Space> const& b, vector const& theta, vector& g, F const& f);

    images& out(std::size_t k) { return k + 1 < blocks_.size() ? blocks_[k + 1].s() : out_; }

    // Of block k.
    void passed(char const* pass, std::size_t k) const {
        if (!passed_) return;
        std::size_t stage = 0;
        for (auto end = shape_.blocks[0]; end <= static_cast<index_t>(k);) {
            end += shape_.blocks[++stage];
        }
        passed_(pass + (", stage " + std::to_string(stage + 1)));
    }
    void passed(char const* part) const {
        if (passed_) passed_(part);
    }

    shape shape_;
    layers<Layout> const& layers_;
    std::unique_ptr<memory> scratch_ = std::make_unique<memory>();  // stays where it is
    memory behind_stem_ = memory::with(*scratch_), head_ = memory::with(*scratch_);
    unit stem_;
    std::vector<block<T, Space, Layout>> blocks_;
    images out_;                   // of the last block
    felt::Tensor<T, 2, Space> h_;  // (m, features)
    felt::Tensor<T, 2, Space> p_;  // (m, classes): log p
    std::function<void(std::string const&)> passed_;
    felt::pool_options pool_{.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
};

template <class T, class Space, class Layout>
net<T, Space, Layout>::net(shape const& s, layers<Layout> const& l, index_t count, vector& running)
    : shape_(s), layers_(l), stem_(l.stem, {{count, 3, s.side, s.side}}, running, *scratch_) {
    felt::extents<4> e = stem_.y().extents();
    if (s.large_images) {
        for (std::size_t a = 2; a < 4; ++a) e[a] = (e[a] - 1) / 2 + 1;
    }
    for (auto const& of : l.blocks) {
        blocks_.emplace_back(of, e, running, *scratch_);
        e = blocks_.back().extents_of_out();
    }
    out_ = images(e, felt::uninitialized);
    h_ = felt::Tensor<T, 2, Space>({count, e[1]});
    p_ = felt::Tensor<T, 2, Space>({count, s.classes});
}

template <class T, class Space, class Layout>
template <class F>
void net<T, Space, Layout>::stem(batch<T, Space> const& b, vector const& theta, vector& g,
                                 F const& f) {
    auto const y = stem_.template kept<"y">(b.x, theta);
    f(gradient(y, cotangent<"y">(stem_.y()), wrt<"w">(), stem_.memory()), stem_.w(g));
}
template <class T, class Space, class Layout>
template <class F>
void net<T, Space, Layout>::behind_stem(vector const& theta, vector& g, F const& f) {
    images& s = blocks_[0].s();
    auto const z = stem_.output(theta);
    auto const run = [&](auto const& given) {
        f(gradient(program(given), cotangent<"s">(s), wrt<"gamma", "beta", "y">(), behind_stem_),
          stem_.gamma(g), stem_.beta(g), stem_.y());
    };
    if (shape_.large_images) run(felt::keep<"s">(s, max_pool2d(relu(z), pool_)));
    else run(felt::keep<"s">(s, z));
}
template <class T, class Space, class Layout>
template <class F>
void net<T, Space, Layout>::head(batch<T, Space> const& b, vector const& theta, vector& g,
                                 F const& f) {
    auto const w = named<"w">(layers_.w.in(theta));
    auto const bias = named<"b">(layers_.b.in(theta));
    auto const h = felt::keep<"h">(h_, felt::mean<2, 3>(relu(named<"s">(out_))));
    auto const p = felt::keep<"p">(
        p_, felt::log_softmax<1>(felt::einsum<"nc,kc->nk">(h, w) + felt::expand_dims<0>(bias)));
    auto const hit = felt::one_hot<T>(b.y, shape_.classes);
    f(gradient(program(h, p), sum(p * hit) * (-1 / static_cast<T>(b.whole())), wrt<"w", "b", "s">(),
               head_),
      layers_.w.in(g), layers_.b.in(g), out_);
}

template <class T, class Space, class Layout>
template <class How>
double net<T, Space, Layout>::cost_and_gradient(How how, batch<T, Space> const& b,
                                                vector const& theta, vector& gradient,
                                                std::function<void(index_t)> const& ready) {
    auto const done = [&](index_t from) {
        if (ready) ready(from);
    };
    auto const forward = [&](auto const& p, auto&&...) { p.run_forward(how); };
    auto const backward = [&](auto const& p, auto&&... to) { p.run_backward(how, to...); };
    stem(b, theta, gradient, forward);
    passed("forward, stem");
    behind_stem(theta, gradient, forward);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        blocks_[k].forward(how, out(k), theta, gradient);
        passed("forward", k);
    }
    double cost = 0;
    head(b, theta, gradient,
         [&](auto&& p, auto&&... to) { cost = static_cast<double>(p(how, to...)); });
    passed("head, both ways");
    done(layers_.w.offset);
    for (std::size_t k = blocks_.size(); k-- > 0;) {
        blocks_[k].backward(how, out(k), theta, gradient);
        passed("backward", k);
        done(layers_.blocks[k].units[0].w.offset);
    }
    behind_stem(theta, gradient, backward);
    stem(b, theta, gradient, backward);
    passed("backward, stem");
    done(0);
    return cost;
}

}  // namespace resnet

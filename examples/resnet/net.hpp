// SPDX-License-Identifier: BSD-3-Clause
//
// A residual network in training, of images with labels: its cost is the mean of -log p[label]. Of
// some of the images of a batch these are parts, whose sums are what all of them have.
#pragma once
#include <resnet/network.hpp>
#include <functional>

namespace resnet {

template <class T, class Space = felt::Host>
struct batch {
    felt::View<T const, 4, Space> x;        // (images, 3, side, side)
    felt::View<index_t const, 1, Space> y;  // (images), 0 .. classes - 1
    index_t of = 0;                         // of a batch of so many on all ranks; 0: these are all

    index_t whole() const { return of > 0 ? of : x.extent(0); }
};

template <class T, class Space = felt::Host>
class net {
public:
    using value_type = T;
    using space = Space;
    using vector = felt::Tensor<T, 1, Space>;
    using sum_over_parts = nn::sum_over_parts<T, Space>;

    // For batches of so many images.
    net(shape const& s, index_t count)
        : shape_(s), net_(network<nn::basic_net<T, Space>>(s)), p_({count, s.classes}) {
        net_.prepare({count, 3, s.side, s.side});
    }

    nn::basic_net<T, Space> const& layers() const { return net_; }
    // Means and variances of all normalisations.
    vector& running() { return net_.running(); }
    vector const& running() const { return net_.running(); }

    // Statistics of normalisations are those of so many images, of which a batch is a part.
    // Otherwise each part has its own.
    void share(index_t count, sum_over_parts const& sum) { net_.share(count, sum); }

    // f("forward, stage 1") and so on is called when a part of a step has run.
    void watch(std::function<void(std::string const&)> f) {
        if (!f) return net_.watch({});
        net_.watch([this, f = std::move(f)](char const* pass, std::size_t k) { f(part(pass, k)); });
    }

    // J at theta; its gradient is written, and what is running goes on. `ready(k)`: elements k and
    // after of the gradient are final.
    double cost_and_gradient(nn::mode how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient, std::function<void(index_t)> ready = {}) {
        auto const loss = [&](auto const& z) {
            auto const p = felt::keep<"p">(p_, felt::log_softmax<1>(z));
            auto const hit = felt::one_hot<T>(b.y, shape_.classes);
            return nn::keeping(p, sum(p * hit) * (-1 / static_cast<T>(b.whole())));
        };
        return net_.cost(how, b.x, loss, theta, gradient, 0, std::move(ready));
    }

    felt::Tensor<T, 2, Space> const& log_probabilities() const { return p_; }  // after a step

private:
    // What block k belongs to: two make the stem, two the head.
    std::string part(std::string const& pass, std::size_t k) const {
        if (k < 2) return pass + ", stem";
        index_t left = static_cast<index_t>(k) - 2;
        for (std::size_t stage = 0; stage < shape_.blocks.size(); ++stage) {
            if (left < shape_.blocks[stage]) return pass + ", stage " + std::to_string(stage + 1);
            left -= shape_.blocks[stage];
        }
        return "head, both ways";
    }

    shape shape_;
    nn::basic_net<T, Space> net_;
    felt::Tensor<T, 2, Space> p_;  // (m, classes): log p
};

}  // namespace resnet

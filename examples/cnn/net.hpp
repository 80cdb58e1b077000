// SPDX-License-Identifier: BSD-3-Clause
//
// A network for batches of so many images: its cost is the mean of -log p[label].
#pragma once
#include <cnn/batch.hpp>
#include <cnn/models.hpp>

namespace cnn {

template <class T, class Space = felt::Host>
class net {
public:
    using vector = felt::Tensor<T, 1, Space>;
    using images = felt::View<T const, 4, Space>;

    template <class Shape>
    net(Shape const& s, index_t count)
        : layers_(network<nn::basic_net<T, Space>>(s)), e_{{count, 1, s.side, s.side}} {
        layers_.prepare(e_);
    }

    nn::basic_net<T, Space>& layers() { return layers_; }
    nn::basic_net<T, Space> const& layers() const { return layers_; }

    // J at theta; its gradient is written. `ready(k)`: elements k and after of that are final.
    double cost_and_gradient(nn::mode how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient, std::function<void(index_t)> ready = {}) {
        auto const loss = [&](auto const& z) { return mean_cost(b, z); };
        return layers_.cost(how, b.x, loss, theta, gradient, {b.draw, b.first}, std::move(ready));
    }

    // The most probable class of each image, of any number.
    void classify(nn::mode how, images const& x, vector const& theta,
                  felt::View<index_t, 1, Space> y) {
        for (index_t k = 0; k < x.extent(0); k += e_[0]) {
            index_t const n = std::min(e_[0], x.extent(0) - k);
            images const some(x.data() + k * x.strides()[0], {{n, 1, e_[2], e_[3]}}, x.strides());
            if (n == e_[0]) layers_.infer(how, some, theta);
            else layers_.infer(how, filled_up(some), theta);
            auto const scores =
                slice(layers_.out().template as<2>(), felt::range(0, n), felt::all());
            auto const to = slice(y, felt::range(k, k + n));
            nn::in_mode<Space>(how,
                               [&](auto way) { run(way, assign(to, felt::argmax<1>(scores))); });
        }
    }

private:
    // A batch that begins with these.
    images filled_up(images const& x) {
        if (rest_.size() == 0) rest_ = felt::Tensor<T, 4, Space>(e_);
        auto const all = felt::all();
        slice(rest_, felt::range(0, x.extent(0)), all, all, all) = x;
        return felt::view(std::as_const(rest_));
    }

    nn::basic_net<T, Space> layers_;
    felt::extents<4> e_;
    felt::Tensor<T, 4, Space> rest_;
};

}  // namespace cnn

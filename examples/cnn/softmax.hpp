// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax regression, the smallest network: p = softmax(x W + b), J = mean of -log p[label].
// theta = [W, b], all 0 at first.
#pragma once
#include <cnn/batch.hpp>

namespace cnn {

struct softmax_shape {
    index_t side = 28, classes = 10;

    index_t weights() const { return classes * side * side; }
    index_t parameters() const { return weights() + classes; }
};

template <class T, class Space = felt::Host>
class softmax_regression {
public:
    using value_type = T;
    using space = Space;
    using shape = softmax_shape;
    using vector = felt::Tensor<T, 1, Space>;
    static constexpr char const* stages[2] = {"forward", "backward"};

    template <class U>
    struct parts {
        felt::View<U, 4, Space> W;  // (classes, 1, side, side)
        felt::View<U, 1, Space> b;  // (classes)

        felt::View<U, 4, Space> filters() const { return W; }
        template <class F>
        void each(F&& f) const {
            f("W", W), f("b", b);
        }
    };

    softmax_regression(shape const& s, index_t batch) : shape_(s), z_({batch, s.classes}) {}

    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient) {
        auto const p = parts_of(theta.data(), shape_);
        auto const g = parts_of(gradient.data(), shape_);
        auto const w = felt::named<"W">(p.W);
        auto const bias = felt::named<"b">(p.b);
        auto const z = felt::keep<"z">(z_, felt::einsum<"nchw,ochw->no">(b.x, w) + bias);
        auto step = felt::gradient(program(z), mean_cost(b, z), felt::wrt<"W", "b">(), memory_);
        return static_cast<double>(step(how, g.W, g.b));
    }

    template <class How>
    void classify(How how, felt::View<T const, 4, Space> const& x, vector const& theta,
                  felt::View<index_t, 1, Space> y) const {
        auto const p = parts_of(theta.data(), shape_);
        run(how, assign(y, felt::argmax<1>(felt::einsum<"nchw,ochw->no">(x, p.W) + p.b)));
    }

    template <class U>
    static parts<U> parts_of(U* theta, shape const& s) {
        return {felt::view<felt::RowMajor, Space>(theta, {s.classes, 1, s.side, s.side}),
                felt::view<felt::RowMajor, Space>(theta + s.weights(), {s.classes})};
    }

    static vector initial_parameters(shape const& s, std::uint64_t) {
        return vector({s.parameters()});
    }

private:
    shape shape_;
    felt::Tensor<T, 2, Space> z_;
    felt::workspace<Space> memory_;
};

}  // namespace cnn

// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax regression, the smallest network: p = softmax(x W + b), J = mean of -log p[label],
// dW = (p - one_hot(label)) x / m. theta = [W, b], all 0 at first.
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
    static constexpr char const* stages[1] = {"softmax, gradients"};

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

    softmax_regression(shape const& s, index_t batch)
        : shape_(s), p_({batch, s.classes}), d_(p_.extents()) {}

    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient) {
        auto const p = parts_of(theta.data(), shape_);
        auto const g = parts_of(gradient.data(), shape_);
        auto const m = static_cast<T>(b.whole());
        auto const hit = felt::one_hot<T>(b.y, shape_.classes);
        run(how, assign(p_, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(b.x, p.W) + p.b)),
            assign(slice(cost_, 0), cross_entropy(p_, hit, m)), assign(d_, (p_ - hit) / m),
            assign(g.b, felt::sum<0>(d_)), assign(g.W, felt::einsum<"no,nchw->ochw">(d_, b.x)));
        return static_cast<double>(T(sum(cost_)));
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
    felt::Tensor<T, 2, Space> p_, d_;
    vector cost_{{1}};
};

}  // namespace cnn

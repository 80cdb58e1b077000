// SPDX-License-Identifier: BSD-3-Clause
//
// The sparse autoencoder: one hidden layer that is active rarely.
//
//   a2 = sigmoid(W1 x + b1),  a3 = sigmoid(W2 a2 + b2),  r = mean of a2 over the m samples
//   J  = 1/2m sum |a3 - x|^2 + lambda/2 (|W1|^2 + |W2|^2)
//        + beta sum_j [rho log(rho / r_j) + (1 - rho) log((1 - rho) / (1 - r_j))]
//
// All parameters are one vector theta = [W1, W2, b1, b2], as an optimiser wants them.
//
// The backward pass is derived. Several ranks have some of the samples each: cost and gradient are
// a rank's part of the sum over all, terms without samples by its share of them; r is the mean over
// all samples, which takes a sum over ranks between the two passes.
#pragma once
#include <felt/grad.hpp>
#include <support/step_sum.hpp>
#include <cmath>

namespace ae {

using felt::index_t;

struct shape {
    index_t visible = 64, hidden = 25;
    double rho = 0.01, lambda = 1e-4, beta = 3;

    index_t parameters() const { return 2 * hidden * visible + hidden + visible; }
};

// Views of the parts of theta, or of a gradient.
template <class T, class Space>
struct parts {
    felt::View<T, 2, Space> W1;  // (hidden, visible)
    felt::View<T, 2, Space> W2;  // (visible, hidden)
    felt::View<T, 1, Space> b1;  // (hidden)
    felt::View<T, 1, Space> b2;  // (visible)
};

template <class T, class Space = felt::Host>
parts<T, Space> parts_of(T* theta, shape const& s) {
    index_t const weights = s.hidden * s.visible;
    auto const matrix = [](T* p, index_t m, index_t n) {
        return felt::view<felt::RowMajor, Space>(p, {m, n});
    };
    auto const vector = [](T* p, index_t n) { return felt::view<felt::RowMajor, Space>(p, {n}); };
    return {matrix(theta, s.hidden, s.visible), matrix(theta + weights, s.visible, s.hidden),
            vector(theta + 2 * weights, s.hidden),
            vector(theta + 2 * weights + s.hidden, s.visible)};
}

template <class T, class Space = felt::Host>
felt::Tensor<T, 1, Space> initial_parameters(shape const& s, std::uint64_t seed);

template <class T, class Space = felt::Host>
class model {
public:
    using vector = felt::Tensor<T, 1, Space>;
    using matrix = felt::Tensor<T, 2, Space>;

    // x is (visible, samples), in [0, 1]: all there are, or a rank's part of so many.
    model(shape const& s, matrix x, index_t all_samples = 0)
        : shape_(s),
          x_(std::move(x)),
          all_(all_samples > 0 ? all_samples : x_.extent(1)),
          a2_({s.hidden, x_.extent(1)}),
          a3_(x_.extents()),
          r_({s.hidden}) {}

    // J at theta; its gradient is written. How is felt::fused or felt::unfused.
    template <class How>
    double cost_and_gradient(How how, vector const& theta, vector& gradient);

    matrix const& x() const { return x_; }

private:
    shape shape_;
    matrix x_;
    index_t all_;     // samples of all ranks
    matrix a2_, a3_;  // activations
    vector r_;        // mean activations
    felt::workspace<Space> memory_;
};

// Weights uniform in [-l, l) with l = sqrt(6 / (hidden + visible + 1)), biases 0.
template <class T, class Space>
felt::Tensor<T, 1, Space> initial_parameters(shape const& s, std::uint64_t seed) {
    felt::Tensor<T, 1, Space> theta({s.parameters()});
    auto const limit =
        static_cast<T>(std::sqrt(6.0 / static_cast<double>(s.hidden + s.visible + 1)));
    index_t const weights = 2 * s.hidden * s.visible;
    slice(theta, felt::range(0, weights)) = (2 * felt::uniform<T>({weights}, seed) - 1) * limit;
    return theta;
}

template <class T, class Space>
template <class How>
double model<T, Space>::cost_and_gradient(How how, vector const& theta, vector& gradient) {
    auto const p = parts_of<T const, Space>(theta.data(), shape_);
    auto const g = parts_of<T, Space>(gradient.data(), shape_);
    auto const m = static_cast<T>(all_), share = static_cast<T>(x_.extent(1)) / m;
    auto const rho = static_cast<T>(shape_.rho), beta = share * static_cast<T>(shape_.beta);
    auto const lambda = share * static_cast<T>(shape_.lambda);
    auto const W1 = felt::named<"W1">(p.W1);
    auto const W2 = felt::named<"W2">(p.W2);
    auto const b1 = felt::named<"b1">(p.b1);
    auto const b2 = felt::named<"b2">(p.b2);
    auto const over_ranks = [](auto way, auto& part) { support::sum_in_cost(way, part); };

    //[cost]
    auto const a2 = felt::keep<"a2">(a2_, sigmoid(matmul(W1, x_) + felt::expand_dims<1>(b1)));
    auto const r = felt::keep<"r">(r_, share * felt::mean<1>(a2), over_ranks);
    auto const a3 = felt::keep<"a3">(a3_, sigmoid(matmul(W2, a2) + felt::expand_dims<1>(b2)));
    auto const cost = T(0.5) / m * sum(square(a3 - x_)) +
                      lambda / 2 * (sum(square(W1)) + sum(square(W2))) + beta * felt::kl(rho, r);
    auto step =
        felt::gradient(program(a2, r, a3), cost, felt::wrt<"W1", "W2", "b1", "b2">(), memory_);
    //[cost]
    static_assert(!felt::recomputes_products<decltype(step)>);
    return static_cast<double>(step(how, g.W1, g.W2, g.b1, g.b2));
}

}  // namespace ae

// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network: one convolution, a mean pool, a softmax. On m images:
//
//   a = sigmoid(conv2d(x, Wc) + bc),  h = mean of a over pool x pool,  p = softmax(h Wd + bd)
//   J = mean of -log p[label]
//
//   d   = (p - one_hot(label)) / m,  dWd = d h,  dbd = sum d,  dh = d Wd
//   dz  = upsample(dh) / pool^2 * a * (1 - a)
//   dWc = conv2d_weight_grad(x, dz),  dbc = sum dz
//
// dz is an operand and never a tensor. All parameters are one vector theta = [Wc, Wd, bc, bd], as
// an optimiser wants them; Layout is the order in which features and weights lie in memory.
#pragma once
#include <cnn/batch.hpp>
#include <cmath>

namespace cnn {

struct study_shape {
    index_t side = 28, filters = 20, filter = 9, pool = 2, classes = 10;

    index_t features() const { return side - filter + 1; }  // along a side
    index_t pooled() const { return features() / pool; }
    index_t convolution() const { return filters * filter * filter; }
    index_t dense() const { return classes * filters * pooled() * pooled(); }
    index_t parameters() const { return convolution() + dense() + filters + classes; }
};

template <class T, class Space = felt::Host, class Layout = felt::RowMajor>
class study {
public:
    using value_type = T;
    using space = Space;
    using shape = study_shape;
    using vector = felt::Tensor<T, 1, Space>;
    using images = felt::Tensor<T, 4, Space, Layout>;
    static constexpr char const* stages[3] = {"convolution, mean pool", "softmax, dense gradients",
                                              "gradients of the convolution"};

    // Views of the parts of theta, or of a gradient.
    template <class U>
    struct parts {
        felt::View<U, 4, Space> Wc;  // (filters, 1, filter, filter)
        felt::View<U, 4, Space> Wd;  // (classes, filters, pooled, pooled)
        felt::View<U, 4, Space> bc;  // (1, filters, 1, 1)
        felt::View<U, 1, Space> bd;  // (classes)

        felt::View<U, 4, Space> filters() const { return Wc; }
        template <class F>
        void each(F&& f) const {
            f("Wc", Wc), f("Wd", Wd), f("bc", bc), f("bd", bd);
        }
    };

    study(shape const& s, index_t batch)
        : shape_(s),
          a_({batch, s.filters, s.features(), s.features()}),
          h_({batch, s.filters, s.pooled(), s.pooled()}),
          dh_(h_.extents()),
          p_({batch, s.classes}),
          d_(p_.extents()) {}

    // J at theta; its gradient is written. How is felt::fused or felt::unfused.
    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient);

    // The most probable class of each image.
    template <class How>
    void classify(How how, felt::View<T const, 4, Space> const& x, vector const& theta,
                  felt::View<index_t, 1, Space> y) const;

    template <class U>
    static parts<U> parts_of(U* theta, shape const& s) {
        auto const features = [](U* p, index_t a, index_t b, index_t c, index_t d) {
            return felt::view<Layout, Space>(p, {a, b, c, d});
        };
        U *const dense = theta + s.convolution(), *const biases = dense + s.dense();
        return {features(theta, s.filters, 1, s.filter, s.filter),
                features(dense, s.classes, s.filters, s.pooled(), s.pooled()),
                features(biases, 1, s.filters, 1, 1),
                felt::view<felt::RowMajor, Space>(biases + s.filters, {s.classes})};
    }

    static vector initial_parameters(shape const& s, std::uint64_t seed);

private:
    shape shape_;
    images a_, h_, dh_;            // activations, their means, derivative by these
    felt::Tensor<T, 2, Space> p_;  // probabilities
    felt::Tensor<T, 2, Space> d_;  // derivative by what goes into the softmax
    vector cost_{{1}};
};

// Wc normal of deviation 0.1, Wd uniform in [-r, r) with r = sqrt(6 / (10 + 2000 + 1)), biases 0.
template <class T, class Space, class Layout>
auto study<T, Space, Layout>::initial_parameters(shape const& s, std::uint64_t seed) -> vector {
    vector theta({s.parameters()});
    auto const p = parts_of(theta.data(), s);
    auto const inputs = static_cast<double>(s.dense() / s.classes);
    auto const r = static_cast<T>(std::sqrt(6 / (static_cast<double>(s.classes) + inputs + 1)));
    auto Wc = p.Wc, Wd = p.Wd;
    Wc = T(0.1) * felt::normal<T>(Wc.extents(), seed);
    Wd = (2 * felt::uniform<T>(Wd.extents(), seed + 1) - 1) * r;
    return theta;
}

template <class T, class Space, class Layout>
template <class How>
double study<T, Space, Layout>::cost_and_gradient(How how, batch<T, Space> const& b,
                                                  vector const& theta, vector& gradient) {
    auto const [Wc, Wd, bc, bd] = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    index_t const k = shape_.pool;
    auto const m = static_cast<T>(b.whole());

    run(how, assign(a_, sigmoid(conv2d(b.x, Wc) + bc)),
        assign(h_, avg_pool2d(a_, {.window = {k, k}})));

    auto const hit = felt::one_hot<T>(b.y, shape_.classes);
    run(how, assign(p_, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(h_, Wd) + bd)),
        assign(slice(cost_, 0), cross_entropy(p_, hit, m)), assign(d_, (p_ - hit) / m),
        assign(g.bd, felt::sum<0>(d_)), assign(g.Wd, felt::einsum<"no,nchw->ochw">(d_, h_)),
        assign(dh_, felt::einsum<"no,ochw->nchw">(d_, Wd)));

    auto const dz = upsample(dh_, {k, k}) * (1 / static_cast<T>(k * k)) * a_ * (1 - a_);
    run(how, assign(g.Wc, conv2d_weight_grad(b.x, dz, Wc.extents())),
        assign(g.bc, felt::sum<0, 2, 3>(dz, felt::keepdims)));
    return static_cast<double>(T(sum(cost_)));
}

template <class T, class Space, class Layout>
template <class How>
void study<T, Space, Layout>::classify(How how, felt::View<T const, 4, Space> const& x,
                                       vector const& theta, felt::View<index_t, 1, Space> y) const {
    auto const [Wc, Wd, bc, bd] = parts_of(theta.data(), shape_);
    index_t const k = shape_.pool;
    images h({x.extent(0), shape_.filters, shape_.pooled(), shape_.pooled()});
    run(how, assign(h, avg_pool2d(sigmoid(conv2d(x, Wc) + bc), {.window = {k, k}})));
    run(how, assign(y, felt::argmax<1>(felt::einsum<"nchw,ochw->no">(h, Wd) + bd)));
}

}  // namespace cnn

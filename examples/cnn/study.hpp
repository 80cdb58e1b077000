// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network: one convolution, a mean pool, a softmax. On m images:
//
//   a = sigmoid(conv2d(x, Wc) + bc),  h = mean of a over pool x pool,  p = softmax(h Wd + bd)
//   J = mean of -log p[label]
//
// The backward pass reads a, h and what goes into the softmax, and is derived. All parameters are
// one vector theta = [Wc, Wd, bc, bd], as an optimiser wants them; Layout is the order in which
// features and weights lie in memory.
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
    static constexpr char const* stages[2] = {"forward", "backward"};

    // Views of the parts of theta, or of a gradient.
    template <class U>
    struct parts {
        felt::View<U, 4, Space> Wc;  // (filters, 1, filter, filter)
        felt::View<U, 4, Space> Wd;  // (classes, filters, pooled, pooled)
        felt::View<U, 1, Space> bc;  // (filters)
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
          z_({batch, s.classes}) {}

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
                felt::view<felt::RowMajor, Space>(biases, {s.filters}),
                felt::view<felt::RowMajor, Space>(biases + s.filters, {s.classes})};
    }

    static vector initial_parameters(shape const& s, std::uint64_t seed);

private:
    shape shape_;
    images a_, h_;                 // activations, their means
    felt::Tensor<T, 2, Space> z_;  // what goes into the softmax
    felt::workspace<Space> memory_;
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
    auto const p = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    index_t const k = shape_.pool;
    auto const Wc = felt::named<"Wc">(p.Wc);
    auto const Wd = felt::named<"Wd">(p.Wd);
    auto const bc = felt::named<"bc">(p.bc);
    auto const bd = felt::named<"bd">(p.bd);

    //[cost]
    auto const a = felt::keep<"a">(a_, sigmoid(conv2d(b.x, Wc) + felt::along<1>(bc)));
    auto const h = felt::keep<"h">(h_, avg_pool2d(a, {.window = {k, k}}));
    auto const z = felt::keep<"z">(z_, felt::einsum<"nchw,ochw->no">(h, Wd) + bd);
    auto step = felt::gradient(program(a, h, z), mean_cost(b, z),
                               felt::wrt<"Wc", "Wd", "bc", "bd">(), memory_, felt::written<"h">());
    //[cost]
    return static_cast<double>(step(how, g.Wc, g.Wd, g.bc, g.bd));
}

template <class T, class Space, class Layout>
template <class How>
void study<T, Space, Layout>::classify(How how, felt::View<T const, 4, Space> const& x,
                                       vector const& theta, felt::View<index_t, 1, Space> y) const {
    auto const [Wc, Wd, bc, bd] = parts_of(theta.data(), shape_);
    index_t const k = shape_.pool;
    images h({x.extent(0), shape_.filters, shape_.pooled(), shape_.pooled()});
    run(how,
        assign(h, avg_pool2d(sigmoid(conv2d(x, Wc) + felt::along<1>(bc)), {.window = {k, k}})));
    run(how, assign(y, felt::argmax<1>(felt::einsum<"nchw,ochw->no">(h, Wd) + bd)));
}

}  // namespace cnn

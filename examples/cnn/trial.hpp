// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network: two convolutions and two dense layers.
//
//   h1 = maxpool2(relu(conv2d(x,  W1) + b1))      filters of 5 x 5, padded so that sides stay
//   h2 = maxpool2(relu(conv2d(h1, W2) + b2))
//   h3 = relu(dropout(h2 W3 + b3)),  p = softmax(h3 W4 + b4),  J = mean of -log p[label]
//
// The dropout's mask is a random expression: half of the elements are 0, the others doubled, and
// nothing of it is stored. The backward pass is derived.
#pragma once
#include <cnn/batch.hpp>

namespace cnn {

struct trial_shape {
    index_t side = 28, filter = 5, first = 32, second = 64, hidden = 1024, classes = 10;

    index_t parameters() const {
        index_t const side_of_h2 = side / 4;
        return first * filter * filter + second * first * filter * filter +
               hidden * second * side_of_h2 * side_of_h2 + classes * hidden + first + second +
               hidden + classes;
    }
};

template <class T, class Space = felt::Host, class Layout = felt::RowMajor>
class trial {
public:
    using value_type = T;
    using space = Space;
    using shape = trial_shape;
    using vector = felt::Tensor<T, 1, Space>;
    using images = felt::Tensor<T, 4, Space, Layout>;
    static constexpr char const* stages[2] = {"forward", "backward"};

    template <class U>
    struct parts {
        felt::View<U, 4, Space> W1;              // (first, 1, filter, filter)
        felt::View<U, 4, Space> W2;              // (second, first, filter, filter)
        felt::View<U, 4, Space> W3;              // (hidden, second, side / 4, side / 4)
        felt::View<U, 2, Space> W4;              // (classes, hidden)
        felt::View<U, 1, Space> b1, b2, b3, b4;  // (first), (second), (hidden), (classes)

        felt::View<U, 4, Space> filters() const { return W1; }
        template <class F>
        void each(F&& f) const {
            f("W1", W1), f("W2", W2), f("W3", W3), f("W4", W4);
            f("b1", b1), f("b2", b2), f("b3", b3), f("b4", b4);
        }
    };

    trial(shape const& s, index_t batch)
        : shape_(s),
          z1_({batch, s.first, s.side, s.side}),
          h1_({batch, s.first, s.side / 2, s.side / 2}),
          z2_({batch, s.second, s.side / 2, s.side / 2}),
          h2_({batch, s.second, s.side / 4, s.side / 4}),
          h3_({batch, s.hidden}),
          z4_({batch, s.classes}) {}

    template <class How>
    double cost_and_gradient(How how, batch<T, Space> const& b, vector const& theta,
                             vector& gradient);

    template <class How>
    void classify(How how, felt::View<T const, 4, Space> const& x, vector const& theta,
                  felt::View<index_t, 1, Space> y) const;

    template <class U>
    static parts<U> parts_of(U* theta, shape const& s);

    static vector initial_parameters(shape const& s, std::uint64_t seed);

private:
    static felt::conv_options same(shape const& s) {
        return {.padding = {s.filter / 2, s.filter / 2}};
    }

    // Of numbers for a whole batch; those of an image do not depend on the number of ranks.
    template <class X>
    static auto own_part(batch<T, Space> const& b, X const& x) {
        return slice(x, felt::range(b.first, b.first + b.x.extent(0)), felt::all());
    }

    shape shape_;
    images z1_, h1_, z2_, h2_;
    felt::Tensor<T, 2, Space> h3_, z4_;
    felt::workspace<Space> memory_;
};

template <class T, class Space, class Layout>
template <class U>
auto trial<T, Space, Layout>::parts_of(U* theta, shape const& s) -> parts<U> {
    auto const taken = [&theta](index_t n) { return std::exchange(theta, theta + n); };
    auto const features = [&](index_t a, index_t b, index_t c, index_t d) {
        return felt::view<Layout, Space>(taken(a * b * c * d), {a, b, c, d});
    };
    auto const biases = [&](index_t n) { return felt::view<felt::RowMajor, Space>(taken(n), {n}); };
    auto const W1 = features(s.first, 1, s.filter, s.filter);
    auto const W2 = features(s.second, s.first, s.filter, s.filter);
    auto const W3 = features(s.hidden, s.second, s.side / 4, s.side / 4);
    auto const W4 =
        felt::view<felt::RowMajor, Space>(taken(s.classes * s.hidden), {s.classes, s.hidden});
    auto const b1 = biases(s.first), b2 = biases(s.second);
    auto const b3 = biases(s.hidden), b4 = biases(s.classes);
    return {W1, W2, W3, W4, b1, b2, b3, b4};
}

// Weights normal of deviation 0.1, none beyond two deviations (those are drawn 0); biases 0.1.
template <class T, class Space, class Layout>
auto trial<T, Space, Layout>::initial_parameters(shape const& s, std::uint64_t seed) -> vector {
    vector theta({s.parameters()});
    parts_of(theta.data(), s).each([&](char const* name, auto part) {
        auto const x = felt::normal<T>(part.extents(), seed++);
        if (name[0] == 'b') part = T(0.1);
        else part = T(0.1) * where(abs(x) < T(2), x, T(0));
    });
    return theta;
}

template <class T, class Space, class Layout>
template <class How>
double trial<T, Space, Layout>::cost_and_gradient(How how, batch<T, Space> const& b,
                                                  vector const& theta, vector& gradient) {
    auto const p = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    auto const pad = same(shape_);
    auto const layer = [&](auto const& x, auto const& W, auto const& c) {
        return relu(conv2d(x, W, pad) + felt::along<1>(c));
    };
    auto const W1 = felt::named<"W1">(p.W1);
    auto const W2 = felt::named<"W2">(p.W2);
    auto const W3 = felt::named<"W3">(p.W3);
    auto const W4 = felt::named<"W4">(p.W4);
    auto const b1 = felt::named<"b1">(p.b1);
    auto const b2 = felt::named<"b2">(p.b2);
    auto const b3 = felt::named<"b3">(p.b3);
    auto const b4 = felt::named<"b4">(p.b4);
    auto const kept = own_part(b, felt::uniform<T>({b.whole(), shape_.hidden}, b.draw)) < T(0.5);

    auto const z1 = felt::keep<"z1">(z1_, layer(b.x, W1, b1));
    auto const h1 = felt::keep<"h1">(h1_, max_pool2d(z1));
    auto const z2 = felt::keep<"z2">(z2_, layer(h1, W2, b2));
    auto const h2 = felt::keep<"h2">(h2_, max_pool2d(z2));
    auto const z3 = felt::einsum<"nchw,ochw->no">(h2, W3) + b3;
    auto const h3 = felt::keep<"h3">(h3_, relu(where(kept, 2 * z3, T(0))));
    auto const z4 = felt::keep<"z4">(z4_, matmul(h3, transpose(W4)) + b4);
    auto step =
        felt::gradient(program(z1, h1, z2, h2, h3, z4), mean_cost(b, z4),
                       felt::wrt<"W1", "W2", "W3", "W4", "b1", "b2", "b3", "b4">(), memory_);
    static_assert(!felt::recomputes_products<decltype(step)>);
    return static_cast<double>(step(how, g.W1, g.W2, g.W3, g.W4, g.b1, g.b2, g.b3, g.b4));
}

template <class T, class Space, class Layout>
template <class How>
void trial<T, Space, Layout>::classify(How how, felt::View<T const, 4, Space> const& x,
                                       vector const& theta, felt::View<index_t, 1, Space> y) const {
    auto const [W1, W2, W3, W4, b1, b2, b3, b4] = parts_of(theta.data(), shape_);
    auto const pad = same(shape_);
    index_t const n = x.extent(0);
    images h1({n, shape_.first, shape_.side / 2, shape_.side / 2});
    images h2({n, shape_.second, shape_.side / 4, shape_.side / 4});
    run(how, assign(h1, max_pool2d(relu(conv2d(x, W1, pad) + felt::along<1>(b1)))));
    // Not one statement: a pool over a convolution of many channels took three times as long.
    images z2({n, shape_.second, shape_.side / 2, shape_.side / 2});
    run(how, assign(z2, relu(conv2d(h1, W2, pad) + felt::along<1>(b2))),
        assign(h2, max_pool2d(z2)));
    felt::Tensor<T, 2, Space> h3({n, shape_.hidden});
    run(how, assign(h3, relu(felt::einsum<"nchw,ochw->no">(h2, W3) + b3)),
        assign(y, felt::argmax<1>(matmul(h3, transpose(W4)) + b4)));
}

}  // namespace cnn

// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network: two convolutions and two dense layers.
//
//   h1 = maxpool2(relu(conv2d(x,  W1) + b1))      filters of 5 x 5, padded so that sides stay
//   h2 = maxpool2(relu(conv2d(h1, W2) + b2))
//   h3 = dropout(relu(h2 W3 + b3)),  p = softmax(h3 W4 + b4),  J = mean of -log p[label]
//
// The dropout's mask is a random expression: half of the elements are 0, the others doubled, and
// nothing of it is stored; backwards, h3 > 0 says what was kept. z = relu(conv2d(..) + b) goes
// back to where the maxima were: dz = upsample(dh) where the maximum lay, else 0, an operand and
// never a tensor.
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
    static constexpr char const* stages[8] = {"convolution 1",  "max pool 1",     "convolution 2",
                                              "max pool 2",     "dense, softmax", "dense gradients",
                                              "gradients of 2", "gradients of 1"};

    template <class U>
    struct parts {
        felt::View<U, 4, Space> W1;      // (first, 1, filter, filter)
        felt::View<U, 4, Space> W2;      // (second, first, filter, filter)
        felt::View<U, 4, Space> W3;      // (hidden, second, side / 4, side / 4)
        felt::View<U, 2, Space> W4;      // (classes, hidden)
        felt::View<U, 4, Space> b1, b2;  // (1, filters, 1, 1)
        felt::View<U, 1, Space> b3, b4;  // (hidden), (classes)

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
          dh1_(h1_.extents()),
          dh2_(h2_.extents()),
          at1_(h1_.extents()),
          at2_(h2_.extents()),
          h3_({batch, s.hidden}),
          d3_(h3_.extents()),
          p_({batch, s.classes}),
          d4_(p_.extents()) {}

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
    using places = felt::Tensor<index_t, 4, Space, Layout>;

    static felt::conv_options same(shape const& s) {
        return {.padding = {s.filter / 2, s.filter / 2}};
    }

    // Of numbers for a whole batch; those of an image do not depend on the number of ranks.
    template <class X>
    static auto own_part(batch<T, Space> const& b, X const& x) {
        return slice(x, felt::range(b.first, b.first + b.x.extent(0)), felt::all());
    }

    // The derivative by what was pooled: dh where the maximum lay, if it passed the relu.
    template <class I, class H>
    static auto unpooled(H const& dh, H const& h, I const& at) {
        index_t const rows = 2 * h.extent(2), columns = 2 * h.extent(3);
        return where(upsample(at, {2, 2}) == felt::iota<index_t>({rows, columns}),
                     upsample(where(h > 0, dh, T(0)), {2, 2}), T(0));
    }

    shape shape_;
    images z1_, h1_, z2_, h2_, dh1_, dh2_;
    places at1_, at2_;  // where the maxima lay
    felt::Tensor<T, 2, Space> h3_, d3_, p_, d4_;
    vector cost_{{1}};
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
    auto const b1 = features(1, s.first, 1, 1), b2 = features(1, s.second, 1, 1);
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
    auto const [W1, W2, W3, W4, b1, b2, b3, b4] = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    auto const pad = same(shape_);
    auto const m = static_cast<T>(b.whole());

    run(how, assign(z1_, relu(conv2d(b.x, W1, pad) + b1)));
    run(how, assign(h1_, max_pool2d(z1_)), assign(at1_, argmax_pool2d(z1_)));
    run(how, assign(z2_, relu(conv2d(h1_, W2, pad) + b2)));
    run(how, assign(h2_, max_pool2d(z2_)), assign(at2_, argmax_pool2d(z2_)));

    auto const kept = own_part(b, felt::uniform<T>({b.whole(), shape_.hidden}, b.draw)) < T(0.5);
    auto const hit = felt::one_hot<T>(b.y, shape_.classes);
    run(how, assign(h3_, where(kept, 2 * relu(felt::einsum<"nchw,ochw->no">(h2_, W3) + b3), T(0))),
        assign(p_, felt::softmax<1>(matmul(h3_, transpose(W4)) + b4)),
        assign(slice(cost_, 0), cross_entropy(p_, hit, m)), assign(d4_, (p_ - hit) / m));
    run(how, assign(g.b4, felt::sum<0>(d4_)), assign(g.W4, matmul(transpose(d4_), h3_)),
        assign(d3_, where(h3_ > 0, 2 * matmul(d4_, W4), T(0))), assign(g.b3, felt::sum<0>(d3_)),
        assign(g.W3, felt::einsum<"no,nchw->ochw">(d3_, h2_)),
        assign(dh2_, felt::einsum<"no,ochw->nchw">(d3_, W3)));

    auto const dz2 = unpooled(dh2_, h2_, at2_);
    run(how, assign(g.W2, conv2d_weight_grad(h1_, dz2, W2.extents(), pad)),
        assign(g.b2, felt::sum<0, 2, 3>(dz2, felt::keepdims)),
        assign(dh1_, conv2d_input_grad(dz2, W2, h1_.extents(), pad)));
    auto const dz1 = unpooled(dh1_, h1_, at1_);
    run(how, assign(g.W1, conv2d_weight_grad(b.x, dz1, W1.extents(), pad)),
        assign(g.b1, felt::sum<0, 2, 3>(dz1, felt::keepdims)));
    return static_cast<double>(T(sum(cost_)));
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
    run(how, assign(h1, max_pool2d(relu(conv2d(x, W1, pad) + b1))));
    // Not one statement: a pool over a convolution of many channels took three times as long.
    images z2({n, shape_.second, shape_.side / 2, shape_.side / 2});
    run(how, assign(z2, relu(conv2d(h1, W2, pad) + b2)), assign(h2, max_pool2d(z2)));
    felt::Tensor<T, 2, Space> h3({n, shape_.hidden});
    run(how, assign(h3, relu(felt::einsum<"nchw,ochw->no">(h2, W3) + b3)),
        assign(y, felt::argmax<1>(matmul(h3, transpose(W4)) + b4)));
}

}  // namespace cnn

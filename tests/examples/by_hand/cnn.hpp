// SPDX-License-Identifier: BSD-3-Clause
//
// Costs and gradients of the networks of examples/cnn with backward passes written by hand: what
// derived ones are compared with, in values, in bytes and, by benchmarks/derived.cpp, in time.
#pragma once
#include <cnn/net.hpp>

namespace by_hand {

using felt::index_t;

// Views of the parts of theta, or of a gradient, one behind another.
template <class U>
class parts {
public:
    using T = std::remove_const_t<U>;
    template <std::size_t R>
    using part = felt::View<U, R>;

    explicit parts(U* theta) : next_(theta) {}
    part<4> images(index_t o, index_t c, index_t h, index_t w) {
        return felt::view<felt::ChannelsLast>(taken(o * c * h * w), {o, c, h, w});
    }
    part<2> matrix(index_t o, index_t i) { return felt::view(taken(o * i), {o, i}); }
    part<1> vector(index_t n) { return felt::view(taken(n), {n}); }

private:
    U* taken(index_t n) { return std::exchange(next_, next_ + n); }
    U* next_;
};
template <class U>
struct study_parts {
    felt::View<U, 4> Wc, Wd;  // (filters, 1, filter, filter), (classes, filters, pooled, pooled)
    felt::View<U, 1> bc, bd;
};
template <class U>
study_parts<U> parts_of(cnn::study_shape const& s, U* theta) {
    parts<U> p(theta);
    auto const Wc = p.images(s.filters, 1, s.filter, s.filter);
    auto const bc = p.vector(s.filters);
    auto const Wd = p.images(s.classes, s.filters, s.pooled(), s.pooled());
    return {Wc, Wd, bc, p.vector(s.classes)};
}
template <class U>
struct trial_parts {
    felt::View<U, 4> W1, W2, W3;  // .., (hidden, second, side / 4, side / 4)
    felt::View<U, 2> W4;
    felt::View<U, 1> b1, b2, b3, b4;
};
template <class U>
trial_parts<U> parts_of(cnn::trial_shape const& s, U* theta) {
    parts<U> p(theta);
    auto const W1 = p.images(s.first, 1, s.filter, s.filter);
    auto const b1 = p.vector(s.first);
    auto const W2 = p.images(s.second, s.first, s.filter, s.filter);
    auto const b2 = p.vector(s.second);
    auto const W3 = p.images(s.hidden, s.second, s.side / 4, s.side / 4);
    auto const b3 = p.vector(s.hidden);
    auto const W4 = p.matrix(s.classes, s.hidden);
    return {W1, W2, W3, W4, b1, b2, b3, p.vector(s.classes)};
}
template <class U>
struct softmax_parts {
    felt::View<U, 4> W;
    felt::View<U, 1> b;
};
template <class U>
softmax_parts<U> parts_of(cnn::softmax_shape const& s, U* theta) {
    parts<U> p(theta);
    auto const W = p.images(s.classes, 1, s.side, s.side);
    return {W, p.vector(s.classes)};
}

// -log p of the right class; these images' part of its mean over m.
template <class P, class Hit, class T>
auto cross_entropy(P const& p, Hit const& hit, T m) {
    return sum(log(felt::sum<1>(p * hit))) * (-1 / m);
}

template <class T>
struct softmax_regression {
    cnn::softmax_shape s;
    felt::Tensor<T, 2> p, d;
    felt::Tensor<T, 1> cost;

    softmax_regression(cnn::softmax_shape const& of, index_t batch)
        : s(of), p({batch, of.classes}), d(p.extents()), cost({1}) {}

    template <class How, class V>
    double cost_and_gradient(How how, cnn::batch<T> const& b, V const& theta, V& gradient) {
        auto const [W, bias] = parts_of(s, theta.data());
        auto const g = parts_of(s, gradient.data());
        auto const m = static_cast<T>(b.whole());
        auto const hit = felt::one_hot<T>(b.y, s.classes);
        run(how, assign(p, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(b.x, W) + bias)),
            assign(slice(cost, 0), cross_entropy(p, hit, m)), assign(d, (p - hit) / m));
        run(how, assign(g.b, felt::sum<0>(d)), assign(g.W, felt::einsum<"no,nchw->ochw">(d, b.x)));
        return static_cast<double>(T(sum(cost)));
    }
};

// d = (p - one_hot(label)) / m,  dWd = d h,  dbd = sum d,  dh = d Wd
// dz = upsample(dh) / pool^2 a (1 - a),  dWc = conv2d_weight_grad(x, dz),  dbc = sum dz
template <class T>
struct study {
    using images = felt::Tensor<T, 4, felt::Host, felt::ChannelsLast>;
    cnn::study_shape s;
    images a, h, dh;
    felt::Tensor<T, 2> p, d;
    felt::Tensor<T, 1> cost;

    study(cnn::study_shape const& of, index_t batch)
        : s(of),
          a({batch, s.filters, s.features(), s.features()}),
          h({batch, s.filters, s.pooled(), s.pooled()}),
          dh(h.extents()),
          p({batch, s.classes}),
          d(p.extents()),
          cost({1}) {}

    template <class How, class V>
    double cost_and_gradient(How how, cnn::batch<T> const& b, V const& theta, V& gradient) {
        auto const [Wc, Wd, bc, bd] = parts_of(s, theta.data());
        auto const g = parts_of(s, gradient.data());
        index_t const k = s.pool;
        auto const m = static_cast<T>(b.whole());
        run(how, assign(a, sigmoid(conv2d(b.x, Wc) + felt::along<1>(bc))),
            assign(h, avg_pool2d(a, {.window = {k, k}})));
        auto const hit = felt::one_hot<T>(b.y, s.classes);
        run(how, assign(p, felt::softmax<1>(felt::einsum<"nchw,ochw->no">(h, Wd) + bd)),
            assign(slice(cost, 0), cross_entropy(p, hit, m)), assign(d, (p - hit) / m),
            assign(g.bd, felt::sum<0>(d)), assign(g.Wd, felt::einsum<"no,nchw->ochw">(d, h)),
            assign(dh, felt::einsum<"no,ochw->nchw">(d, Wd)));
        auto const dz = upsample(dh, {k, k}) * (1 / static_cast<T>(k * k)) * a * (1 - a);
        run(how, assign(g.Wc, conv2d_weight_grad(b.x, dz, Wc.extents())),
            assign(g.bc, felt::sum<0, 2, 3>(dz)));
        return static_cast<double>(T(sum(cost)));
    }
};

// h3 > 0 says what dropout kept; z = relu(conv2d(..) + b) goes back to where the maxima were.
template <class T>
struct trial {
    using images = felt::Tensor<T, 4, felt::Host, felt::ChannelsLast>;
    using places = felt::Tensor<index_t, 4, felt::Host, felt::ChannelsLast>;
    cnn::trial_shape s;
    images z1, h1, z2, h2, dh1, dh2;
    places at1, at2;
    felt::Tensor<T, 2> h3, d3, p, d4;
    felt::Tensor<T, 1> cost;

    trial(cnn::trial_shape const& of, index_t batch)
        : s(of),
          z1({batch, s.first, s.side, s.side}),
          h1({batch, s.first, s.side / 2, s.side / 2}),
          z2({batch, s.second, s.side / 2, s.side / 2}),
          h2({batch, s.second, s.side / 4, s.side / 4}),
          dh1(h1.extents()),
          dh2(h2.extents()),
          at1(h1.extents()),
          at2(h2.extents()),
          h3({batch, s.hidden}),
          d3(h3.extents()),
          p({batch, s.classes}),
          d4(p.extents()),
          cost({1}) {}

    // The derivative by what was pooled: dh where the maximum lay, if it passed the relu.
    template <class I, class H>
    static auto unpooled(H const& dh, H const& h, I const& at) {
        index_t const rows = 2 * h.extent(2), columns = 2 * h.extent(3);
        return where(upsample(at, {2, 2}) == felt::iota<index_t>({rows, columns}),
                     upsample(where(h > 0, dh, T(0)), {2, 2}), T(0));
    }

    template <class How, class V>
    double cost_and_gradient(How how, cnn::batch<T> const& b, V const& theta, V& gradient) {
        auto const [W1, W2, W3, W4, b1, b2, b3, b4] = parts_of(s, theta.data());
        auto const g = parts_of(s, gradient.data());
        felt::conv_options const pad{.padding = {s.filter / 2, s.filter / 2}};
        auto const m = static_cast<T>(b.whole());
        run(how, assign(z1, relu(conv2d(b.x, W1, pad) + felt::along<1>(b1))));
        run(how, assign(h1, max_pool2d(z1)), assign(at1, argmax_pool2d(z1)));
        run(how, assign(z2, relu(conv2d(h1, W2, pad) + felt::along<1>(b2))));
        run(how, assign(h2, max_pool2d(z2)), assign(at2, argmax_pool2d(z2)));

        std::uint64_t const layer = 8;  // of the dropout
        auto const all = felt::uniform<T>({b.whole(), s.hidden}, b.draw + layer);
        auto const kept =
            slice(all, felt::range(b.first, b.first + b.x.extent(0)), felt::all()) >= T(0.5);
        auto const hit = felt::one_hot<T>(b.y, s.classes);
        run(how,
            assign(h3, where(kept, 2 * relu(felt::einsum<"nchw,ochw->no">(h2, W3) + b3), T(0))),
            assign(p, felt::softmax<1>(matmul(h3, transpose(W4)) + b4)),
            assign(slice(cost, 0), cross_entropy(p, hit, m)), assign(d4, (p - hit) / m));
        run(how, assign(g.b4, felt::sum<0>(d4)), assign(g.W4, matmul(transpose(d4), h3)),
            assign(d3, where(h3 > 0, 2 * matmul(d4, W4), T(0))), assign(g.b3, felt::sum<0>(d3)),
            assign(g.W3, felt::einsum<"no,nchw->ochw">(d3, h2)),
            assign(dh2, felt::einsum<"no,ochw->nchw">(d3, W3)));

        auto const dz2 = unpooled(dh2, h2, at2);
        run(how, assign(g.W2, conv2d_weight_grad(h1, dz2, W2.extents(), pad)),
            assign(g.b2, felt::sum<0, 2, 3>(dz2)),
            assign(dh1, conv2d_input_grad(dz2, W2, h1.extents(), pad)));
        auto const dz1 = unpooled(dh1, h1, at1);
        run(how, assign(g.W1, conv2d_weight_grad(b.x, dz1, W1.extents(), pad)),
            assign(g.b1, felt::sum<0, 2, 3>(dz1)));
        return static_cast<double>(T(sum(cost)));
    }
};

}  // namespace by_hand

// SPDX-License-Identifier: BSD-3-Clause
//
// A training step of the language model from a state of zeros, one operation after the other: each
// result is a tensor of its own, and is timed by the operation's name.
#pragma once
#include <lstm/model.hpp>
#include <support/profile.hpp>

namespace lstm {

template <class T, class Space = felt::Host>
class operations {
public:
    using vector = felt::Tensor<T, 1, Space>;
    using matrix = felt::Tensor<T, 2, Space>;
    using sequence = felt::Tensor<T, 3, Space>;

    operations(shape const& s, index_t steps, index_t batch)
        : shape_(s),
          x_({steps, batch, s.hidden}),
          dx_(x_.extents()),
          p_({steps, batch, s.vocabulary}),
          right_({steps, batch}),
          z_({batch, 4 * s.hidden}),
          zh_(z_.extents()),
          dh_({batch, s.hidden}),
          later_(dh_.extents()),
          dc_(dh_.extents()) {
        for (index_t k = 0; k < s.layers; ++k) layers_.emplace_back(steps, batch, s.hidden);
    }

    // J; the gradient at theta is written.
    double step(support::profile& times, batch<Space> const& b, vector const& theta,
                vector& gradient);

private:
    struct layer {
        sequence h, c;       // the first state, and after each step
        sequence a, tc, dz;  // values of the gates, tanh(c), derivatives by what the gates are of
        felt::recurrent_weights<T, Space> w;

        layer(index_t steps, index_t batch, index_t hidden)
            : h({steps + 1, batch, hidden}),
              c(h.extents()),
              a({steps, batch, 4 * hidden}),
              tc({steps, batch, hidden}),
              dz(a.extents()) {}
    };

    template <class... S>
    static void timed(support::profile& times, char const* name, S const&... s) {
        times.time(name, [&] { (run(felt::unfused, s), ...); });
    }
    template <class X>
    static auto at(X& x, index_t t) {
        return slice(x, t, felt::all(), felt::all());
    }
    template <class X>
    auto gate(X const& x, char name) const {
        auto const g = static_cast<index_t>(shape_.cell.order.find(name)) * shape_.hidden;
        return slice(x, felt::all(), felt::range(g, g + shape_.hidden));
    }

    using steps_of = felt::View<T, 3, Space>;
    using parts = typename model<T, Space>::template parts<T const>;
    using gradients = typename model<T, Space>::template parts<T>;

    // What layer k reads: the embedded words, or what the layer below gives.
    steps_of input_of(std::size_t k) {
        if (k == 0) return felt::view(x_);
        auto& h = layers_[k - 1].h;
        return slice(h, felt::range(1, h.extent(0)), felt::all(), felt::all());
    }

    void forward(support::profile& times, layer& l, steps_of const& x);
    void backward(support::profile& times, layer& l);  // dx_ is the derivative by the outputs
    void predict(support::profile& times, batch<Space> const& b, parts const& w,
                 gradients const& g);
    void differentiate(support::profile& times, std::size_t k, gradients const& g);

    shape shape_;
    std::vector<layer> layers_;
    sequence x_, dx_, p_;
    matrix right_, z_, zh_, dh_, later_, dc_;
};

template <class T, class Space>
void operations<T, Space>::forward(support::profile& times, layer& l, steps_of const& x) {
    auto const bias = static_cast<T>(shape_.cell.forget_bias);
    for (index_t t = 0; t < x.extent(0); ++t) {
        auto const a = at(l.a, t), c = at(l.c, t + 1), tc = at(l.tc, t);
        auto const i = gate(a, 'i'), j = gate(a, 'j'), f = gate(a, 'f'), o = gate(a, 'o');
        timed(times, "products of gates", assign(z_, matmul(at(x, t), l.w.x())),
              assign(zh_, matmul(at(l.h, t), l.w.h())));
        timed(times, "additions", assign(z_, z_ + zh_ + l.w.b()));
        timed(times, "sigmoid", assign(i, sigmoid(gate(z_, 'i'))),
              assign(f, sigmoid(gate(z_, 'f') + bias)), assign(o, sigmoid(gate(z_, 'o'))));
        timed(times, "tanh", assign(j, tanh(gate(z_, 'j'))));
        timed(times, "state", assign(c, f * at(l.c, t) + i * j));
        timed(times, "tanh", assign(tc, tanh(c)));
        timed(times, "state", assign(at(l.h, t + 1), o * tc));
    }
}

template <class T, class Space>
void operations<T, Space>::backward(support::profile& times, layer& l) {
    index_t const last = dx_.extent(0) - 1;
    for (index_t t = last; t >= 0; --t) {
        auto const a = at(l.a, t), tc = at(l.tc, t), dz = at(l.dz, t);
        auto const i = gate(a, 'i'), j = gate(a, 'j'), f = gate(a, 'f'), o = gate(a, 'o');
        if (t < last) {
            timed(times, "products back",
                  assign(later_, matmul(at(l.dz, t + 1), transpose(l.w.h()))));
            timed(times, "additions", assign(dh_, at(dx_, t) + later_));
            timed(times, "slopes", assign(dc_, dc_ * gate(at(l.a, t + 1), 'f')));
        } else {
            timed(times, "additions", assign(dh_, at(dx_, t)), assign(dc_, T(0)));
        }
        timed(times, "slopes", assign(dc_, dc_ + dh_ * o * (1 - square(tc))),
              assign(gate(dz, 'i'), dc_ * j * i * (1 - i)),
              assign(gate(dz, 'j'), dc_ * i * (1 - square(j))),
              assign(gate(dz, 'f'), dc_ * at(l.c, t) * f * (1 - f)),
              assign(gate(dz, 'o'), dh_ * tc * o * (1 - o)));
    }
}

template <class T, class Space>
void operations<T, Space>::predict(support::profile& times, batch<Space> const& b, parts const& w,
                                   gradients const& g) {
    auto const hit = felt::one_hot<T>(b.next, shape_.vocabulary);
    auto const h = input_of(layers_.size());
    timed(times, "word products", assign(p_, felt::einsum<"snh,hv->snv">(h, w.P)));
    timed(times, "softmax and cost", assign(p_, p_ + w.q), assign(p_, felt::softmax<2>(p_)),
          assign(right_, felt::sum<2>(p_ * hit)), assign(right_, log(right_)),
          assign(p_, (p_ - hit) / static_cast<T>(b.words.extent(1))));
    timed(times, "word products", assign(g.P, felt::einsum<"snh,snv->hv">(h, p_)),
          assign(dx_, felt::einsum<"snv,hv->snh">(p_, w.P)));
    timed(times, "sums", assign(g.q, felt::sum<0, 1>(p_)));
}

template <class T, class Space>
void operations<T, Space>::differentiate(support::profile& times, std::size_t k,
                                         gradients const& g) {
    layer& l = layers_[k];
    index_t const n = shape_.hidden;
    auto const h = slice(l.h, felt::range(0, x_.extent(0)), felt::all(), felt::all());
    backward(times, l);
    timed(times, "weight gradients",
          assign(slice(g.W[k], felt::range(0, n), felt::all()),
                 felt::einsum<"sni,snk->ik">(input_of(k), l.dz)),
          assign(slice(g.W[k], felt::range(n, 2 * n), felt::all()),
                 felt::einsum<"snj,snk->jk">(h, l.dz)));
    timed(times, "sums", assign(g.b[k], felt::sum<0, 1>(l.dz)));
    timed(times, "products back", assign(dx_, felt::einsum<"snk,ik->sni">(l.dz, l.w.x())));
}

template <class T, class Space>
double operations<T, Space>::step(support::profile& times, batch<Space> const& b,
                                  vector const& theta, vector& gradient) {
    auto const w = model<T, Space>::parts_of(theta.data(), shape_);
    auto const g = model<T, Space>::parts_of(gradient.data(), shape_);
    felt::extents<2> const rows{{b.words.size(), shape_.hidden}};
    auto const words = felt::view<felt::RowMajor, Space>(b.words.data(), {b.words.size()});
    timed(times, "gather", assign(reshape(x_, rows), felt::gather<0>(w.E, words)));
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        layers_[k].w.take(w.W[k], w.b[k], shape_.hidden);
        forward(times, layers_[k], input_of(k));
    }
    predict(times, b, w, g);
    for (std::size_t k = layers_.size(); k-- > 0;) differentiate(times, k, g);
    timed(times, "scatter_add",
          assign(g.E, felt::scatter_add<0>(g.E.extents(), words, reshape(dx_, rows))));
    return static_cast<double>(T(sum(right_))) / -static_cast<double>(right_.extent(1));
}

}  // namespace lstm

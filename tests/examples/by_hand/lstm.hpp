// SPDX-License-Identifier: BSD-3-Clause
//
// The language model with its backward pass by hand: what the derived one is compared with.
//
//   d = (p - one_hot(next)) / batch,  dP = h' d,  dq = sum d,  dh = d P',  ..,
//   dE = scatter_add of dx: every word adds to its row
//
// d takes the place of p.
#pragma once
#include <lstm/model.hpp>
#include <tests/nn/by_hand/lstm.hpp>

namespace by_hand {

using felt::index_t;
using ::lstm::batch;
using ::lstm::numbered;
using ::lstm::shape;

template <class T, class Space = felt::Host>
class language_model {
public:
    using value_type = T;
    using space = Space;
    using vector = felt::Tensor<T, 1, Space>;
    using layer = by_hand::lstm<T, Space>;

    template <class U>
    struct parts {
        felt::View<U, 2, Space> E, P;            // (vocabulary, hidden), (hidden, vocabulary)
        felt::View<U, 1, Space> q;               // (vocabulary)
        std::vector<felt::View<U, 2, Space>> W;  // of each layer: (2 hidden, 4 hidden)
        std::vector<felt::View<U, 1, Space>> b;  // (4 hidden)

        template <class F>
        void each(F&& f) const {
            f("E", E), f("P", P), f("q", q);
            for (std::size_t k = 0; k < W.size(); ++k) {
                f(numbered('W', k), W[k]), f(numbered('b', k), b[k]);
            }
        }
    };

    language_model(shape const& s, index_t steps, index_t batch)
        : shape_(s),
          x_({steps, batch, s.hidden}),
          dx_(x_.extents()),
          p_({steps, batch, s.vocabulary}),
          right_({steps, batch}) {
        auto const size = felt::recurrent_shape_for(steps, batch, s.hidden, s.hidden);
        for (index_t k = 0; k < s.layers; ++k) layers_.emplace_back(size, s.cell);
    }

    // The state with which the next batch begins: zeros, or that after the last batch.
    void reset() {
        for (auto& l : layers_) l.reset();
    }
    void carry() {
        for (auto& l : layers_) l.carry();
    }

    // J at theta; its gradient is written. How is felt::fused or felt::unfused.
    template <class How>
    double cost_and_gradient(How how, batch<Space> const& b, vector const& theta, vector& gradient);

    // J alone.
    template <class How>
    double cost(How how, batch<Space> const& b, vector const& theta);

    felt::Tensor<T, 3, Space> const& probabilities() const { return p_; }  // after cost()

    // f(layer, what, state): what the next batch begins with.
    template <class F>
    void each_state(F&& f) {
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            f(numbered('h', k), layers_[k].first());
            f(numbered('c', k), layers_[k].first_cell());
        }
    }

    // Called with the name of each stage of cost_and_gradient when it is done.
    void watch(std::function<void(char const*)> f) { done_ = std::move(f); }

    template <class U>
    static parts<U> parts_of(U* theta, shape const& s);

    // Uniform in [-0.1, 0.1).
    static vector initial_parameters(shape const& s, std::uint64_t seed) {
        vector theta({s.parameters()});
        theta = T(0.2) * felt::uniform<T>(theta.extents(), seed) - T(0.1);
        return theta;
    }

private:
    using sequence = felt::View<T, 3, Space>;

    static auto flat(felt::View<int const, 2, Space> const& words) {
        return felt::view<felt::RowMajor, Space>(words.data(), {words.size()});
    }
    sequence input_of(std::size_t k) { return k == 0 ? felt::view(x_) : layers_[k - 1].outputs(); }

    template <class How>
    void embed(How how, batch<Space> const& b, felt::View<T const, 2, Space> const& E) {
        auto const rows =
            felt::view<felt::RowMajor, Space>(x_.data(), {b.words.size(), E.extent(1)});
        run(how, assign(rows, felt::gather<0>(E, flat(b.words))));
    }

    // p, and of it the probability of what came; J, of so many sequences.
    template <class How, class Hit>
    double predict(How how, parts<T const> const& w, Hit const& hit, index_t whole);

    void done(char const* stage) const {
        if (done_) done_(stage);
    }

    shape shape_;
    std::vector<layer> layers_;
    felt::Tensor<T, 3, Space> x_, dx_;  // embedded words, and the derivative by what a layer reads
    felt::Tensor<T, 3, Space> p_;       // probabilities of all words
    felt::Tensor<T, 2, Space> right_;   // of those that came
    std::function<void(char const*)> done_;
};

template <class T, class Space>
template <class U>
auto language_model<T, Space>::parts_of(U* theta, shape const& s) -> parts<U> {
    auto const taken = [&theta](index_t n) { return std::exchange(theta, theta + n); };
    auto const matrix = [&](index_t m, index_t n) {
        return felt::view<felt::RowMajor, Space>(taken(m * n), {m, n});
    };
    auto const row = [&](index_t n) { return felt::view<felt::RowMajor, Space>(taken(n), {n}); };
    auto const E = matrix(s.vocabulary, s.hidden), P = matrix(s.hidden, s.vocabulary);
    parts<U> p{E, P, row(s.vocabulary), {}, {}};
    for (index_t k = 0; k < s.layers; ++k) {
        p.W.push_back(matrix(2 * s.hidden, 4 * s.hidden));
        p.b.push_back(row(4 * s.hidden));
    }
    return p;
}

template <class T, class Space>
template <class How, class Hit>
double language_model<T, Space>::predict(How how, parts<T const> const& w, Hit const& hit,
                                         index_t whole) {
    // Not softmax of the product, which would stream the weights for every 256 rows.
    run(how, assign(p_, felt::einsum<"snh,hv->snv">(layers_.back().outputs(), w.P) + w.q));
    run(how, assign(p_, felt::softmax<2>(p_)), assign(right_, felt::sum<2>(p_ * hit)));
    return static_cast<double>(T(sum(log(right_)))) / -static_cast<double>(whole);
}

template <class T, class Space>
template <class How>
double language_model<T, Space>::cost(How how, batch<Space> const& b, vector const& theta) {
    auto const w = parts_of(theta.data(), shape_);
    embed(how, b, w.E);
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        layers_[k].weights(w.W[k], w.b[k]);
        layers_[k].infer(how, input_of(k));
    }
    return predict(how, w, felt::one_hot<T>(b.next, shape_.vocabulary), b.whole());
}

template <class T, class Space>
template <class How>
double language_model<T, Space>::cost_and_gradient(How how, batch<Space> const& b,
                                                   vector const& theta, vector& gradient) {
    auto const w = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    embed(how, b, w.E);
    done("embedding");
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        layers_[k].weights(w.W[k], w.b[k]);
        layers_[k].forward(how, input_of(k));
    }
    done("LSTM forward");
    auto const hit = felt::one_hot<T>(b.next, shape_.vocabulary);
    double const cost = predict(how, w, hit, b.whole());
    done("softmax");

    run(how, assign(p_, (p_ - hit) / static_cast<T>(b.whole())));  // d, from here on
    run(how, assign(g.P, felt::einsum<"snh,snv->hv">(layers_.back().outputs(), p_)));
    run(how, assign(dx_, felt::einsum<"snv,hv->snh">(p_, w.P)));
    run(how, assign(g.q, felt::sum<0, 1>(p_)));
    done("softmax gradients");
    for (std::size_t k = layers_.size(); k-- > 0;) {
        layers_[k].backward(how, felt::view(dx_));
        done("LSTM backward");
        layers_[k].weight_gradients(how, input_of(k), g.W[k], g.b[k]);
        layers_[k].input_gradients(how, felt::view(dx_));
        done("LSTM weights");
    }
    auto const rows =
        felt::view<felt::RowMajor, Space>(dx_.data(), {b.words.size(), shape_.hidden});
    run(how, assign(g.E, felt::scatter_add<0>(g.E.extents(), flat(b.words), rows)));
    done("embedding");
    return cost;
}

}  // namespace by_hand

// SPDX-License-Identifier: BSD-3-Clause
//
// The language model of the study: an embedding, layers of LSTM, a softmax over the vocabulary.
//
//   x = rows of E,  h = LSTM of LSTM of .. x,  z = h P + q,  p = softmax(z) at every step
//   J = sum over steps of the mean over the batch of -log p[next word]
//
// The derivative by z takes the place of z. The state goes on from one batch to the next and the
// derivatives do not: truncated backpropagation through time. All parameters are one vector
// theta = [E, P, q, W1, b1, W2, b2, ..], as an optimiser wants them.
#pragma once
#include <felt/nn/lstm.hpp>
#include <functional>
#include <vector>

namespace lstm {

using felt::index_t;

struct shape {
    index_t vocabulary = 10000, hidden = 256, layers = 2;
    felt::lstm_options cell = {};  // forget bias 0, as in the study

    index_t layer() const { return (2 * hidden + 1) * 4 * hidden; }
    index_t parameters() const { return 2 * vocabulary * hidden + vocabulary + layers * layer(); }
};

// "W", 0 -> "W1"
inline std::string numbered(char name, std::size_t k) {
    return std::string(1, name).append(std::to_string(k + 1));
}

// (steps, batch): words, and what comes after each.
template <class Space = felt::Host>
struct batch {
    felt::View<int const, 2, Space> words, next;
    index_t of = 0;  // sequences of all ranks; 0: these are all

    index_t whole() const { return of > 0 ? of : words.extent(1); }
};

template <class T, class Space = felt::Host>
class model {
public:
    using value_type = T;
    using space = Space;
    using vector = felt::Tensor<T, 1, Space>;

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

    model(shape const& s, index_t steps, index_t batch)
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

    // (words, hidden) of (steps, batch, hidden).
    auto rows_of(felt::Tensor<T, 3, Space>& x) const {
        return felt::view<felt::RowMajor, Space>(x.data(),
                                                 {x.size() / shape_.hidden, shape_.hidden});
    }
    template <class Table>
    static auto words_of(batch<Space> const& b, Table const& E) {
        return felt::gather<0>(E, flat(b.words));
    }

    // p, and of it the probability of what came; J, of so many sequences.
    template <class How, class Hit>
    double predict(How how, parts<T const> const& w, Hit const& hit, index_t whole);

    void done(char const* stage) const {
        if (done_) done_(stage);
    }

    shape shape_;
    std::vector<felt::lstm<T, Space>> layers_;
    felt::Tensor<T, 3, Space> x_, dx_;  // embedded words, and the derivative by what a layer reads
    felt::Tensor<T, 3, Space> p_;       // probabilities of all words, or z
    felt::Tensor<T, 2, Space> right_;   // of those that came
    felt::workspace<Space> memory_;
    std::function<void(char const*)> done_;
};

template <class T, class Space>
template <class U>
auto model<T, Space>::parts_of(U* theta, shape const& s) -> parts<U> {
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
double model<T, Space>::predict(How how, parts<T const> const& w, Hit const& hit, index_t whole) {
    // Not softmax of the product, which would stream the weights for every 256 rows.
    run(how, assign(p_, felt::einsum<"snh,hv->snv">(layers_.back().outputs(), w.P) + w.q));
    run(how, assign(p_, felt::softmax<2>(p_)), assign(right_, felt::sum<2>(p_ * hit)));
    return static_cast<double>(T(sum(log(right_)))) / -static_cast<double>(whole);
}

template <class T, class Space>
template <class How>
double model<T, Space>::cost(How how, batch<Space> const& b, vector const& theta) {
    auto const w = parts_of(theta.data(), shape_);
    run(how, assign(rows_of(x_), words_of(b, w.E)));
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        layers_[k].weights(w.W[k], w.b[k]);
        layers_[k].infer(how, input_of(k));
    }
    return predict(how, w, felt::one_hot<T>(b.next, shape_.vocabulary), b.whole());
}

template <class T, class Space>
template <class How>
double model<T, Space>::cost_and_gradient(How how, batch<Space> const& b, vector const& theta,
                                          vector& gradient) {
    auto const w = parts_of(theta.data(), shape_);
    auto const g = parts_of(gradient.data(), shape_);
    run(how, assign(rows_of(x_), words_of(b, w.E)));
    done("embedding");
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        layers_[k].weights(w.W[k], w.b[k]);
        layers_[k].forward(how, input_of(k));
    }
    done("LSTM forward");
    auto const h = felt::named<"h">(layers_.back().outputs());
    auto const z = felt::keep<"z">(
        p_, felt::einsum<"snh,hv->snv">(h, felt::named<"P">(w.P)) + felt::named<"q">(w.q));
    auto const sequences = static_cast<T>(b.next.size()) / static_cast<T>(b.whole());
    auto head = felt::gradient(program(z), sequences * felt::cross_entropy(z, b.next),
                               felt::wrt<"h", "P", "q">(), memory_, felt::in_place<"z">());
    head.run_forward(how);
    double const cost = static_cast<double>(head.cost());
    done("softmax");
    head.run_backward(how, dx_, g.P, g.q);
    done("softmax gradients");
    for (std::size_t k = layers_.size(); k-- > 0;) {
        layers_[k].backward(how, felt::view(dx_));
        done("LSTM backward");
        layers_[k].weight_gradients(how, input_of(k), g.W[k], g.b[k]);
        layers_[k].input_gradients(how, felt::view(dx_));
        done("LSTM weights");
    }
    run(how, assign(g.E, felt::grad<"E">(words_of(b, felt::named<"E">(w.E)), rows_of(dx_))));
    done("embedding");
    return cost;
}

}  // namespace lstm

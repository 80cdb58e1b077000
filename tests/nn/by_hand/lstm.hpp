// SPDX-License-Identifier: BSD-3-Clause
//
// The long short-term memory (Hochreiter and Schmidhuber, 1997; with the forget gate of Gers,
// Schmidhuber and Cummins, 2000), without peepholes, as BasicLSTMCell and torch.nn.LSTM have it:
//
//   [i, j, f, o] = x_t Wx + h_t Wh + b
//   c_t+1 = sigmoid(f + forget_bias) c_t + sigmoid(i) tanh(j),   h_t+1 = sigmoid(o) tanh(c_t+1)
//
// A step of infer() is one pass from x, h, c to c, h, unless it is short. forward() keeps the
// gates' values for backward(), which goes through the steps in reverse:
//
//   felt::lstm<float> layer({steps, batch, inputs, hidden});
//   layer.weights(W, b);                    // (inputs + hidden, 4 hidden), (4 hidden)
//   layer.reset();                          // or carry(): go on where the last sequence ended
//   layer.forward(felt::fused, x);          // (steps, batch, inputs)
//   ... layer.outputs() ...                 // (steps, batch, hidden)
//   layer.backward(felt::fused, dy);        // dy: the derivative by outputs()
//   layer.weight_gradients(felt::fused, x, dW, db);
//   layer.input_gradients(felt::fused, dx);
#pragma once
#include "tests/nn/by_hand/recurrent.hpp"
#include <felt/nn/lstm.hpp>

namespace by_hand {

using namespace felt;

template <class T, class Space = Host>
class lstm : public recurrent<T, Space> {
    using base = recurrent<T, Space>;

public:
    using typename base::inputs;
    using typename base::matrix;
    static constexpr index_t gates = 4;

    explicit lstm(recurrent_shape const& s, lstm_options const& o = {})
        : base(s, gates),
          forget_bias_(static_cast<T>(o.forget_bias)),
          c_(s.steps + 1, s.batch, s.hidden, s.batch_last) {
        for (std::size_t g = 0; g < 4; ++g) place_[g] = o.order.find("ijfo"[g]);
        std::string sorted = o.order;
        std::sort(sorted.begin(), sorted.end());
        if (sorted != "fijo") throw error("lstm: \"" + o.order + "\" is no order of i, j, f, o");
    }

    // The state before the first step, and after the last one; with first() and last().
    matrix first_cell() { return c_.at(0); }
    matrix last_cell() { return c_.at(this->s_.steps); }
    void reset() { run(fused, assign(this->first(), T(0)), assign(first_cell(), T(0))); }
    void carry() {
        run(fused, assign(this->first(), this->last()), assign(first_cell(), last_cell()));
    }

    // Outputs, and nothing for a backward pass.
    template <class How>
    void infer(How how, inputs const& x) {
        if (this->s_.ahead) base::ahead(how, x, gates_of_all().all());
        for (index_t t = 0; t < this->s_.steps; ++t) {
            if (this->s_.ahead) {
                auto const z = q_->at(t);
                infer_step(how, t, z, assign(z, z + recurrence(t)));
            } else {
                infer_step(how, t, this->linear(base::step_of(x, t), t));
            }
        }
    }

    template <class How>
    void forward(How how, inputs const& x) {
        auto& q = gates_of_all();
        if (this->s_.ahead) base::ahead(how, x, q.all());
        for (index_t t = 0; t < this->s_.steps; ++t) {
            auto const z = q.at(t);
            if (this->s_.ahead) step(how, t, assign(z, z + recurrence(t)));
            else step(how, t, assign(z, this->linear(base::step_of(x, t), t)));
        }
    }

    template <class How>
    void backward(How how, inputs const& dy) {
        if (!dc_) {
            dh_.emplace(1, this->s_.batch, this->s_.hidden, this->s_.batch_last);
            dc_.emplace(1, this->s_.batch, this->s_.hidden, this->s_.batch_last);
        }
        dc_->all() = T(0);
        for (index_t t = this->s_.steps - 1; t >= 0; --t) {
            auto const own = base::step_of(dy, t);
            if (t + 1 == this->s_.steps) {
                backward_step(how, t, assign(dh_->at(0), own));
            } else {
                auto const later = matmul(this->dz().at(t + 1), transpose(this->w_.h()));
                backward_step(how, t, assign(dh_->at(0), own + later));
            }
        }
    }

private:
    enum gate { input, candidate, forget, output };

    template <class Z>
    auto part(Z const& z, gate g) const {
        auto const first = static_cast<index_t>(place_[g]) * this->s_.hidden;
        return slice(z, felt::all(), range(first, first + this->s_.hidden));
    }
    auto recurrence(index_t t) { return matmul(this->h_.at(t), this->w_.h()); }

    // z may be a product: then the gates exist in scratch alone.
    template <class How, class Z, class... Before>
    void infer_step(How how, index_t t, Z const& z, Before const&... before) {
        auto const c = c_.at(t + 1);
        base::together(how, before...,
                       assign(c, sigmoid(part(z, forget) + forget_bias_) * c_.at(t) +
                                     sigmoid(part(z, input)) * tanh(part(z, candidate))),
                       assign(this->h_.at(t + 1), sigmoid(part(z, output)) * tanh(c)));
    }

    // The gates' values take the place of z.
    template <class How, class S>
    void step(How how, index_t t, S const& z_of_gates) {
        auto const z = q_->at(t), c = c_.at(t + 1);
        auto const i = part(z, input), j = part(z, candidate), f = part(z, forget);
        auto const o = part(z, output);
        base::together(how, z_of_gates, assign(i, sigmoid(i)), assign(j, tanh(j)),
                       assign(f, sigmoid(f + forget_bias_)), assign(o, sigmoid(o)),
                       assign(c, f * c_.at(t) + i * j), assign(this->h_.at(t + 1), o * tanh(c)));
    }

    // dc is the derivative by c_t+1; by way of c_t+2 it comes times f of the next step. The last
    // step has none: there dc is 0, and any f will do. tanh(c) o is h.
    template <class How, class S>
    void backward_step(How how, index_t t, S const& dh_of_outputs) {
        auto const dh = dh_->at(0), dc = dc_->at(0), dz = this->dz().at(t);
        auto const z = q_->at(t), next = q_->at(std::min(t + 1, this->s_.steps - 1));
        auto const i = part(z, input), j = part(z, candidate), f = part(z, forget);
        auto const o = part(z, output), h = this->h_.at(t + 1);
        base::together(how, dh_of_outputs,
                       assign(dc, dc * part(next, forget) + dh * (o - h * tanh(c_.at(t + 1)))),
                       assign(part(dz, input), dc * j * i * (1 - i)),
                       assign(part(dz, candidate), dc * i * (1 - square(j))),
                       assign(part(dz, forget), dc * c_.at(t) * f * (1 - f)),
                       assign(part(dz, output), dh * h * (1 - o)));
    }

    time_series<T, Space>& gates_of_all() {
        if (!q_)
            q_.emplace(this->s_.steps, this->s_.batch, 4 * this->s_.hidden, this->s_.batch_last);
        return *q_;
    }

    T forget_bias_;
    std::size_t place_[4];
    time_series<T, Space> c_;                 // and in front of them the first state
    std::optional<time_series<T, Space>> q_;  // z, then the gates' values
    std::optional<time_series<T, Space>> dh_, dc_;
};

}  // namespace by_hand

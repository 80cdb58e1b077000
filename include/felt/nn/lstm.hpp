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
#include <felt/nn/recurrent.hpp>
#include <array>
#include <string>

namespace felt::inline FELT_ABI {

struct lstm_options {
    // Where the columns of the gates are: input, candidate, forget and output. PyTorch and cuDNN
    // have "ifjo", TensorFlow's cells "ijfo".
    std::string order = "ijfo";
    double forget_bias = 0;
};

template <class T, class Space = Host>
class lstm : public recurrent<lstm<T, Space>, T, Space> {
    using base = recurrent<lstm<T, Space>, T, Space>;
    friend base;

public:
    using typename base::inputs;
    using typename base::matrix;
    static constexpr index_t gates = 4;

    explicit lstm(recurrent_shape const& s, lstm_options const& o = {})
        : base(s, gates),
          forget_bias_(static_cast<T>(o.forget_bias)),
          c_(s.steps + 1, s.batch, s.hidden, s.batch_last) {
        for (std::size_t g = 0; g < 4; ++g)
            place_[g] = static_cast<index_t>(o.order.find("ijfo"[g]));
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
                infer_step(how, t, z, assign(z, z + this->recurrence(t)));
            } else {
                infer_step(how, t, this->linear(base::step_of(x, t), t));
            }
        }
    }

private:
    enum gate { input, candidate, forget, output };

    template <class Z>
    auto part(Z const& z, gate g) const {
        index_t const first = place_[g] * this->s_.hidden;
        auto const columns = range(first, first + this->s_.hidden);
        if constexpr (Z::rank == 3) return slice(z, felt::all(), felt::all(), columns);
        else return slice(z, felt::all(), columns);
    }
    // The x part of z is where z will be.
    auto linear_part() { return gates_of_all().all(); }

    // The gates' values take the place of z.
    template <class Z, class Series>
    auto cell(Z const& linear, Series of) {
        auto const q = gates_of_all().all();
        auto const z = keep<"z">(steps(q), linear);
        auto const [zi, zj, zf, zo] = detail::parts_at<1, 4>(as_node(z), place_);
        auto const i = keep<"i">(steps(part(q, input)), sigmoid(zi));
        auto const j = keep<"j">(steps(part(q, candidate)), tanh(zj));
        auto const f = keep<"f">(steps(part(q, forget)), sigmoid(zf + forget_bias_));
        auto const o = keep<"o">(steps(part(q, output)), sigmoid(zo));
        auto const c0 = named<"c0">(steps(c_.all()));
        auto const c = keep<"c">(steps(c_.all(), 1), f * c0 + i * j);
        auto const h = keep<"h">(this->kept_outputs(), o * tanh(c));
        return scan(program(z, i, j, f, o, c, h), felt::state<"h0", "h">, felt::state<"c0", "c">,
                    of);
    }

    // z may be a product: then the gates exist in scratch alone.
    template <class How, class Z, class... Before>
    void infer_step(How how, index_t t, Z const& z, Before const&... before) {
        auto const c = c_.at(t + 1);
        base::together(how, before...,
                       assign(c, sigmoid(part(z, forget) + forget_bias_) * c_.at(t) +
                                     sigmoid(part(z, input)) * tanh(part(z, candidate))),
                       assign(this->h_.at(t + 1), sigmoid(part(z, output)) * tanh(c)));
    }

    time_series<T, Space>& gates_of_all() {
        if (!q_)
            q_.emplace(this->s_.steps, this->s_.batch, 4 * this->s_.hidden, this->s_.batch_last);
        return *q_;
    }

    T forget_bias_;
    std::array<index_t, 4> place_;
    time_series<T, Space> c_;                 // and in front of them the first state
    std::optional<time_series<T, Space>> q_;  // z, then the gates' values
};

}  // namespace felt::inline FELT_ABI

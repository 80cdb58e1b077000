// SPDX-License-Identifier: BSD-3-Clause
//
// The plain recurrent layer (Elman, "Finding structure in time", 1990), BasicRNN elsewhere:
//
//   h_t+1 = tanh(x_t Wx + h_t Wh + b)
//   dz_t  = (dy_t + dz_t+1 Wh') (1 - h_t+1^2)
//
// Only h is kept. Used as felt::lstm is.
#pragma once
#include "tests/nn/by_hand/recurrent.hpp"

namespace by_hand {

using namespace felt;

template <class T, class Space = Host>
class rnn : public recurrent<T, Space> {
    using base = recurrent<T, Space>;

public:
    using typename base::inputs;
    static constexpr index_t gates = 1;

    explicit rnn(recurrent_shape const& s) : base(s, gates) {}

    void reset() { this->first() = T(0); }
    void carry() { this->first() = this->last(); }

    template <class How>
    void forward(How how, inputs const& x) {
        if (this->s_.ahead) base::ahead(how, x, this->outputs());
        for (index_t t = 0; t < this->s_.steps; ++t) {
            auto const to = this->h_.at(t + 1);
            if (this->s_.ahead) {
                run(how, assign(to, tanh(to + matmul(this->h_.at(t), this->w_.h()))));
            } else {
                run(how, assign(to, tanh(this->linear(base::step_of(x, t), t))));
            }
        }
    }

    template <class How>
    void infer(How how, inputs const& x) {
        forward(how, x);  // nothing is kept but the outputs
    }

    template <class How>
    void backward(How how, inputs const& dy) {
        auto& dz = this->dz();
        for (index_t t = this->s_.steps - 1; t >= 0; --t) {
            auto const slope = 1 - square(this->h_.at(t + 1));
            auto const own = base::step_of(dy, t);
            if (t + 1 == this->s_.steps) {
                run(how, assign(dz.at(t), own * slope));
            } else {
                auto const later = matmul(dz.at(t + 1), transpose(this->w_.h()));
                run(how, assign(dz.at(t), (own + later) * slope));
            }
        }
    }
};

}  // namespace by_hand

// SPDX-License-Identifier: BSD-3-Clause
//
// The plain recurrent layer (Elman, "Finding structure in time", 1990), BasicRNN elsewhere:
//
//   h_t+1 = tanh(x_t Wx + h_t Wh + b)
//
// Only h is kept. Used as felt::lstm is.
#pragma once
#include <felt/nn/recurrent.hpp>

namespace felt::inline FELT_ABI {

template <class T, class Space = Host>
class rnn : public recurrent<rnn<T, Space>, T, Space> {
    using base = recurrent<rnn<T, Space>, T, Space>;
    friend base;

public:
    using typename base::inputs;
    static constexpr index_t gates = 1;

    explicit rnn(recurrent_shape const& s) : base(s, gates) {}

    void reset() { this->first() = T(0); }
    void carry() { this->first() = this->last(); }

    template <class How>
    void infer(How how, inputs const& x) {
        base::forward(how, x);  // nothing is kept but the outputs
    }

private:
    // The x part of z is where the outputs will be.
    auto linear_part() { return this->outputs(); }

    template <class Z, class Series>
    auto cell(Z const& z, Series of) {
        auto const h = keep<"h">(this->kept_outputs(), tanh(z));
        return scan(program(h), felt::state<"h0", "h">, of);
    }
};

}  // namespace felt::inline FELT_ABI

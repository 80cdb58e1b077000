// SPDX-License-Identifier: BSD-3-Clause
//
// The recurrent layers by hand, as they were before their backward passes were derived: what
// derived ones are compared with. Over t = 0, 1, ... such a layer computes
//
//   z_t = x_t Wx + h_t Wh + b,   h_t+1 = a function of z_t (and of more state)
//
// with W = [Wx; Wh] as one matrix (inputs + hidden, gates hidden). With dz of all steps known:
//
//   dWx = sum_t x_t' dz_t,  dWh = sum_t h_t' dz_t,  db = sum_t dz_t,  dx_t = dz_t Wx'
//
// each is one product over all steps.
#pragma once
#include <felt/nn/recurrent.hpp>

namespace by_hand {

using namespace felt;

// A layer's outputs, the derivatives by z, and what follows from them.
template <class T, class Space = Host>
class recurrent {
public:
    using sequence = View<T, 3, Space>;
    using inputs = View<T const, 3, Space>;
    using matrix = View<T, 2, Space>;
    using vector = View<T, 1, Space>;

    recurrent(recurrent_shape const& s, index_t gates)
        : s_(s), gates_(gates), h_(s.steps + 1, s.batch, s.hidden, s.batch_last) {}

    recurrent_shape const& shape() const { return s_; }

    // The weights of now: to be called again when they have changed.
    void weights(View<T const, 2, Space> const& W, View<T const, 1, Space> const& b) {
        w_.take(W, b, s_.inputs);
    }

    sequence outputs() { return h_.from(1, s_.steps); }  // (steps, batch, hidden)
    matrix first() { return h_.at(0); }                  // what the first step finds
    matrix last() { return h_.at(s_.steps); }

    // After backward: the derivatives by W (inputs + hidden, gates hidden) and b,
    template <class How>
    void weight_gradients(How how, inputs const& x, matrix const& dW, vector const& db) {
        auto const dz = dz_->all();
        auto const above = slice(dW, range(0, s_.inputs), felt::all());
        auto const below = slice(dW, range(s_.inputs, dW.extent(0)), felt::all());
        run(how, assign(above, einsum<"sni,snk->ik">(x, dz)),
            assign(below, einsum<"snj,snk->jk">(h_.from(0, s_.steps), dz)),
            assign(db, sum<0, 1>(dz)));
    }
    // and by x.
    template <class How>
    void input_gradients(How how, sequence const& dx) {
        if (!s_.batch_last) {
            run(how, assign(dx, einsum<"snk,ik->sni">(dz_->all(), w_.x())));
            return;
        }
        for (index_t t = 0; t < s_.steps; ++t) {
            run(how, assign(step_of(dx, t), matmul(dz_->at(t), transpose(w_.x()))));
        }
    }

protected:
    auto linear(View<T const, 2, Space> const& x, index_t t) {
        return matmul(x, w_.x()) + matmul(h_.at(t), w_.h()) + w_.b();
    }
    template <class How>
    void ahead(How how, inputs const& x, sequence const& z) {
        run(how, assign(z, einsum<"sni,ik->snk">(x, w_.x()) + w_.b()));
    }
    template <class U>
    static View<U, 2, Space> step_of(View<U, 3, Space> const& x, index_t t) {
        return {x.data() + t * x.strides()[0],
                {{x.extent(1), x.extent(2)}},
                {{x.strides()[1], x.strides()[2]}}};
    }
    // The statements of a step.
    template <class How, class... S>
    void together(How how, S const&... s) const {
        if (s_.one_pass) run(how, s...);
        else (run(how, s), ...);
    }
    time_series<T, Space>& dz() {
        if (!dz_) dz_.emplace(s_.steps, s_.batch, gates_ * s_.hidden, s_.batch_last);
        return *dz_;
    }

    recurrent_shape s_;
    index_t gates_;
    recurrent_weights<T, Space> w_;
    time_series<T, Space> h_;  // the outputs, and in front of them the first state
    std::optional<time_series<T, Space>> dz_;
};

}  // namespace by_hand

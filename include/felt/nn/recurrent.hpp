// SPDX-License-Identifier: BSD-3-Clause
//
// What recurrent layers share: sequences in memory, weights that stay packed over the time steps,
// and the gradients by weights and inputs. Over t = 0, 1, ... such a layer computes
//
//   z_t = x_t Wx + h_t Wh + b,   h_t+1 = a function of z_t (and of more state)
//
// with W = [Wx; Wh] as one matrix (inputs + hidden, gates hidden). With dz of all steps known:
//
//   dWx = sum_t x_t' dz_t,  dWh = sum_t h_t' dz_t,  db = sum_t dz_t,  dx_t = dz_t Wx'
//
// each is one product over all steps.
#pragma once
#include <felt/felt.hpp>
#include <optional>

namespace felt {

struct recurrent_shape {
    index_t steps, batch, inputs, hidden;
    // Whether the batch is contiguous in memory, and not what the layer computes for each of it:
    // better for large layers, whose products then read the weights once.
    bool batch_last = false;
    // Whether the x part of z is computed for all steps in one product, which takes memory for it:
    // better for small layers, whose steps are short.
    bool ahead = true;
    // Whether the statements of a step are one pass: better for large layers. A short step stays in
    // cache anyway, and its statements are planned in less time than the pass.
    bool one_pass = false;

    index_t weights(index_t gates) const { return (inputs + hidden) * gates * hidden; }
    index_t parameters(index_t gates) const { return weights(gates) + gates * hidden; }
};

// What was found to be faster, for batches of up to about 128.
inline recurrent_shape recurrent_shape_for(index_t steps, index_t batch, index_t inputs,
                                           index_t hidden) {
    index_t const state = batch * hidden;
    bool const small = state <= 16 * 1024;
    return {steps, batch, inputs, hidden, state >= 64 * 1024, small, !small};
}

// (steps, batch, width) in memory that the views own together: rows lie contiguous, or the batch
// does. No two of them are a multiple of a page apart: those would share few lines of a cache.
template <class T, class Space = Host>
class series {
public:
    series(index_t steps, index_t batch, index_t width, bool batch_last)
        : e_{{steps, batch, width}} {
        index_t const rows = batch_last ? width : batch, row = batch_last ? batch : width;
        bool const page = row * static_cast<index_t>(sizeof(T)) % 4096 == 0;
        index_t const apart = page ? row + 64 / static_cast<index_t>(sizeof(T)) : row;
        stride_ = batch_last ? extents<3>{{rows * apart, 1, apart}}
                             : extents<3>{{rows * apart, apart, 1}};
        memory_ = Tensor<T, 1, Space>({steps * rows * apart});
    }

    View<T, 3, Space> all() { return {memory_.data(), e_, stride_}; }
    View<T, 3, Space> from(index_t first, index_t steps) {
        return {memory_.data() + first * stride_[0], {{steps, e_[1], e_[2]}}, stride_};
    }
    View<T, 2, Space> at(index_t t) {
        return {memory_.data() + t * stride_[0], {{e_[1], e_[2]}}, {{stride_[1], stride_[2]}}};
    }
    bool empty() const { return memory_.size() == 0; }

private:
    extents<3> e_, stride_;
    Tensor<T, 1, Space> memory_;
};

// Wx, Wh and b of one layer, snapshots of them until the next call of take().
template <class T, class Space = Host>
class recurrent_weights {
public:
    using matrix = View<T const, 2, Space>;
    using vector = View<T const, 1, Space>;

    void take(matrix const& W, vector const& b, index_t inputs) {
        bool const same = b_ && b_->data() == b.data() && W_->data() == W.data();
        b_.emplace(b), W_.emplace(W);
        if (same) {
            x_->rebuild(), h_->rebuild();
        } else {
            x_.emplace(packed(slice(W, range(0, inputs), felt::all())));
            h_.emplace(packed(slice(W, range(inputs, W.extent(0)), felt::all())));
        }
    }
    auto const& x() const { return *x_; }  // (inputs, gates hidden)
    auto const& h() const { return *h_; }  // (hidden, gates hidden)
    auto const& b() const { return *b_; }  // (gates hidden)

private:
    std::optional<packed_node<T, 2, Space>> x_, h_;
    std::optional<matrix> W_;
    std::optional<vector> b_;
};

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
    series<T, Space>& dz() {
        if (!dz_) dz_.emplace(s_.steps, s_.batch, gates_ * s_.hidden, s_.batch_last);
        return *dz_;
    }

    recurrent_shape s_;
    index_t gates_;
    recurrent_weights<T, Space> w_;
    series<T, Space> h_;  // the outputs, and in front of them the first state
    std::optional<series<T, Space>> dz_;
};

}  // namespace felt

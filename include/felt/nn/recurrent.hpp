// SPDX-License-Identifier: BSD-3-Clause
//
// What recurrent layers share: sequences in memory, weights that stay packed over the time steps,
// and the loop over these. Over t = 0, 1, ... such a layer computes
//
//   z_t = x_t Wx + h_t Wh + b,   h_t+1 = a function of z_t (and of more state)
//
// with W = [Wx; Wh] as one matrix (inputs + hidden, gates hidden). The derivatives by W, b and x
// are one product each over all steps, which scan derives.
#pragma once
#include <felt/felt.hpp>
#include <optional>

namespace felt::inline FELT_ABI {

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
class time_series {
public:
    time_series(index_t steps, index_t batch, index_t width, bool batch_last)
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
            (void)x_.emplace(packed(slice(W, range(0, inputs), felt::all())));
            (void)h_.emplace(packed(slice(W, range(inputs, W.extent(0)), felt::all())));
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

namespace detail {
// Runs every statement by itself.
template <class How>
struct one_by_one {
    How how;
};
template <class How, class... T, std::size_t... R, class... Space, class... E>
void run(one_by_one<How> each, statement<T, R, Space, E> const&... s) {
    (run(each.how, s), ...);
}
}  // namespace detail

// A layer by its cell. Layer::cell(linear, series) is the scan of a step's program, which reads
// state() and keeps outputs; `linear` is x_t Wx + h_t Wh + b. What goes back is derived.
template <class Layer, class T, class Space = Host>
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

    // Outputs, and what is kept for backward. x has to live until the gradients are known.
    template <class How>
    void forward(How how, inputs const& x) {
        x_.emplace(x);
        of_layer([&](auto const& p) { in_steps(how, [&](auto as) { run(as, p); }); });
    }
    // What gradients are made of. dy is the derivative by outputs().
    template <class How>
    void backward(How how, inputs const& dy) {
        dy_.emplace(dy);
        derived([&](auto const& g) { in_steps(how, [&](auto as) { g.run_backward(as); }); });
    }
    // After it: the derivatives by W (inputs + hidden, gates hidden) and b,
    template <class How>
    void weight_gradients(How how, inputs const& x, matrix const& dW, vector const& db) {
        x_.emplace(x);
        auto const above = slice(dW, range(0, s_.inputs), felt::all());
        auto const below = slice(dW, range(s_.inputs, dW.extent(0)), felt::all());
        derived([&](auto const& g) {
            auto const& d = g.derivatives();
            run(how, assign(above, get<1>(d)), assign(below, get<2>(d)), assign(db, get<3>(d)));
        });
    }
    // and by x.
    template <class How>
    void input_gradients(How how, sequence const& dx) {
        derived([&](auto const& g) {
            auto const& d = get<0>(g.derivatives());
            // Where the batch is contiguous, a step's product is written where it belongs.
            index_t const at_once = s_.batch_last ? 1 : s_.steps;
            for (index_t t = 0; t < s_.steps; t += at_once) {
                auto const now = range(t, t + at_once);
                run(how, assign(slice(dx, now, felt::all(), felt::all()),
                                slice(d, now, felt::all(), felt::all())));
            }
        });
    }

protected:
    // Of the cell: the outputs before the step, and where those of the step are kept.
    auto state() { return named<"h0">(steps(h_.all())); }
    auto kept_outputs() { return steps(h_.all(), 1); }
    auto linear(View<T const, 2, Space> const& x, index_t t) {
        return matmul(x, w_.x()) + matmul(h_.at(t), w_.h()) + w_.b();
    }
    auto recurrence(index_t t) { return matmul(h_.at(t), w_.h()); }
    template <class How>
    void ahead(How how, inputs const& x, sequence const& z) {
        run(how, assign(z, einsum<"sni,ik->snk">(x, w_.x()) + w_.b()));
    }
    static auto step_of(inputs const& x, index_t t) {
        return View<T const, 2, Space>(x.data() + t * x.strides()[0], {{x.extent(1), x.extent(2)}},
                                       {{x.strides()[1], x.strides()[2]}});
    }
    // The statements of a step.
    template <class How, class... S>
    void together(How how, S const&... s) const {
        in_steps(how, [&](auto as) { run(as, s...); });
    }

    recurrent_shape s_;
    index_t gates_;
    recurrent_weights<T, Space> w_;
    time_series<T, Space> h_;  // the outputs, and in front of them the first state

private:
    template <class How, class F>
    void in_steps(How how, F const& f) const {
        if (s_.one_pass) f(how);
        else f(detail::one_by_one<How>{how});
    }
    // f(program) of all steps.
    template <class F>
    void of_layer(F const& f) {
        auto& self = static_cast<Layer&>(*this);
        auto const x = named<"x">(*x_);
        auto const wx = named<"wx">(w_.x());
        auto const h = matmul(state(), named<"wh">(w_.h()));
        auto const b = named<"b">(w_.b());
        if (s_.ahead) {
            auto const z = self.linear_part();
            auto const a = keep<"a">(z, einsum<"sni,ik->snk">(x, wx) + b);
            f(program(a, self.cell(named<"a">(steps(z)) + h, series<"a">)));
        } else {
            auto const now = named<"x">(steps(*x_));
            f(program(self.cell(matmul(now, wx) + h + b, series<"x">)));
        }
    }
    template <class F>
    void derived(F const& f) {
        of_layer([&](auto const& p) {
            f(gradient(p, cotangent<"h">(*dy_), wrt<"x", "wx", "wh", "b">(), memory_));
        });
    }

    std::optional<inputs> x_, dy_;
    workspace<Space> memory_;
};

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// Layers over sequences (steps, batch, features) in a network: nn::lstm{256}, nn::rnn{256}, of
// felt::lstm and felt::rnn. A product behind one reads (steps batch) rows.
#pragma once
#include <felt/nn/lstm.hpp>
#include <felt/nn/net.hpp>
#include <felt/nn/rnn.hpp>

namespace felt::inline FELT_ABI::nn {

// Gives all outputs, or that of the last step. Begins with a state of 0, or with that which the
// last batch has left. Weights are (inputs + hidden, gates hidden).
template <template <class, class> class Cell>
struct recurrent {
    index_t hidden;
    bool last_alone = false, carries = false;
    init weights = uniform_in(0.1), biases = zeros;
};
using lstm = recurrent<felt::lstm>;
using rnn = recurrent<felt::rnn>;

template <class T, class Space, template <class, class> class Cell>
class recurrent_stage final : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using typename base::vector;
    using cell = Cell<T, Space>;

public:
    explicit recurrent_stage(recurrent<Cell> const& l) : layer_(l) {}

    std::size_t layer_count() const override { return 1; }
    std::string text() const override { return "recurrent " + std::to_string(layer_.hidden); }

    void prepare(value const& in, preparation<T, Space>& p) override {
        if (in.rank != 3)
            throw shape_error("nn: a recurrent layer reads (steps, batch, features), not " +
                              in.text());
        index_t const steps = in.e[0], batch = in.e[1], h = layer_.hidden;
        auto shape = recurrent_shape_for(steps, batch, in.e[2], h);
        shape.batch_last &= layer_.last_alone;  // else a product is to read rows
        cell_.emplace(shape);
        dy_.emplace(steps, batch, h, shape.batch_last);
        site_.prepare(p.prefix, p.layers_before, {}, p.trained, p.begin, p.running, p.kept);
        site_.begin_expression();
        weights(in.e[2]), bias();
        if (in.act.of != curve::linear) between_ = &p.kept.share(p.depth, in.size());
        if (layer_.last_alone) this->out_ = of(cell_->last()), derivative_ = of(dy_->at(steps - 1));
        else this->out_ = of(cell_->outputs()), derivative_ = of(dy_->all());
        run(fused, assign(dy_->all(), T(0)));
    }
    value const& derivative() const override { return derivative_; }
    void share(index_t, sum_over_parts<T, Space> const&) override {}

    void forward(value const& in, step const& s) override {
        begin(in, s);
        in_mode<Space>(s.how, [&](auto how) { cell_->forward(how, as_constant(in)); });
    }
    void infer(value const& in, step const& s) override {
        begin(in, s);
        in_mode<Space>(s.how, [&](auto how) { cell_->infer(how, as_constant(in)); });
    }
    void fold(vector&, vector&) override {}
    // The outputs are read on the way back: dy lies in derivative().
    void backward(value const& in, step const& s, value const&,
                  read_derivative<T, Space> const& dx) override {
        View<T const, 3, Space> const dy = dy_->all();
        auto const dw = site_.template derivative<2>("0.weight", *s.gradient);
        auto const db = site_.template derivative<1>("0.bias", *s.gradient);
        in_mode<Space>(s.how, [&](auto how) {
            cell_->backward(how, dy);
            cell_->weight_gradients(how, as_constant(in), dw, db);
            if (dx.to.data != nullptr) write(how, in, dx);
        });
        if (s.ready) s.ready(site_.first_offset());
    }

private:
    template <class How>
    void write(How how, value const& in, read_derivative<T, Space> const& dx) {
        auto const to = dx.to.template as<3>();
        if (between_ == nullptr) return cell_->input_gradients(how, to);
        value alone = in;
        alone.data = const_cast<T*>(between_->data());
        alone.lie_whole();
        auto const d = alone.template as<3>();
        cell_->input_gradients(how, d);
        slope<T> const by{in.act.of, static_cast<T>(in.act.scale)};
        run(how, assign(to, map(by, d, in.template as<3>())));
    }
    void begin(value const& in, step const& s) {
        site_.begin_step(s.theta, s.running, s.draw);
        site_.begin_expression();
        auto const w = weights(in.e[2]);
        cell_->weights(w, bias());
        if (layer_.carries && has_run_) cell_->carry();
        else cell_->reset();
        has_run_ = true;
    }
    auto weights(index_t inputs) {
        extents<2> const e{{inputs + layer_.hidden, cell::gates * layer_.hidden}};
        return site_.next("0.weight", 0, "weight", e, layer_.weights);
    }
    auto bias() {
        return site_.next("0.bias", 0, "bias", extents<1>{{cell::gates * layer_.hidden}},
                          layer_.biases);
    }
    static View<T const, 3, Space> as_constant(value const& in) { return in.template as<3>(); }
    template <std::size_t R>
    static value of(View<T, R, Space> const& v) {
        value y;
        y.data = v.data(), y.rank = R;
        for (std::size_t r = 0; r < R; ++r) y.e[r] = v.extents()[r], y.stride[r] = v.strides()[r];
        return y;
    }

    recurrent<Cell> layer_;
    site<T, Space> site_;
    std::optional<cell> cell_;
    std::optional<time_series<T, Space>> dy_;
    value derivative_;
    Tensor<T, 1, Space> const* between_ = nullptr;
    bool has_run_ = false;
};

template <class T, class Space, template <class, class> class Cell>
struct stage_for<T, Space, recurrent<Cell>> {
    using type = recurrent_stage<T, Space, Cell>;
};

}  // namespace felt::inline FELT_ABI::nn

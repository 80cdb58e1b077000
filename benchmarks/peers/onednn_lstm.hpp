// SPDX-License-Identifier: BSD-3-Clause
//
// oneDNN 2 as a peer for a layer of LSTM: forward, or forward and backward, with the weights in
// the order that it likes best; its gates are i, f, c, o. Reordering is not timed. Without oneDNN
// the tasks are empty.
#pragma once
#include "onednn.hpp"
#include <functional>

namespace bench::onednn {

// x and dy are (steps, batch, hidden), W is (2 hidden, 4 hidden), b has 4 hidden elements.
struct lstm_problem {
    index_t steps, batch, hidden;
    float const *x, *dy, *W, *b;
    bool training;
};

struct lstm_answer {
    task run;
    std::function<std::function<float(index_t, index_t)>()> last;  // the last outputs
    std::string layout;
};

#if defined(FELT_PEER_DNNL)
namespace detail {

struct lstm_primitives {
    using arguments = std::unordered_map<int, memory>;

    explicit lstm_primitives(lstm_problem const& p) : p_(p) {
        auto const some = [](memory::dims const& e, tag how) {
            return memory::desc(e, memory::data_type::f32, how);
        };
        auto const seq = some({p.steps, p.batch, p.hidden}, tag::tnc);
        auto const weights = some({1, 1, p.hidden, 4, p.hidden}, tag::any);
        auto const bias = some({1, 1, 4, p.hidden}, tag::ldgo);
        memory::desc const none;
        lstm_forward::primitive_desc const forward(
            {p.training ? prop_kind::forward_training : prop_kind::forward_inference,
             rnn_direction::unidirectional_left2right, seq, none, none, weights, weights, bias, seq,
             none, none},
            cpu());
        layout = forward.impl_info_str();
        with_ = {{DNNL_ARG_SRC_LAYER, filled(seq, p.x)},
                 {DNNL_ARG_WEIGHTS_LAYER, half(0, forward.weights_layer_desc())},
                 {DNNL_ARG_WEIGHTS_ITER, half(1, forward.weights_iter_desc())},
                 {DNNL_ARG_BIAS, filled(bias, p.b)},
                 {DNNL_ARG_DST_LAYER, memory(seq, cpu())}};
        run_forward = lstm_forward(forward);
        if (!p.training) return;
        with_[DNNL_ARG_WORKSPACE] = memory(forward.workspace_desc(), cpu());
        // All descriptors of the forward pass, then those of their derivatives.
        lstm_backward::desc const both(prop_kind::backward,
                                       rnn_direction::unidirectional_left2right, seq, none, none,
                                       weights, weights, bias, seq, none, none, seq, none, none,
                                       weights, weights, bias, seq, none, none);
        lstm_backward::primitive_desc const backward(both, cpu(), forward);
        back_ = with_;
        back_[DNNL_ARG_WEIGHTS_LAYER] = half(0, backward.weights_layer_desc());
        back_[DNNL_ARG_WEIGHTS_ITER] = half(1, backward.weights_iter_desc());
        back_[DNNL_ARG_DIFF_SRC_LAYER] = memory(seq, cpu());
        back_[DNNL_ARG_DIFF_WEIGHTS_LAYER] = memory(backward.diff_weights_layer_desc(), cpu());
        back_[DNNL_ARG_DIFF_WEIGHTS_ITER] = memory(backward.diff_weights_iter_desc(), cpu());
        back_[DNNL_ARG_DIFF_BIAS] = memory(bias, cpu());
        back_[DNNL_ARG_DIFF_DST_LAYER] = filled(seq, p.dy);
        run_backward = lstm_backward(backward);
    }

    void run() {
        run_forward.execute(queue(), with_);
        if (p_.training) run_backward.execute(queue(), back_);
        queue().wait();
    }

    // Of sequence n.
    float last(index_t n, index_t k) const {
        auto const* const y =
            static_cast<float const*>(with_.at(DNNL_ARG_DST_LAYER).get_data_handle());
        return y[((p_.steps - 1) * p_.batch + n) * p_.hidden + k];
    }

    std::string layout;

private:
    static memory filled(memory::desc const& e, float const* values) {
        memory m(e, cpu());
        std::copy(values, values + e.get_size() / sizeof(float),
                  static_cast<float*>(m.get_data_handle()));
        return m;
    }
    // The rows of W for x, or those for h.
    memory half(int k, memory::desc const& wanted) const {
        index_t const H = p_.hidden;
        memory const plain({{1, 1, H, 4, H}, memory::data_type::f32, tag::ldigo}, cpu(),
                           const_cast<float*>(p_.W + k * H * 4 * H));
        memory to(wanted, cpu());
        reorder_into(plain, to);
        return to;
    }

    lstm_problem p_;
    lstm_forward run_forward;
    lstm_backward run_backward;
    arguments with_, back_;
};

}  // namespace detail

inline lstm_answer lstm(lstm_problem const& p) {
    auto const made = std::make_shared<detail::lstm_primitives>(p);
    return {[=] { made->run(); },
            [=] { return [=](index_t n, index_t k) { return made->last(n, k); }; }, made->layout};
}
#else
inline lstm_answer lstm(lstm_problem const&) { return {}; }
#endif

}  // namespace bench::onednn

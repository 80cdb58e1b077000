// SPDX-License-Identifier: BSD-3-Clause
//
// One layer of LSTM, and what it does: each pass in each way is compiled by itself (lstm_pass.cu),
// for together they would take minutes.
#pragma once
#include <felt/device.hpp>
#include <felt/nn/lstm.hpp>
#include <cmath>

namespace bench {

using felt::Device;
using felt::index_t;

struct problem {
    index_t steps, batch, hidden;
    felt::lstm<float, Device> layer;
    felt::time_series<float, Device> x, dy, dx;
    felt::Tensor<float, 2, Device> W, dW;
    felt::Tensor<float, 1, Device> b, db;

    problem(index_t s, index_t n, index_t h)
        : steps(s),
          batch(n),
          hidden(h),
          layer(felt::recurrent_shape_for(s, n, h, h), {.order = "ifjo"}),
          x(s, n, h, layer.shape().batch_last),
          dy(s, n, h, layer.shape().batch_last),
          dx(s, n, h, layer.shape().batch_last),
          W({2 * h, 4 * h}),
          dW(W.extents()),
          b({4 * h}),
          db(b.extents()) {
        felt::extents<3> const all{{s, n, h}};
        x.all() = felt::uniform<float>(all, 1) * 2.f - 1.f;
        dy.all() = felt::uniform<float>(all, 2) * 2.f - 1.f;
        W = (felt::uniform<float>(W.extents(), 3) * 2.f - 1.f) / std::sqrt(float(h));
        b = felt::uniform<float>(b.extents(), 4) - 0.5f;
        layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        layer.reset();
    }
    double flops() const { return 16. * double(steps * batch) * double(hidden * hidden); }
};

enum class pass {
    infer,     // all steps, nothing kept for a backward pass
    forward,   // all steps
    backward,  // all steps again, the last first
    gradients  // of weights and of inputs
};
template <pass P, class How>
void run_pass(problem& p, How how);

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent layers: the cell as statements of one pass, the layer over all steps, and a cell of
// one's own, whose derivatives go back through time.
#include "check.hpp"
#include <felt/nn/lstm.hpp>

namespace {

using felt::index_t;
using felt::Tensor;

void one_step() {
    index_t const batch = 8, hidden = 16;
    Tensor<float, 2> x({batch, hidden}), h({batch, hidden}), c({batch, hidden});
    Tensor<float, 2> Wx({hidden, 4 * hidden}), Wh({hidden, 4 * hidden});
    Tensor<float, 1> b({4 * hidden});
    x = felt::normal<float>(x.extents(), 1);
    Wx = 0.2f * felt::normal<float>(Wx.extents(), 2);
    Wh = 0.2f * felt::normal<float>(Wh.extents(), 3);
    //[cell]
    auto const z = matmul(x, Wx) + matmul(h, Wh) + b;  // of the four gates; never written
    auto const gate = [&](index_t k) {
        return slice(z, felt::all(), felt::range(k * hidden, (k + 1) * hidden));
    };
    Tensor<float, 2> next({batch, hidden});
    felt::fuse(assign(c, sigmoid(gate(2)) * c + sigmoid(gate(0)) * tanh(gate(1))),
               assign(next, sigmoid(gate(3)) * tanh(c)));
    //[cell]
    felt::lstm<float> layer({1, batch, hidden, hidden});
    Tensor<float, 2> W({2 * hidden, 4 * hidden});
    slice(W, felt::range(0, hidden), felt::all()) = Wx;
    slice(W, felt::range(hidden, 2 * hidden), felt::all()) = Wh;
    layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
    layer.reset();
    layer.infer(felt::fused, felt::view(std::as_const(x).data(), {1, batch, hidden}));
    check(felt::all_close(layer.last(), next), "a step of the layer is the cell");
}

void all_steps() {
    index_t const steps = 10, batch = 8, inputs = 12, hidden = 16;
    Tensor<float, 3> x({steps, batch, inputs}), dx(x.extents());
    Tensor<float, 2> W({inputs + hidden, 4 * hidden}), dW(W.extents());
    Tensor<float, 1> b({4 * hidden}), db(b.extents());
    x = felt::normal<float>(x.extents(), 1);
    W = 0.2f * felt::normal<float>(W.extents(), 2);
    //[layer]
    felt::lstm<float> layer({steps, batch, inputs, hidden}, {.order = "ifjo", .forget_bias = 1});
    layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
    layer.reset();  // or carry(): go on where the last sequence ended
    layer.forward(felt::fused, felt::view(std::as_const(x)));
    Tensor<float, 3> const dy = 2.f * layer.outputs();  // of the cost sum(square(outputs))
    layer.backward(felt::fused, felt::view(dy));
    layer.weight_gradients(felt::fused, felt::view(std::as_const(x)), felt::view(dW),
                           felt::view(db));
    layer.input_gradients(felt::fused, felt::view(dx));
    //[layer]
    auto const cost = [&] {
        layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        layer.infer(felt::fused, felt::view(std::as_const(x)));
        return float(sum(square(layer.outputs())));
    };
    float const before = cost();
    W -= 0.001f * dW;
    b -= 0.001f * db;
    check(cost() < before, "a step against the gradient lowers the cost");
    check(float(max(abs(dx))) > 0, "the inputs have a gradient too");
}

// A cell of one's own, as a program for every step.
void through_time() {
    index_t const steps = 10, batch = 8, inputs = 12, hidden = 16;
    Tensor<float, 3> X({steps, batch, inputs}), H({steps, batch, hidden}), Y(H.extents());
    Tensor<float, 2> Wx({inputs, hidden}), Wh({hidden, hidden}), H0({batch, hidden});
    Tensor<float, 2> dWx(Wx.extents()), dWh(Wh.extents());
    X = felt::normal<float>(X.extents(), 1);
    Y = felt::uniform<float>(Y.extents(), 2);
    Wx = 0.2f * felt::normal<float>(Wx.extents(), 3);
    Wh = 0.2f * felt::normal<float>(Wh.extents(), 4);
    //[scan]
    auto const x = felt::named<"x">(felt::steps(X));  // at one step: (batch, inputs)
    auto const h0 = felt::named<"h0">(H0);            // of the step before
    auto const wx = felt::named<"wx">(Wx);
    auto const wh = felt::named<"wh">(Wh);
    auto const h = felt::keep<"h">(felt::steps(H), tanh(matmul(x, wx) + matmul(h0, wh)));
    auto const layer = scan(program(h), felt::state<"h0", "h">, felt::series<"x">);
    layer(felt::fused);  // H: (steps, batch, hidden)

    auto const outputs = felt::named<"h">(H);  // of all steps
    auto step = gradient(layer, sum(square(outputs - Y)), felt::wrt<"wx", "wh">());
    float const before = step(felt::fused, dWx, dWh);
    //[scan]
    Wx -= 0.001f * dWx;
    Wh -= 0.001f * dWh;
    check(step(felt::fused, dWx, dWh) < before, "a step against the gradient lowers the cost");
}

}  // namespace

int main() {
    one_step();
    all_steps();
    through_time();
    return failures != 0;
}

// SPDX-License-Identifier: BSD-3-Clause
//
// What users write, compiled as they compile: by a plain -I, with their warnings as errors, at
// every level of optimisation. Nothing here is run.
#include <felt/felt.hpp>
#include <iostream>

using felt::Tensor;

void network(Tensor<float, 2>& y, Tensor<float, 2> const& x, Tensor<float, 2> const& w) {
    y = softmax<1>(matmul(relu(matmul(x, w)), w) + felt::mean<0>(x));
    y = (y - felt::mean<1>(y, felt::keepdims)) / sqrt(felt::var<1>(y, felt::keepdims) + 1e-5f);
    auto const p = packed(w);
    felt::fuse(assign(y, tanh(matmul(x, p))), assign(y, y * y - felt::sum<0>(exp(x))));
    run(felt::unfused, assign(y, sigmoid(matmul(x, w)) + felt::max<1>(x, felt::keepdims)));
    noalias(y) = matmul(softmax<1>(matmul(x, transpose(x)) / 8.f), x);
}

void images(Tensor<float, 4> const& x, Tensor<float, 4> const& w) {
    auto const y = eval(felt::max_pool2d(relu(conv2d(x, w, {.padding = {1, 1}}))));
    auto const dw = eval(conv2d_weight_grad(x, conv2d(x, w), w.extents()));
    Tensor<float, 4, felt::Host, felt::ChannelsLast> z = felt::upsample(y, {2, 2});
    std::cout << sum(z) << sum(dw) << '\n';
}

void others(Tensor<double, 2>& d, Tensor<int, 1> const& i) {
    d = gather<0>(concat<0>(d, flip<1>(d)), i) +
        pad(slice(d, felt::range(1, 3), felt::all()), {{1, 0}, {0, 0}});
    d = felt::scatter_add<0>(d.extents(), i, d) + reshape(windows(d, {2, 2}) * 0.5, {-1, 4});
    d = map([](auto v) { return v > 0 ? v : 0.1 * v; }, d) + felt::normal<double>(d.extents(), 1);
    d += felt::einsum<"ij,kj->ik">(d, d) - felt::cast<double>(felt::argmax<0>(d) / 2);
    double const total = sum(where(d > 0, d, 0.)) + felt::norm2(d);
    std::cout << total << explain(assign(d, d * 2.)) << all_close(d, d) << '\n';
}

int main() {
    Tensor<float, 2> y({60, 80}), x({60, 80}), w({80, 80});
    network(y, x, w);
    images(felt::eval(felt::uniform<float>({2, 3, 16, 16}, 1)), Tensor<float, 4>({4, 3, 3, 3}));
    Tensor<double, 2> d({4, 4});
    others(d, Tensor<int, 1>::of({3, 2, 1, 0}));
}

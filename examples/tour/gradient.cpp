// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives: a cost is written, its backward pass is derived.
#include "check.hpp"
#include <felt/grad.hpp>

namespace {

using felt::Tensor;

void slope() {
    Tensor<double, 2> W({64, 32}), x({64, 8}), S({32, 8}), dS({32, 8});
    W = felt::normal<double>(W.extents(), 1);
    x = felt::normal<double>(x.extents(), 2);
    S = 0.1 * felt::normal<double>(S.extents(), 3);
    //[slope]
    auto const s = felt::named<"s">(S);
    auto const energy = 0.5 * sum(square(matmul(W, s) - x));
    dS = felt::grad<"s">(energy);  // matmul(transpose(W), matmul(W, S) - x), in one pass
    //[slope]
    Tensor<double, 2> const by_hand = matmul(transpose(W), matmul(W, S) - x);
    check(felt::all_close(dS, by_hand), "the slope is what one would write by hand");
}

void layer() {
    Tensor<float, 2> W({16, 32}), x({32, 100}), y({16, 100}), dW({16, 32}), H;
    Tensor<float, 1> B({16}), dB({16});
    W = 0.2f * felt::normal<float>(W.extents(), 1);
    B = 0.f;
    x = felt::normal<float>(x.extents(), 2);
    y = felt::uniform<float>(y.extents(), 3);
    //[program]
    auto const w = felt::named<"w">(W);
    auto const b = felt::named<"b">(B);
    auto const h = felt::keep<"h">(H, sigmoid(matmul(w, x) + felt::expand_dims<1>(b)));
    auto step = gradient(program(h), sum(square(h - y)), felt::wrt<"w", "b">());
    float const before = step(felt::fused, dW, dB);  // forward, backward
    W -= 0.01f * dW;
    B -= 0.01f * dB;
    float const after = step(felt::fused, dW, dB);
    //[program]
    check(after < before, "a step down the slope costs less");
    static_assert(!felt::recomputes_products<decltype(step)>);
    std::cout << "# program\n" << explain(step);
}

}  // namespace

int main() {
    slope();
    layer();
    return failures;
}

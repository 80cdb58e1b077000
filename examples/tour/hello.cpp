// SPDX-License-Identifier: BSD-3-Clause
//
// h = sigmoid(w x + b): as one line, and as the loop that the line becomes.
#include "check.hpp"
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace {

// What the line says.
auto layer_by_felt() {
    //[ten_lines]
    felt::Tensor<float, 2> w({196, 784}), x({784, 1000}), b({196, 1});
    w = 0.05f * felt::normal<float>(w.extents(), 1);  // random numbers are expressions too
    x = felt::uniform<float>(x.extents(), 2);
    b = 0.1f;

    felt::Tensor<float, 2> h({196, 1000});
    h = sigmoid(matmul(w, x) + b);  // one pass; w x is never written

    float const active = mean(cast<float>(h > 0.5f));  // a full reduction is a number
    std::cout << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active << " %\n";
    //[ten_lines]
    return std::tuple(std::move(w), std::move(x), std::move(b), std::move(h));
}

// What runs, without the SIMD instructions and the register blocking of the product.
void layer_by_hand(float const* w, float const* x, float const* b, float* h, int m, int n, int k) {
    //[loop]
    constexpr int rows = 64, columns = 256;
    std::vector<float> scratch(rows * columns);  // it stays in cache
    float* const tile = scratch.data();
    for (int i0 = 0; i0 < m; i0 += rows) {
        for (int j0 = 0; j0 < n; j0 += columns) {
            int const i1 = std::min(i0 + rows, m), j1 = std::min(j0 + columns, n);
            std::fill(scratch.begin(), scratch.end(), 0.f);
            for (int i = i0; i < i1; ++i)  // the product's block
                for (int l = 0; l < k; ++l)
                    for (int j = j0; j < j1; ++j)
                        tile[(i - i0) * columns + (j - j0)] += w[i * k + l] * x[l * n + j];
            for (int i = i0; i < i1; ++i)  // all that stands around it, and the only store
                for (int j = j0; j < j1; ++j) {
                    float const sum = tile[(i - i0) * columns + (j - j0)] + b[i];
                    h[i * n + j] = 1 / (1 + std::exp(-sum));
                }
        }
    }
    //[loop]
}

}  // namespace

int main() {
    auto const [w, x, b, h] = layer_by_felt();
    felt::Tensor<float, 2> by_hand(h.extents());
    layer_by_hand(w.data(), x.data(), b.data(), by_hand.data(), 196, 1000, 784);
    check(all_close(h, by_hand, 1e-5, 1e-6), "the line and the loop agree");
    float const difference = max(abs(h - by_hand));
    std::cout << "line and loop differ by at most " << difference << '\n';
    return failures != 0;
}

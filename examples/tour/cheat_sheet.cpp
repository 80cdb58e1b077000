// SPDX-License-Identifier: BSD-3-Clause
//
// The README's cheat sheet: lines of Felt, and the same in NumPy.
#include "check.hpp"
#include <felt/felt.hpp>
#include <felt/sorting.hpp>
#include <cmath>

int main() {
    //[lines]
    using namespace felt;                                     // import numpy as np
    auto v = Tensor<float, 1>::of({1, 2, 4});                 // v = np.array([1, 2, 4], "f4")
    Tensor<float, 2> x = reshape(arange<float>(12), {3, 4});  // x = np.arange(12.).reshape(3, 4)
    x(0, 2) = 5;                                              // x[0, 2] = 5
    slice(x, all(), -1) = 0;                                  // x[:, -1] = 0
    Tensor<float, 2> y = x * expand_dims<1>(v) + 1;           // y = x * v[:, None] + 1
    y = where(y > 3, sqrt(y), 0);                             // y = np.where(y > 3, np.sqrt(y), 0)
    y -= mean<1>(y, keepdims);                                // y -= y.mean(axis=1, keepdims=True)
    float const total = sum(square(y));                       // total = np.sum(np.square(y))
    Tensor<index_t, 1> k = argmax<1>(y);                      // k = y.argmax(axis=1)
    Tensor<float, 2> c = matmul(x, transpose(y));             // c = x @ y.T
    Tensor<float, 1> d = einsum<"ij,ij->i">(x, y);            // d = np.einsum("ij,ij->i", x, y)
    Tensor<float, 2> z = concat<1>(gather<1>(x, k), y);       // z = np.hstack([x[:, k], y])
    z = sort<1>(z);                                           // z = np.sort(z, axis=1)
    z += normal<float>(z.extents(), 1);                       // z += rng.normal(size=z.shape)
    //[lines]
    auto const close = [](float a, float b) { return std::abs(a - b) < 1e-4f; };
    check(close(total, 40.80028f), "the sum is NumPy's");
    check(k(0) == 2 && k(1) == 2 && k(2) == 2, "the largest are where NumPy finds them");
    check(close(c(2, 1), 22.930447f) && close(d(2), 41.677073f), "products are NumPy's");
    Tensor<float, 2> const sorted = z - normal<float>(z.extents(), 1);
    check(close(sorted(1, 1), 0.519456f) && close(sorted(2, 6), 10), "rows are in order");
    return failures != 0;
}

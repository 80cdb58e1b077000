// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled twice, for other instructions, under another name of its function: PART.
#include <felt/felt.hpp>

//[part]
// The sum of softmax(a b) + exp(a b) / n, of n x n numbers. Between sources that are compiled
// differently go numbers and pointers, no types of Felt.
double PART(float const* a, float const* b, long n) {
    auto const x = felt::view(a, {n, n}), w = felt::view(b, {n, n});
    felt::Tensor<float, 2> y = softmax<1>(matmul(x, w));
    y += exp(matmul(x, w)) / float(n);
    return sum(cast<double>(y));
}
//[part]

// FELT_NUM_THREADS is read by each; what a program sets by felt::threads(n) is its own.
int THREADS(int n) {
    if (n > 0) felt::threads(n);
    return felt::threads();
}

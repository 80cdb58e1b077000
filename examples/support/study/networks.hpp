// SPDX-License-Identifier: BSD-3-Clause
//
// What the study's networks are made of: convolution, pooling, activations, costs, gradients.
// Images are (N, h, w) with one channel, filters (F, f, f), activations (N, F, h, w) or (m, N).
#pragma once
#include <support/study/matrices.hpp>

namespace study {

// R[p, q] = sum_rs A[p + r, q + s] B[r, s], where B lies in A: (h, w) by (f, g).
template <of_rank<2> A, of_rank<2> B>
auto convolve_2d(A&& a, B&& b) {
    auto const e = b.extents();
    return felt::einsum<"pqrs,rs->pq">(felt::windows(std::forward<A>(a), {e[0], e[1]}),
                                       std::forward<B>(b));
}

// R[n, f] = convolve_2d(A[n], B[f]): (N, h, w) by (F, f, g) to (N, F, h - f + 1, w - g + 1).
template <of_rank<3> A, of_rank<3> B>
auto convolve_T4(A&& a, B&& b) {
    return felt::conv2d(felt::expand_dims<1>(std::forward<A>(a)),
                        felt::expand_dims<1>(std::forward<B>(b)));
}

// R[f] = sum_n convolve_2d(A[n], B[n, f]), the gradient of the filters for deltas B:
// (N, h, w) by (N, F, p, q) to (F, h - p + 1, w - q + 1).
template <of_rank<3> A, of_rank<4> B>
auto grad_conv_T4(A&& a, B&& b) {
    auto const x = a.extents();
    auto const d = b.extents();
    auto g = felt::conv2d_weight_grad(felt::expand_dims<1>(std::forward<A>(a)), std::forward<B>(b),
                                      {d[1], 1, x[1] - d[2] + 1, x[2] - d[3] + 1});
    return felt::slice(std::move(g), felt::all(), 0, felt::all(), felt::all());
}

// The mean over blocks of p x p: (N, F, h, w) to (N, F, h / p, w / p).
template <of_rank<4> A>
auto average_pool_T4(A&& a, index_t p) {
    return felt::avg_pool2d(std::forward<A>(a), {.window = {p, p}});
}

// R[n, f, i, j] = A[n, f, i / p, j / p] / p^2, the derivative of average_pool_T4. (The study's
// NumPy version leaves the division out, and its gradients of filters are p^2 times too large.)
template <of_rank<4> A>
auto upsample_T4(A&& a, index_t p) {
    return felt::upsample(std::forward<A>(a), {p, p}) * (1.0 / static_cast<double>(p * p));
}

// Both axes of every matrix reversed.
template <of_rank<4> A>
auto rot180_T4(A&& a) {
    return felt::rot180(std::forward<A>(a));
}

// 1 / (1 + e^-A): the logistic function, which does not threshold. Felt's soft_threshold(x, s) is
// the shrinkage of sparse coding.
template <felt::array_operand A>
auto soft_threshold(A&& a) {
    return felt::sigmoid(std::forward<A>(a));
}

// The derivative of that, of its value a: a (1 - a).
template <felt::array_operand A>
auto sigmoid_gradient(A&& a) {
    auto const v = felt::as_node(std::forward<A>(a));
    return v * (1 - v);
}

// sigmoid(convolve_T4(A, W) + b[f]), b is a column (F, 1).
template <of_rank<3> A, of_rank<3> W, of_rank<2> B>
auto filter_convolve(A&& a, W&& w, B&& b) {
    return soft_threshold(convolve_T4(std::forward<A>(a), std::forward<W>(w)) +
                          felt::expand_dims<2>(std::forward<B>(b)));
}

// exp(A) / its sum by column. (The study does not subtract the maximum, and overflows above 88 in
// float.)
template <of_rank<2> A>
auto softmax(A&& a) {
    return felt::softmax<0>(std::forward<A>(a));
}

// -1/N sum_ij Y[i, j] log P[i, j], for probabilities P and labels Y as bit vectors, (m, N).
template <of_rank<2> P, of_rank<2> Y>
auto softmax_cost(P&& p, Y&& y) {
    double const n = static_cast<double>(size(y, 2));
    return matrix_elemwise_multiply(felt::log(std::forward<P>(p)), std::forward<Y>(y)) * (-1 / n);
}

// 1/2N sum_ij (T[i, j] - O[i, j])^2, of (m, N).
template <of_rank<2> T, of_rank<2> O>
auto squared_error(T&& target, O&& out) {
    double const n = static_cast<double>(size(target, 2));
    return felt::sum(felt::square(std::forward<T>(target) - std::forward<O>(out))) * (0.5 / n);
}

// The gradients of weights and bias for deltas (m, N): 1/N delta a' and 1/N of the row sums, a
// column. Activations a are (k, N), or images as above.
template <of_rank<2> D, of_rank<2> A>
auto gradient_calculate(D&& delta, A&& a) {
    auto const d = felt::as_node(std::forward<D>(delta));
    double const n = static_cast<double>(size(d, 2));
    return std::pair(matrix_matrix_transpose_multiply(d, std::forward<A>(a)) * (1 / n),
                     felt::sum<1>(d, felt::keepdims) * (1 / n));
}
template <of_rank<2> D, of_rank<4> A>
auto gradient_calculate(D&& delta, A&& a) {
    auto const d = felt::as_node(std::forward<D>(delta));
    double const n = static_cast<double>(size(d, 2));
    return std::pair(matrix_matrix4D_transpose_multiply(d, std::forward<A>(a)) * (1 / n),
                     felt::sum<1>(d, felt::keepdims) * (1 / n));
}

// W' delta, the deltas of the layer before; times the derivative of its activations. (The study's
// calls a function that it does not have.)
template <of_rank<2> D, of_rank<2> W>
auto delta_propagate(D&& delta, W&& w) {
    return matrix_transpose_matrix_multiply(std::forward<W>(w), std::forward<D>(delta));
}
template <of_rank<2> D, of_rank<2> W, class F, of_rank<2> A>
auto delta_propagate(D&& delta, W&& w, F const& gradient, A&& a) {
    return delta_propagate(std::forward<D>(delta), std::forward<W>(w)) *
           gradient(std::forward<A>(a));
}

// The gradient of cost(theta) by central differences, one element after the other.
template <class F, class T>
felt::Tensor<T, 1> compute_numerical_gradient(F const& cost, felt::Tensor<T, 1> const& theta,
                                              T step = T(1e-4)) {
    felt::Tensor<T, 1> at = theta, gradient(theta.extents());
    for (index_t i = 0; i < theta.size(); ++i) {
        at(i) = theta(i) + step;
        T const above = cost(at);
        at(i) = theta(i) - step;
        gradient(i) = (above - cost(at)) / (2 * step);
        at(i) = theta(i);
    }
    return gradient;
}

}  // namespace study

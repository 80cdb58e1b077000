// SPDX-License-Identifier: BSD-3-Clause
//
// The study's operations on matrices, whose columns are samples: A is (m, N), a column (m, 1).
// Products with an array of four dimensions take it as a matrix with a column (or row) per image.
#pragma once
#include <support/study/arrays.hpp>
#include <functional>

namespace study {

// s A, s - A, s + A.
template <class T, felt::array_operand A>
auto scalar_multiply(T s, A&& a) {
    return s * std::forward<A>(a);
}
template <class T, felt::array_operand A>
auto scalar_minus(T s, A&& a) {
    return s - std::forward<A>(a);
}
template <class T, felt::array_operand A>
auto scalar_plus(T s, A&& a) {
    return s + std::forward<A>(a);
}

// A + B, A - B and A B, element by element; extents of 1 repeat.
template <felt::array_operand A, felt::array_operand B>
auto plus(A&& a, B&& b) {
    return std::forward<A>(a) + std::forward<B>(b);
}
template <felt::array_operand A, felt::array_operand B>
auto minus(A&& a, B&& b) {
    return std::forward<A>(a) - std::forward<B>(b);
}
template <felt::array_operand A, felt::array_operand B>
auto multiply(A&& a, B&& b) {
    return std::forward<A>(a) * std::forward<B>(b);
}

// sum_i A[i, j] of (m, N): (N). sum_j A[i, j]: (m).
template <felt::array_operand A>
auto sum_by_column(A&& a) {
    return reducefun<1>(std::plus<>{}, std::forward<A>(a));
}
template <felt::array_operand A>
auto sum_by_row(A&& a) {
    return reducefun<2>(std::plus<>{}, std::forward<A>(a));
}

// The sum of all elements.
template <of_rank<1> V>
auto vector_sum(V&& v) {
    return felt::sum(std::forward<V>(v));
}
template <of_rank<2> A>
auto matrix_sum(A&& a) {
    return felt::sum(std::forward<A>(a));
}

// sum_ij A[i, j] B[i, j], called matrix_dot_product in its first version.
template <of_rank<2> A, of_rank<2> B>
auto matrix_elemwise_multiply(A&& a, B&& b) {
    return felt::sum(std::forward<A>(a) * std::forward<B>(b));
}

// The row of each column's largest element: (m, N) to (N).
template <of_rank<2> A>
auto argmax_by_column(A&& a) {
    return felt::argmax<0>(std::forward<A>(a));
}

// Column i has a 1 in row labels[i], else 0: (N) to (bits, N). Labels count from 0.
template <felt::element T, of_rank<1> L>
auto bit_numbers_to_bit_vectors(index_t bits, L&& labels) {
    return felt::transpose(felt::one_hot<T>(std::forward<L>(labels), bits));
}

// A' B: (k, m)' (k, n) to (m, n). A B': (m, k) (n, k)' to (m, n).
template <of_rank<2> A, of_rank<2> B>
auto matrix_transpose_matrix_multiply(A&& a, B&& b) {
    return felt::matmul(felt::transpose(std::forward<A>(a)), std::forward<B>(b));
}
template <of_rank<2> A, of_rank<2> B>
auto matrix_matrix_transpose_multiply(A&& a, B&& b) {
    return felt::matmul(std::forward<A>(a), felt::transpose(std::forward<B>(b)));
}

// W X + b: (m, k) (k, N) + (m, 1).
template <of_rank<2> W, of_rank<2> B, of_rank<2> X>
auto filter_multiply(W&& w, B&& b, X&& x) {
    return felt::matmul(std::forward<W>(w), std::forward<X>(x)) + std::forward<B>(b);
}

// B as the matrix with a row of all its elements for each image: (N, F, h, w) to (N, F h w).
template <felt::array_operand B>
auto image_rows(B&& b) {
    index_t const images = b.extents()[0], each = images == 0 ? 0 : b.extents().size() / images;
    return felt::reshape(std::forward<B>(b), {images, each});
}

// A B with a column of B for each image: (m, F h w) by (N, F, h, w) to (m, N).
template <of_rank<2> A, of_rank<4> B>
auto matrix_matrix4D_multiply(A&& a, B&& b) {
    return felt::matmul(std::forward<A>(a), felt::transpose(image_rows(std::forward<B>(b))));
}

// A B' in the same sense: (m, N) by (N, F, h, w) to (m, F h w).
template <of_rank<2> A, of_rank<4> B>
auto matrix_matrix4D_transpose_multiply(A&& a, B&& b) {
    return felt::matmul(std::forward<A>(a), image_rows(std::forward<B>(b)));
}

// A' B, a column for each image, as an array of the dimensions given. (The name has the transpose
// in the wrong place.) (m, F h w) by (m, N) to (N, F, h, w).
template <of_rank<2> A, of_rank<2> B, std::size_t N>
auto matrix_matrix_transpose_multiply_to_4D(A&& a, B&& b, felt::extent_arg const (&dims)[N]) {
    return felt::reshape(felt::matmul(felt::transpose(std::forward<B>(b)), std::forward<A>(a)),
                         in_our_order(dims));
}

}  // namespace study

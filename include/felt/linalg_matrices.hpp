// SPDX-License-Identifier: BSD-3-Clause
//
// Operands and results of felt/linalg.hpp as Eigen sees them. What runs on a matrix is a template
// of its element type alone: ranks, layouts and batches end here.
#pragma once
#include <felt/felt.hpp>
#include <Eigen/Core>
#include <functional>
#include <string>

namespace felt::inline FELT_ABI {

// A matrix without what was asked of it: singular, not positive definite, not finite.
struct linalg_error : error {
    using error::error;
};

// What the functions of felt/linalg.hpp take.
template <class X>
concept matrix_operand = array_operand<X> && has_rows_and_columns<X> && lies_on_host<X>;

namespace detail {

template <class T>
using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using eigen_map =
    Eigen::Map<std::conditional_t<std::is_const_v<T>, eigen_matrix<std::remove_const_t<T>> const,
                                  eigen_matrix<T>>,
               Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// Matrices in the last `Axes` axes of memory: with 1 they are columns, with 0 numbers. Leading axes
// align at their last, as in broadcasting.
template <class T>
class matrices {
public:
    template <std::size_t R>
    matrices(T* data, extents<R> const& e, extents<R> const& stride, std::size_t axes)
        : data_(data), leading_(R - axes) {
        for (std::size_t r = 0; r != leading_; ++r) stride_[r] = e[r] == 1 ? 0 : stride[r];
        if (axes > 0) rows_ = e[leading_], row_stride_ = stride[leading_];
        if (axes > 1) columns_ = e[leading_ + 1], column_stride_ = stride[leading_ + 1];
    }

    index_t rows() const { return rows_; }
    index_t columns() const { return columns_; }

    // The matrix at an index of `rank` leading axes.
    eigen_map<T> operator()(index_t const* at, std::size_t rank) const {
        index_t offset = 0;
        for (std::size_t r = 0; r != leading_; ++r) offset += at[rank - leading_ + r] * stride_[r];
        return {data_ + offset, rows_, columns_, {column_stride_, row_stride_}};
    }

private:
    T* data_;
    std::size_t leading_;
    index_t rows_ = 1, columns_ = 1, row_stride_ = 0, column_stride_ = 0;
    index_t stride_[max_rank] = {};
};

template <class T, std::size_t R>
matrices<T> results(Tensor<T, R>& y, std::size_t axes) {
    return {y.data(), y.extents(), y.strides(), axes};
}
template <class X>
auto operands(X const& x, std::size_t axes = 2) {
    return matrices<value_of<X> const>(x.data(), x.extents(), x.strides(), axes);
}

// The elements of an operand in memory, as T: where they are, or evaluated.
template <class T, class X>
auto in_memory(X const& x) {
    if constexpr (strided_array<X> && std::is_same_v<value_of<X>, T>) {
        return View<T const, rank_of<X>>(x.data(), x.extents(), x.strides());
    } else {
        return eval(cast<T>(x));
    }
}

// f(at, rank) for every index of the leading axes.
inline void for_each_matrix(index_t const* e, std::size_t rank,
                            std::function<void(index_t const*, std::size_t)> const& f) {
    index_t at[max_rank] = {}, count = 1;
    for (std::size_t r = 0; r != rank; ++r) count *= e[r];
    for (; count > 0; --count) {
        f(at, rank);
        for (std::size_t r = rank; r-- > 0 && ++at[r] == e[r];) at[r] = 0;
    }
}

template <std::size_t R>
extents<R - 2> leading(extents<R> const& e) {
    extents<R - 2> lead;
    for (std::size_t r = 0; r != R - 2; ++r) lead[r] = e[r];
    return lead;
}

// The leading axes, then the others.
template <std::size_t L, std::size_t N>
extents<L + N> followed_by(extents<L> const& lead, index_t const (&last)[N]) {
    extents<L + N> e;
    for (std::size_t r = 0; r != L; ++r) e[r] = lead[r];
    for (std::size_t r = 0; r != N; ++r) e[L + r] = last[r];
    return e;
}

template <class T, std::size_t R>
Tensor<T, R> fresh(extents<R> const& e) {
    return Tensor<T, R>(e, uninitialized);
}

// What f gives for each matrix: a number of one matrix, a tensor of several.
template <class T, std::size_t L>
auto number_or_tensor(Tensor<T, L> y) {
    if constexpr (L == 0) return y();
    else return y;
}

inline std::string matrix_text(char const* function, index_t rows, index_t columns) {
    index_t const e[] = {rows, columns};
    return std::string(function) + ": the matrix " + to_string(e, 2) + " ";
}

template <std::size_t R>
void expect_square(char const* function, extents<R> const& e) {
    if (e[R - 2] != e[R - 1]) {
        throw shape_error(std::string(function) + ": " + to_string(e) + " are no square matrices");
    }
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI

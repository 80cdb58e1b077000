// SPDX-License-Identifier: BSD-3-Clause
//
// Eigen's matrices and arrays in Felt's expressions, and Felt's tensors as Eigen's maps. Nothing is
// copied:
//
//   Eigen::MatrixXf a;  Eigen::VectorXf v;  felt::Tensor<float, 2> y;
//   y = felt::matmul(a, y) + v;                    element (i, j) is a(i, j) in both libraries
//   felt::fuse(felt::assign(a.col(0), felt::exp(v)));
//   Eigen::MatrixXf z = felt::to_eigen(y) * a;
//
// What has elements in memory is an operand: Matrix and Array, Map and Ref by any strides, blocks,
// rows, columns, diagonals and transposes of them. A vector has one axis (view<2> shows both). `a +
// a` remains Eigen's own, an expression that Felt does not evaluate: (a + a).eval() has elements.
// A temporary Matrix lives in the expression; blocks and maps must not outlive what they show.
#pragma once
#include <felt/foreign.hpp>
#include <Eigen/Core>

namespace felt::inline FELT_ABI {

namespace detail {

template <class D>
D eigen_object(Eigen::DenseBase<D> const&);
template <class M>
std::true_type eigen_owner(Eigen::PlainObjectBase<M> const&);
template <class M, int O, class S>
std::true_type eigen_owner(Eigen::Ref<M const, O, S> const&);  // of a copy, where it does not fit
std::false_type eigen_owner(...);

// Felt's strides of an Eigen type of R axes.
template <std::size_t R, class X>
std::pair<extents<R>, extents<R>> eigen_shape(X const& x) {
    if constexpr (R == 2) {
        return {{{x.rows(), x.cols()}}, {{x.rowStride(), x.colStride()}}};
    } else {
        return {{{x.size()}}, {{x.innerStride()}}};
    }
}

}  // namespace detail

template <class X>
concept eigen_expression = requires(std::remove_cvref_t<X> const& x) { detail::eigen_object(x); };

template <class X>
concept eigen_is_in_memory =
    eigen_expression<X> && element<typename std::remove_cvref_t<X>::Scalar> &&
    (Eigen::internal::traits<std::remove_cvref_t<X>>::Flags & Eigen::DirectAccessBit) != 0;

template <class X>
concept eigen_is_vector = bool(std::remove_cvref_t<X>::IsVectorAtCompileTime);

// The elements of a matrix (two axes) or of a vector (one, or two if view<2> is written).
template <std::size_t R, eigen_is_in_memory X>
    requires(R == 2 || (R == 1 && eigen_is_vector<X>))
[[nodiscard]] auto view(X&& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    auto const [e, stride] = detail::eigen_shape<R>(x);
    return View<T, R>(x.data(), e, stride);
}
template <eigen_is_in_memory X>
[[nodiscard]] auto view(X&& x) {
    return felt::view<eigen_is_vector<X> ? 1 : 2>(x);
}

// The door by which they enter expressions, and what is said to those that cannot.
template <class X>
    requires eigen_is_in_memory<X> && (!decltype(detail::eigen_owner(std::declval<X&>()))::value)
struct foreign_array<X> {
    using borrows = void;
    static auto view(X& x) { return felt::view(x); }
    static auto view(X const& x) { return felt::view(x); }
};
template <class X>
    requires eigen_is_in_memory<X> && (decltype(detail::eigen_owner(std::declval<X&>()))::value)
struct foreign_array<X> {
    static auto view(X& x) { return felt::view(x); }
    static auto view(X const& x) { return felt::view(x); }
};
template <class X>
    requires eigen_expression<X> && (!eigen_is_in_memory<X>)
struct foreign_array<X> {
    using is_lazy = void;
};

template <class X>
concept eigen_has_such_elements = !is_bfloat16<value_of<X>>;
template <class X>
concept eigen_has_such_a_rank = rank_of<X> == 1 || rank_of<X> == 2;

namespace detail {

template <class T, int Rows, int Columns, int Order>
using matrix_like =
    std::conditional_t<std::is_const_v<T>,
                       Eigen::Matrix<std::remove_const_t<T>, Rows, Columns, Order> const,
                       Eigen::Matrix<T, Rows, Columns, Order>>;

template <class Layout, class X>
auto as_eigen(X& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    using Eigen::Dynamic;
    constexpr bool packed = std::same_as<Layout, RowMajor> || std::same_as<Layout, ColMajor>;
    constexpr int order = std::same_as<Layout, ColMajor> ? Eigen::ColMajor : Eigen::RowMajor;
    using matrix = matrix_like<T, Dynamic, Dynamic, order>;
    using vector = matrix_like<T, Dynamic, 1, Eigen::ColMajor>;
    auto const e = x.extents(), stride = x.strides();
    if constexpr (rank_of<X> == 1 && packed) {
        return Eigen::Map<vector>(x.data(), e[0]);
    } else if constexpr (rank_of<X> == 1) {
        using step = Eigen::InnerStride<Dynamic>;
        return Eigen::Map<vector, Eigen::Unaligned, step>(x.data(), e[0], step(stride[0]));
    } else if constexpr (packed) {
        return Eigen::Map<matrix>(x.data(), e[0], e[1]);
    } else {
        using steps = Eigen::Stride<Dynamic, Dynamic>;
        return Eigen::Map<matrix, Eigen::Unaligned, steps>(x.data(), e[0], e[1],
                                                           steps(stride[0], stride[1]));
    }
}

}  // namespace detail

// The elements of a tensor or view of one or two axes as an Eigen::Map, which must not outlive the
// tensor: a packed one of a RowMajor or ColMajor tensor, one by strides of a view.
template <class T, std::size_t R, class Layout>
    requires eigen_has_such_a_rank<Tensor<T, R>> && eigen_has_such_elements<Tensor<T, R>>
[[nodiscard]] auto to_eigen(Tensor<T, R, Host, Layout>& x) {
    return detail::as_eigen<Layout>(x);
}
template <class T, std::size_t R, class Layout>
    requires eigen_has_such_a_rank<Tensor<T, R>> && eigen_has_such_elements<Tensor<T, R>>
[[nodiscard]] auto to_eigen(Tensor<T, R, Host, Layout> const& x) {
    return detail::as_eigen<Layout>(x);
}
template <class T, std::size_t R, class Layout>
void to_eigen(Tensor<T, R, Host, Layout>&&) = delete;  // it dies before the map
template <class T, std::size_t R>
    requires eigen_has_such_a_rank<View<T, R>> && eigen_has_such_elements<View<T, R>>
[[nodiscard]] auto to_eigen(View<T, R, Host> const& x) {
    return detail::as_eigen<void>(x);
}

}  // namespace felt::inline FELT_ABI

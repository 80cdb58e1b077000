// SPDX-License-Identifier: BSD-3-Clause
//
// xtensor's arrays as Felt's views, and back: element (i, j) is at data[offset + sum of
// index * stride] in both libraries.
#pragma once
#include <felt/foreign.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#include <algorithm>
#include <array>

namespace felt::inline FELT_ABI {

namespace detail {

// The number of axes, or dynamic_rank where only the object knows it.
inline constexpr std::size_t dynamic_rank = SIZE_MAX;
template <class X>
constexpr std::size_t xtensor_rank() {
    using shape = std::remove_cvref_t<decltype(std::declval<X const&>().shape())>;
    if constexpr (xt::get_rank<X>::value != dynamic_rank) return xt::get_rank<X>::value;
    else if constexpr (requires { std::tuple_size<shape>::value; })
        return std::tuple_size<shape>::value;
    else return dynamic_rank;
}

// Whether the elements outlive the object: it is a view or an adaptor of a named array.
template <class X>
inline constexpr bool borrows = false;
template <class X>
inline constexpr bool borrows<X&> = true;
template <class X, class... S>
inline constexpr bool borrows<xt::xview<X, S...>> = borrows<X>;
template <class X, class S, xt::layout_type L, class F>
inline constexpr bool borrows<xt::xstrided_view<X, S, L, F>> = borrows<X>;
template <class P, class A>
inline constexpr bool borrows<xt::xbuffer_adaptor<P, xt::no_ownership, A>> = true;
template <class B, std::size_t N, xt::layout_type L, class Tag>
inline constexpr bool borrows<xt::xtensor_adaptor<B, N, L, Tag>> = borrows<B>;
template <class B, xt::layout_type L, class S, class Tag>
inline constexpr bool borrows<xt::xarray_adaptor<B, L, S, Tag>> = borrows<B>;

}  // namespace detail

template <class X>
concept xtensor_expression = xt::is_xexpression<std::remove_cvref_t<X>>::value;

template <class X>
concept xtensor_is_in_memory = xtensor_expression<X> && requires(std::remove_reference_t<X>& x) {
    requires element<typename std::remove_cvref_t<X>::value_type>;
    { *x.data() } -> std::convertible_to<typename std::remove_cvref_t<X>::value_type>;
    x.strides().begin();
    x.data_offset();
};

template <class X>
concept xtensor_rank_is_in_its_type =
    detail::xtensor_rank<std::remove_cvref_t<X>>() != detail::dynamic_rank;

template <class X>
concept xtensor_operand = xtensor_is_in_memory<X> && xtensor_rank_is_in_its_type<X>;

// An array of R axes as a view; xt::xarray is a tensor once it has been told its rank. Throws
// shape_error if it has another one.
template <std::size_t R, xtensor_is_in_memory X>
[[nodiscard]] auto view(X&& x) {
    using T = std::remove_reference_t<decltype(*x.data())>;
    if (x.dimension() != R) {
        throw shape_error("view: an xtensor array of rank " + std::to_string(x.dimension()) +
                          " as one of rank " + std::to_string(R));
    }
    extents<R> e, stride;
    for (std::size_t r = 0; r != R; ++r) {
        e[r] = static_cast<index_t>(x.shape()[r]);
        stride[r] = static_cast<index_t>(x.strides()[r]);
    }
    return View<T, R>(x.data() + static_cast<index_t>(x.data_offset()), e, stride);
}
template <xtensor_operand X>
[[nodiscard]] auto view(X&& x) {
    return felt::view<detail::xtensor_rank<std::remove_cvref_t<X>>()>(x);
}

// The door by which they enter expressions, and what is said to those that cannot.
template <class X>
    requires xtensor_operand<X> && detail::borrows<X>
struct foreign_array<X> {
    using borrows = void;
    static auto view(X& x) { return felt::view(x); }
    static auto view(X const& x) { return felt::view(x); }
};
template <class X>
    requires xtensor_operand<X> && (!detail::borrows<X>)
struct foreign_array<X> {
    static auto view(X& x) { return felt::view(x); }
    static auto view(X const& x) { return felt::view(x); }
};
template <class X>
    requires xtensor_expression<X> && (!xtensor_is_in_memory<X>)
struct foreign_array<X> {
    using is_lazy = void;
};
template <class X>
    requires xtensor_is_in_memory<X> && (!xtensor_rank_is_in_its_type<X>)
struct foreign_array<X> {
    using has_no_rank = void;
};

// assign and noalias are those of felt/foreign.hpp.
template <class D>
concept xtensor_destination = xtensor_operand<D> && foreign_destination<D>;

// Without these, xtensor would take a tensor for one element of an expression of its own.
template <class A, class B>
concept xtensor_expression_meets_tensor =
    (array_operand<A> && xtensor_expression<B> && !array_operand<B>) ||
    (array_operand<B> && xtensor_expression<A> && !array_operand<A>);

// clang-format off
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator+(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator-(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator*(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator/(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator<(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator<=(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator>(A&&, B&&) = delete;   // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator>=(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator==(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator!=(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator&&(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
template <class A, class B> requires xtensor_expression_meets_tensor<A, B>
void operator||(A&&, B&&) = delete;  // xt::eval(x) has elements, felt::view<R>(x) a rank
// clang-format on

namespace detail {

template <class Layout>
inline constexpr auto xtensor_layout = xt::layout_type::dynamic;
template <>
inline constexpr auto xtensor_layout<RowMajor> = xt::layout_type::row_major;
template <>
inline constexpr auto xtensor_layout<ColMajor> = xt::layout_type::column_major;

template <std::size_t R>
std::array<std::size_t, R> xtensor_shape(extents<R> const& e) {
    std::array<std::size_t, R> shape{};
    std::copy(e.begin(), e.end(), shape.begin());
    return shape;
}

template <class Layout, class T, std::size_t R>
auto packed_xtensor(T* data, extents<R> const& e) {
    constexpr auto layout = xtensor_layout<Layout>;
    using allocator = std::allocator<std::remove_const_t<T>>;
    using buffer = xt::xbuffer_adaptor<T*, xt::no_ownership, allocator>;
    return xt::xtensor_adaptor<buffer, R, layout>(
        buffer(std::move(data), static_cast<std::size_t>(e.size())), xtensor_shape(e), layout);
}

// xtensor assigns to an adaptor as if its elements had no gaps, so this is a view of all the
// memory from the first element to the last.
template <class T, std::size_t R>
auto strided_xtensor(T* data, extents<R> const& e, extents<R> const& stride) {
    index_t before = 0, after = 0;
    for (std::size_t r = 0; r != R; ++r) {
        (stride[r] < 0 ? before : after) += std::max<index_t>(e[r] - 1, 0) * stride[r];
    }
    std::array<std::ptrdiff_t, R> strides{};
    std::copy(stride.begin(), stride.end(), strides.begin());
    extents<1> const all{{e.size() == 0 ? 0 : after - before + 1}};
    return xt::strided_view(packed_xtensor<RowMajor>(data + before, all), xtensor_shape(e),
                            std::move(strides), static_cast<std::size_t>(-before),
                            xt::layout_type::dynamic);
}

template <class Layout, class X>
auto as_xtensor(X& x) {
    if constexpr (xtensor_layout<Layout> == xt::layout_type::dynamic) {
        return strided_xtensor(x.data(), x.extents(), x.strides());
    } else {
        return packed_xtensor<Layout>(x.data(), x.extents());
    }
}

}  // namespace detail

// The elements of a tensor or view as an xtensor array, which must not outlive the tensor.
template <class T, std::size_t R, class Layout>
[[nodiscard]] auto to_xtensor(Tensor<T, R, Host, Layout>& x) {
    return detail::as_xtensor<Layout>(x);
}
template <class T, std::size_t R, class Layout>
[[nodiscard]] auto to_xtensor(Tensor<T, R, Host, Layout> const& x) {
    return detail::as_xtensor<Layout>(x);
}
template <class T, std::size_t R, class Layout>
void to_xtensor(Tensor<T, R, Host, Layout>&&) = delete;  // it dies before the array
template <class T, std::size_t R>
[[nodiscard]] auto to_xtensor(View<T, R, Host> const& x) {
    return detail::as_xtensor<void>(x);
}

}  // namespace felt::inline FELT_ABI

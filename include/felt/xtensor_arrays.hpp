// SPDX-License-Identifier: BSD-3-Clause
//
// xtensor's arrays as Felt's views, and back: element (i, j) is at data[offset + sum of
// index * stride] in both libraries.
#pragma once
#include <felt/expr/assign.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#include <algorithm>
#include <array>

namespace felt {

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
concept xtensor_is_in_memory = xtensor_expression<X> &&
    requires(std::remove_reference_t<X>& x) {
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
auto view(X&& x) {
    using T = std::remove_reference_t<decltype(*x.data())>;
    if (x.dimension() != R) {
        throw shape_error("view: an xtensor array of rank " + std::to_string(x.dimension()) +
                          " as one of rank " + std::to_string(R));
    }
    extents<R> e, stride;
    for (std::size_t r = 0; r < R; ++r) {
        e[r] = static_cast<index_t>(x.shape()[r]);
        stride[r] = static_cast<index_t>(x.strides()[r]);
    }
    return View<T, R>(x.data() + static_cast<index_t>(x.data_offset()), e, stride);
}
template <xtensor_operand X>
auto view(X&& x) {
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

template <class D>
concept xtensor_destination =
    xtensor_operand<D> && destination_is_writable<decltype(felt::view(std::declval<D&>()))>;

// The statement "the elements of y become e". Throws shape_error if e does not broadcast to y.
template <xtensor_destination D, class E>
    requires assignable_from<decltype(felt::view(std::declval<D&>())), E>
auto assign(D&& y, E&& e) {
    return assign(felt::view(y), std::forward<E>(e));
}

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

template <class Layout, class T, std::size_t R>
auto adapted(T* data, extents<R> const& e, extents<R> const& stride) {
    using allocator = std::allocator<std::remove_const_t<T>>;
    using buffer = xt::xbuffer_adaptor<T*, xt::no_ownership, allocator>;
    constexpr auto layout = xtensor_layout<Layout>;
    using adaptor = xt::xtensor_adaptor<buffer, R, layout>;
    std::array<std::size_t, R> shape{};
    std::array<std::ptrdiff_t, R> strides{};
    std::copy(e.begin(), e.end(), shape.begin());
    std::copy(stride.begin(), stride.end(), strides.begin());
    buffer elements(std::move(data), static_cast<std::size_t>(e.size()));
    if constexpr (layout == xt::layout_type::dynamic) {
        return adaptor(std::move(elements), shape, strides);
    } else {
        return adaptor(std::move(elements), shape, layout);
    }
}

}  // namespace detail

// The elements of a tensor or view as an xtensor adaptor, which must not outlive the tensor.
template <class T, std::size_t R, class Layout>
auto to_xtensor(Tensor<T, R, Host, Layout>& x) {
    return detail::adapted<Layout>(x.data(), x.extents(), x.strides());
}
template <class T, std::size_t R, class Layout>
auto to_xtensor(Tensor<T, R, Host, Layout> const& x) {
    return detail::adapted<Layout>(x.data(), x.extents(), x.strides());
}
template <class T, std::size_t R, class Layout>
void to_xtensor(Tensor<T, R, Host, Layout>&&) = delete;  // it dies before the adaptor
template <class T, std::size_t R>
auto to_xtensor(View<T, R, Host> const& x) {
    return detail::adapted<void>(x.data(), x.extents(), x.strides());
}

}  // namespace felt

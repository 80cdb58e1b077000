// SPDX-License-Identifier: BSD-3-Clause
//
// grad<"w">(e): the derivative of expression e of rank 0 by what has the name w, again an
// expression, of the extents of w:
//
//     auto w = named<"w">(W);
//     dW = grad<"w">(0.5 * sum(square(matmul(w, x) - y)));   // matmul(W x - y, x')
//
// grad<"w">(e, dy): the same of a cost whose derivative by e is dy, of e's extents. Second
// derivatives are derivatives of these: grad<"w">(sum(grad<"w">(e) * v)) is the Hessian by v.
#pragma once
#include <felt/grad/sweep.hpp>

namespace felt {

template <class Name, class E>
concept expression_has_the_name = array_operand<E> && derive::reaches<Name, node_of<E>>;
// By complex numbers there are none: name real(z) and imag(z), which are real tensors.
template <class Name, class E>
concept derivatives_are_of_real_numbers = derive::is_real_by<Name, node_of<E>>;
// stop(f(x)) of what has no derivative, or a functor that says partial<I>.
template <class Name, class E>
concept every_function_has_a_derivative = derive::has_rules<Name, node_of<E>>;

namespace derive {

// By Name, through the values that are named by let, of which the first K have no derivative yet.
template <class Name, std::size_t K, class Lets, class... L>
auto grad_through(Lets const& lets, L const&... links) {
    if constexpr (K == 0) {
        return sum_of<Name>(links...);
    } else {
        auto const& z = get<K - 1>(lets);
        using Z = std::remove_cvref_t<decltype(z)>;
        auto const d = sum_by(z, links...);
        return grad_through<Name, K - 1>(
            lets,
            link<std::remove_cvref_t<decltype(z.expression())>, Z,
                 std::remove_cvref_t<decltype(d)>>{z.expression(), z, d},
            links...);
    }
}

template <class Name, class E, class D>
auto grad_of(E const& e, D const& dy) {
    auto const lets = lets_in(e, tuple<>{});
    constexpr std::size_t count = count_of(static_cast<decltype(&lets)>(nullptr));
    return grad_through<Name, count>(lets, link<E, E, D>{e, e, dy});
}
template <class E>
auto one() {
    using T = value_of<E>;
    return spread<scalar<T>, 0>{scalar<T>{T(1)}, {}};
}
template <class Name, class E>
using grad_type = decltype(grad_of<Name>(std::declval<node_of<E> const&>(), one<E>()));

}  // namespace derive

// Not by integers, comparisons, floor and other steps alone.
template <class Name, class E>
concept depends_by_more_than_steps = !derive::is_zero<derive::grad_type<Name, E>>;

template <fixed_string Name, class E>
    requires expression_has_the_name<literal_name<Name>, E> && cost_is_one_number<E> &&
             derivatives_are_of_real_numbers<literal_name<Name>, E> &&
             every_function_has_a_derivative<literal_name<Name>, E> &&
             depends_by_more_than_steps<literal_name<Name>, E>
auto grad(E&& e) {
    auto const n = as_node(std::forward<E>(e));
    return derive::whole(derive::grad_of<literal_name<Name>>(n, derive::one<E>()));
}

template <fixed_string Name, class E, operand D>
    requires expression_has_the_name<literal_name<Name>, E> &&
             derivatives_are_of_real_numbers<literal_name<Name>, E> &&
             every_function_has_a_derivative<literal_name<Name>, E>
auto grad(E&& e, D&& dy) {
    auto const n = as_node(std::forward<E>(e));
    using T = value_of<E>;
    auto const d = detail::to_type<T>(as_node(std::forward<D>(dy)));
    return derive::whole(
        derive::grad_of<literal_name<Name>>(n, derive::as_derivative(d, n.extents())));
}

}  // namespace felt

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
#include <felt/grad/remedies.hpp>
#include <felt/grad/sweep.hpp>

namespace felt::inline FELT_ABI {

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
template <class N, class D>
auto cotangent_of(N const& n, D&& dy) {
    auto const d = detail::to_type<typename N::value_type>(as_node(std::forward<D>(dy)));
    return as_derivative(d, n.extents());
}

// Of a cost E; of an E whose derivative is known, a D.
template <class Name, class E, class... D>
auto derivative_by(E const& e, D&&... dy) {
    if constexpr (sizeof...(D) == 0) return grad_of<Name>(e, one<E>());
    else return grad_of<Name>(e, cotangent_of(e, std::forward<D>(dy)...));
}

// The remedy for the first mistake in asking for that.
template <class Name, class E, class... D>
constexpr auto find_remedy() {
    if constexpr (!array_operand<E>) {
        return remedy::give_that_name_to_an_operand{};
    } else {
        using N = node_of<E>;
        if constexpr (!reaches<Name, N>) return remedy::give_that_name_to_an_operand{};
        else if constexpr (sizeof...(D) == 0 && N::rank != 0)
            return remedy::sum_the_cost_or_give_a_cotangent{};
        else if constexpr (((rank_of<D> > N::rank) || ...))
            return remedy::sum_the_cost_or_give_a_cotangent{};
        else if constexpr (!is_of_numbers_by<Name, N>)
            return remedy::name_a_tensor_of_float_or_double{};
        else if constexpr (!is_real_by<Name, N>) return remedy::take_real_and_imag_apart{};
        else if constexpr (!has_rules<Name, N>) return remedy::say_partial_or_stop{};
        else if constexpr (is_zero<decltype(derivative_by<Name>(std::declval<N const&>(),
                                                                std::declval<D>()...))>)
            return remedy::leave_out_what_depends_by_steps{};
        else return remedy::none{};
    }
}
template <class Name, class E, class... D>
using remedy_of_grad = decltype(find_remedy<Name, E, D...>());

}  // namespace derive

template <fixed_string Name, class E>
    requires needs_no_remedy<derive::remedy_of_grad<literal_name<Name>, E>>
auto grad(E&& e) {
    auto const n = as_node(std::forward<E>(e));
    return derive::whole(derive::derivative_by<literal_name<Name>>(n));
}

template <fixed_string Name, class E, operand D>
    requires needs_no_remedy<derive::remedy_of_grad<literal_name<Name>, E, D>>
auto grad(E&& e, D&& dy) {
    auto const n = as_node(std::forward<E>(e));
    return derive::whole(derive::derivative_by<literal_name<Name>>(n, std::forward<D>(dy)));
}

template <fixed_string Name, class E, class Remedy = derive::remedy_of_grad<literal_name<Name>, E>>
    requires(!needs_no_remedy<Remedy>)
void grad(E&&) = delete;
template <fixed_string Name, class E, operand D,
          class Remedy = derive::remedy_of_grad<literal_name<Name>, E, D>>
    requires(!needs_no_remedy<Remedy>)
void grad(E&&, D&&) = delete;

}  // namespace felt::inline FELT_ABI

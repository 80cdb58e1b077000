// SPDX-License-Identifier: BSD-3-Clause
//
// assign(y, e) is a statement: it says that y will hold e. It does nothing by itself; run()
// and fuse() carry out one or several. y = e is run(fused, assign(y, e)).
#pragma once
#include <felt/expr/functions.hpp>
#include <felt/expr/views/along.hpp>

namespace felt::inline FELT_ABI {

struct fused_t {};
struct unfused_t {};
// Fused, by no algorithm that rounds otherwise than the sums that are written: convolutions are
// not computed by Winograd's (plan/algorithm_choice.hpp).
struct exact_t : fused_t {};
inline constexpr fused_t fused{};
inline constexpr unfused_t unfused{};
inline constexpr exact_t exact{};

// T is the element type of the destination, R its rank.
template <class T, std::size_t R, class Space, class E>
struct [[nodiscard("it does nothing until it is run: fuse(s), or run(fused, s)")]] statement {
    using value_type = T;
    using space = Space;
    static constexpr std::size_t rank = R;

    T* data;
    extents<R> e;
    extents<R> stride;
    E expression;
    bool no_alias = false;      // promised by noalias(): nothing that is read is written
    detail::owner_t owner = 0;  // of data, where lifetimes are checked
};

template <class... S>
inline constexpr bool all_statements = false;
template <class... T, std::size_t... R, class... Sp, class... E>
inline constexpr bool all_statements<statement<T, R, Sp, E>...> = true;
template <class... S>
concept all_are_statements = all_statements<S...>;

// These take nothing.
template <class... S>
void fuse(refused_value, S&&...);
template <class... S>
void explain(refused_value, S&&...);

namespace detail {

template <std::size_t R, std::size_t S>
bool fits(extents<R> const& to, extents<S> const& from) {
    auto e = to;
    return broadcast_into(e, from) && e == to;
}

// A tensor that takes the extents of what it is assigned while it is empty.
template <class D, class N>
concept takes_extents_of = requires(D& y, N const& n) { y.reset(n.extents()); } && rank_of<D> > 0;

template <class D>
bool is_unset(D const& y) {
    return y.extents() == extents<rank_of<D>>{};
}

// The node that y = e evaluates: elements in y's type.
template <class D, class E>
auto converted(E&& e) {
    auto n = without_notation(among_axes<rank_of<D>>(as_node(std::forward<E>(e))));
    return to_type<value_of<D>>(std::move(n));
}
template <class D, class E>
using statement_of =
    statement<value_of<D>, rank_of<D>, space_of<D>, decltype(converted<D>(std::declval<E>()))>;

// Where the elements of y are, after it has taken extents e if it was empty.
template <std::size_t S, class D>
[[gnu::noinline]] leaf<value_of<D>, rank_of<D>, space_of<D>> memory_for(extents<S> const& e, D& y) {
    if constexpr (requires { y.reset(e); } && S > 0) {
        if (is_unset(y)) y.reset(e);
    }
    if (!fits(y.extents(), e)) apart<&assign_fails>::call(e, y.extents());
    return {y.data(), y.extents(), y.strides(), owner_of(y.data(), y.extents().size())};
}

// The expression is made where it stays: it may be hundreds of bytes long.
template <class D, class E>
auto make_statement(D& y, E&& e, bool no_alias) {
    statement_of<D, E> s{nullptr, {}, {}, converted<D>(std::forward<E>(e)), no_alias};
    auto const to = memory_for(s.expression.extents(), y);
    s.data = y.data();
    s.e = to.e, s.stride = to.stride, s.owner = to.owner;
    return s;
}

}  // namespace detail

// The statement "y holds e". Throws shape_error if e does not broadcast to y.
template <class D, class E>
    requires destination_is_writable<D> && destination_outlives_statement<D> &&
             assignable_from<D, E>
auto assign(D&& y, E&& e) {
    return detail::make_statement(y, std::forward<E>(e), false);
}

// This takes nothing.
template <array_operand D>
void assign(D&& y, std::type_identity_t<refused<D, destination_outlives_statement<D>>>);

// What an empty tensor is assigned is computed aside: if that throws, it is empty still.
template <class D, class E>
void run_assignment(D& y, E&& e) {
    using S = detail::statement_of<D, E>;
    if constexpr (detail::takes_extents_of<D, decltype(S::expression)>) {
        D fresh;
        D& to = detail::is_unset(y) ? fresh : y;
        run(fused, detail::make_statement(to, std::forward<E>(e), false));
        if (&to == &fresh) y = std::move(fresh);
    } else {
        run(fused, detail::make_statement(y, std::forward<E>(e), false));
    }
}

// noalias(y) = e promises that e reads nothing that y writes.
template <class D>
struct [[nodiscard("it does nothing by itself: noalias(y) = e")]] noalias_target {
    D& y;

    template <class E>
        requires assignable_from<D, E>
    void operator=(E&& e) const {
        run(fused, detail::make_statement(y, std::forward<E>(e), true));
    }
    void operator=(refused<D>) const;  // takes nothing
};

template <class D>
    requires destination_is_writable<D>
auto noalias(D&& y) {
    return noalias_target<std::remove_reference_t<D>>{y};
}
void noalias(refused_destination);  // takes nothing

namespace detail {
template <class D, class E>
concept updates = destination_is_writable<D> && operand<E> && (strided_array<D>) &&
                  expression_rank_fits_destination<D, E> && assignment_does_not_narrow<D, E> &&
                  destination_and_expression_share_a_space<D, E>;
template <class F, class D, class E>
decltype(auto) update(D&& y, E&& e) {
    using T = value_of<D>;
    auto n = make_map(F{}, as_node(view(y)), to_type<T>(as_node(std::forward<E>(e))));
    run(fused, make_statement(y, std::move(n), false));
    return std::forward<D>(y);
}
}  // namespace detail

// clang-format off
template <class D, class E> requires detail::updates<D, E>
decltype(auto) operator+=(D&& y, E&& e) { return detail::update<op::add>(std::forward<D>(y), std::forward<E>(e)); }
template <class D, class E> requires detail::updates<D, E>
decltype(auto) operator-=(D&& y, E&& e) { return detail::update<op::subtract>(std::forward<D>(y), std::forward<E>(e)); }
template <class D, class E> requires detail::updates<D, E>
decltype(auto) operator*=(D&& y, E&& e) { return detail::update<op::multiply>(std::forward<D>(y), std::forward<E>(e)); }
template <class D, class E> requires detail::updates<D, E>
decltype(auto) operator/=(D&& y, E&& e) { return detail::update<op::divide>(std::forward<D>(y), std::forward<E>(e)); }

// These take nothing.
template <array_operand D> void operator+=(D&&, refused<std::remove_reference_t<D>>);
template <array_operand D> void operator-=(D&&, refused<std::remove_reference_t<D>>);
template <array_operand D> void operator*=(D&&, refused<std::remove_reference_t<D>>);
template <array_operand D> void operator/=(D&&, refused<std::remove_reference_t<D>>);
// clang-format on

}  // namespace felt::inline FELT_ABI

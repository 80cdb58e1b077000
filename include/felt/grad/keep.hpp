// SPDX-License-Identifier: BSD-3-Clause
//
// keep<"h">(H, e): the statement assign(H, e), and from here on H under the name h. It is what a
// backward pass may read: nothing else of the forward pass is in memory.
//
// program(h, y, ..): such statements, and values by let, in their order.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/grad/sweep.hpp>

namespace felt {

template <fixed_string Name, class T, std::size_t R, class Space, class E>
struct kept_value : named_node<Name, leaf<T, R, Space>> {
    T* data;
    E e;

    E const& expression() const { return e; }
    named_node<Name, leaf<T, R, Space>> const& value() const { return *this; }
    auto statement() const {
        View<T, R, Space> to(data, this->x.e, this->x.stride);
        return detail::make_statement(to, e, false);
    }
};

namespace derive {
template <class N>
inline constexpr bool is_kept = false;
template <fixed_string Name, class T, std::size_t R, class Space, class E>
inline constexpr bool is_kept<kept_value<Name, T, R, Space, E>> = true;

// By the value of a part of a program, whatever its name is.
template <fixed_string Name, class T, std::size_t R, class Space, class E, class... L>
auto sum_by(kept_value<Name, T, R, Space, E> const&, L const&... links) {
    return sum_of<Name>(links...);
}
}  // namespace derive

// In an expression it is the named tensor, not what that was computed from.
template <node X>
    requires derive::is_kept<std::remove_cvref_t<X>>
auto as_node(X&& x) {
    return x.value();
}

// Throws shape_error if e does not broadcast to H, which takes its extents if it is empty.
template <fixed_string Name, class D, class E>
    requires destination_is_writable<D> && destination_outlives_statement<D> &&
             assignable_from<D, E>
auto keep(D&& y, E&& e) {
    using T = value_of<D>;
    auto n = detail::to_type<T>(as_node(std::forward<E>(e)));
    auto const to = detail::memory_for(n.extents(), y);
    using N = decltype(n);
    return kept_value<Name, T, rank_of<D>, space_of<D>, N>{{to}, y.data(), std::move(n)};
}

template <class... I>
struct program_of {
    tuple<I...> items;
};

template <class I>
concept part_of_a_program = requires(std::remove_cvref_t<I> const& i) {
    i.expression();
    i.value();
};

template <class... I>
    requires(part_of_a_program<I> && ...)
auto program(I const&... items) {
    return program_of<I...>{felt::make_tuple(items...)};
}

}  // namespace felt

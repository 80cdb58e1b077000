// SPDX-License-Identifier: BSD-3-Clause
//
// keep<"h">(H, e): the statement assign(H, e), and from here on H under the name h. It is what a
// backward pass may read: nothing else of the forward pass is in memory.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/grad/after.hpp>
#include <felt/grad/sweep.hpp>

namespace felt::inline FELT_ABI {

namespace derive {
struct nothing_after {};

template <class T, std::size_t R, class Space>
auto memory_of(leaf<T, R, Space> const& to) {
    return View<T, R, Space>(const_cast<T*>(to.data), to.e, to.stride);
}
}  // namespace derive

// L: the leaf that the value is; E: the expression of it; F: what is done after it was written.
template <class Name, class L, class E, class F = derive::nothing_after>
struct kept_value : named_node<Name, L> {
    using name_of_part = Name;
    static constexpr bool acts_after = !std::is_same_v<F, derive::nothing_after>;

    E e;
    F f;

    E const& expression() const { return e; }
    named_node<Name, L> const& value() const { return *this; }
    auto memory() const { return derive::memory_of(detail::plain(this->x)); }
    // In a loop over steps: at one of them, and at all.
    auto memory_at(index_t t) const { return derive::memory_of(this->x.at(t)); }
    auto series_memory() const { return derive::memory_of(this->x.series(this->x.count)); }
    // What is to be done for it, in order.
    auto items() const {
        auto const to = memory();
        auto const s = detail::make_statement(to, e, false);
        if constexpr (acts_after) {
            return felt::make_tuple(
                s, derive::after<Name, F, std::remove_const_t<decltype(to)>>{f, to});
        } else {
            return felt::make_tuple(s);
        }
    }
};

namespace derive {
template <class N>
inline constexpr bool is_kept = false;
template <class Name, class L, class E, class F>
inline constexpr bool is_kept<kept_value<Name, L, E, F>> = true;
template <class I>
inline constexpr bool acts_after = false;
template <class Name, class L, class E, class F>
inline constexpr bool acts_after<kept_value<Name, L, E, F>> = kept_value<Name, L, E, F>::acts_after;

}  // namespace derive

// In an expression it is the named tensor, not what that was computed from.
template <node X>
    requires derive::is_kept<std::remove_cvref_t<X>>
auto as_node(X&& x) {
    return x.value();
}

namespace derive {
template <class Name, class D, class E, class F>
auto keep_as(D& y, E&& e, F const& f) {
    using T = value_of<D>;
    auto n = detail::to_type<T>(detail::among_axes<rank_of<D>>(as_node(std::forward<E>(e))));
    auto const to = detail::memory_for(n.extents(), y);
    return kept_value<Name, std::remove_const_t<decltype(to)>, decltype(n), F>{
        {to}, std::move(n), f};
}
}  // namespace derive

// Throws shape_error if e does not broadcast to H, which takes its extents if it is empty.
template <fixed_string Name, class D, class E>
    requires destination_is_writable<D> && destination_outlives_statement<D> &&
             assignable_from<D, E>
auto keep(D&& y, E&& e) {
    return derive::keep_as<literal_name<Name>>(y, std::forward<E>(e), derive::nothing_after{});
}
// The same, and f(how, H) after it was written; f(how, dH), too: it is its own adjoint.
template <fixed_string Name, class D, class E, class F>
    requires destination_is_writable<D> && destination_outlives_statement<D> &&
             assignable_from<D, E>
auto keep(D&& y, E&& e, F const& f) {
    return derive::keep_as<literal_name<Name>>(y, std::forward<E>(e), f);
}

}  // namespace felt::inline FELT_ABI

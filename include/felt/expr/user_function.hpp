// SPDX-License-Identifier: BSD-3-Clause
//
// user_function<F>: a functor that is not the library's own, as the loops take it. It is called
// with numbers, and with batches if these yield what the numbers do, lane by lane: batches of the
// floating types, for C++ widens small integers and compares others with fractions; and such that
// may be branched on.
#pragma once
#include <felt/core/branching.hpp>
#include <felt/core/complex.hpp>
#include <felt/core/config.hpp>
#include <concepts>
#include <type_traits>

namespace felt::inline FELT_ABI {

// F::name if it has one, for messages and plans.
template <class F>
constexpr char const* function_name() {
    if constexpr (requires { F::name; }) return F::name;
    else return "map";
}

namespace detail {

// Of an element, in vector instructions, about: F::cost if it has one.
template <class F>
constexpr int function_cost() {
    if constexpr (requires { F::cost; }) return F::cost;
    else return 1;
}

// Whether values of a function that stay the same along some loops are worth being kept: a load
// takes about as long as two instructions.
template <class F, class Value>
inline constexpr bool worth_keeping = !std::is_same_v<Value, bool> && function_cost<F>() >= 4;

// F without state is made anew wherever it is called; a lambda that captures "by reference" but
// nothing cannot be made.
template <class F>
struct kept_function {
    F f;
    FELT_FN F const& get() const { return f; }
};
template <class F>
    requires(std::is_empty_v<F> && std::is_trivially_default_constructible_v<F>)
struct kept_function<F> {
    kept_function() = default;
    FELT_FN kept_function(F const&) {}
    FELT_FN F get() const { return {}; }
};

// Whether Y is what lanes of R become: a batch of as many, or a condition for bool.
template <class Y, class R, class T>
inline constexpr bool holds_lanes = false;
template <class R, class T>
inline constexpr bool holds_lanes<branching_batch<R>, R, T> = sizeof(R) == sizeof(T);
template <class U, class T>
inline constexpr bool holds_lanes<branching_condition<U>, bool, T> = sizeof(U) == sizeof(T);

// The second argument of a pair is a batch of the first.
template <class T, class>
using branching_batch_for = branching_batch<T>;

template <class F, class T, class... X>
concept takes_branching_batches =
    std::floating_point<T> && (std::same_as<T, X> && ...) &&
    requires(F const& f, T t, X... x, branching_batch<T> b, branching_batch_for<T, X>... c) {
        f(t, x...);
        f(b, c...);
        requires holds_lanes<std::remove_cvref_t<decltype(f(b, c...))>,
                             std::remove_cvref_t<decltype(f(t, x...))>, T>;
    };

}  // namespace detail

template <class F>
struct user_function : detail::kept_function<F> {
    static constexpr char const* name = function_name<F>();
    static constexpr int cost = detail::function_cost<F>();

    FELT_CALLS_EITHER template <class... T>
        requires((std::is_arithmetic_v<T> || is_complex<T>) && ...)
    FELT_FN auto operator()(T... x) const {
        return this->get()(x...);
    }

    template <class T, std::same_as<T>... X>
        requires detail::takes_branching_batches<F, T, X...>
    auto operator()(xsimd::batch<T> const& x, xsimd::batch<X> const&... more) const {
        return plain(detail::call_branching(this->get(), in_branches(x), in_branches(more)...));
    }

    FELT_FN friend bool operator==(user_function const& a, user_function const& b)
        requires(std::is_empty_v<F> || requires { a.f == b.f; })
    {
        if constexpr (std::is_empty_v<F>) return true;
        else return a.f == b.f;
    }

private:
    template <class T>
    static branching_batch<T> in_branches(xsimd::batch<T> const& x) {
        return typename xsimd::batch<T>::register_type(x);
    }
    template <class T>
    static xsimd::batch<T> plain(branching_batch<T> const& x) {
        return typename xsimd::batch<T>::register_type(x);
    }
    template <class T>
    static xsimd::batch_bool<T> plain(branching_condition<T> const& x) {
        return typename xsimd::batch_bool<T>::register_type(x);
    }
};

}  // namespace felt::inline FELT_ABI

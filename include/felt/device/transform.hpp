// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming expressions whose operands all lie in memory as their results do: thrust::transform,
// which on a GPU brings them in by bulk copies.
#pragma once
#include <felt/device/arguments.hpp>
#include <felt/device/computed_first.hpp>
#include <felt/device/stream.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/view.hpp>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/zip_function.h>
#include <tuple>

namespace felt::inline FELT_ABI::device {

// A transform has so many operands at most, as older versions of Thrust have it.
inline constexpr int most_operands = 10;

// Whether what N reads may lie in memory as a destination of R axes does. Operands that are
// computed before are in memory.
template <class N, std::size_t R, class How = fused_t>
consteval bool may_run_on();

template <std::size_t R, class How, class... X>
consteval bool all_may_run_on(tuple<X...> const*) {
    return ((is_computed_first<How, X> ? X::rank == R : may_run_on<X, R, How>()) && ...);
}
template <class X>
consteval bool reads_directly(tuple<X> const*) {
    return requires(X x) { x.data; } || requires(X x) { x.value; };
}
template <class N>
inline constexpr bool is_affine = false;
template <class X, std::size_t R>
inline constexpr bool is_affine<view_node<view_kind::affine, X, R>> = true;
template <class N>
inline constexpr bool is_elementwise = false;
template <class F, class... X>
inline constexpr bool is_elementwise<map_node<F, X...>> = true;
template <class X>
inline constexpr bool is_elementwise<once_node<X>> = true;

template <class N, std::size_t R, class How>
consteval bool may_run_on() {
    auto const* const operands = static_cast<operands_of<N> const*>(nullptr);
    if constexpr (requires(N n) { n.value; }) return true;
    else if constexpr (N::rank != R) return false;
    else if constexpr (requires(N n) { n.data; }) return true;
    else if constexpr (is_affine<N>) return reads_directly(operands);
    else if constexpr (is_elementwise<N>) return all_may_run_on<R, How>(operands);
    else return false;
}

// The elements of several results, each to its own type.
template <class... E>
struct elements_function {
    tuple<E...> each;

    template <class... A>
    FELT_FN auto operator()(A... a) const {
        return felt::apply([&](auto const&... e) { return thrust::make_tuple(e(a...)...); }, each);
    }
};

template <class... T>
auto zipped(T*... p) {
    return thrust::make_zip_iterator(thrust::make_tuple(p...));
}

// to[i] = f(from[i]...), in one call.
template <class F, class To, class... From>
void call_transform(index_t n, F const& f, To to, From const*... from) {
    auto const begin = zipped(from...);
    note("assign");
    try {
        thrust::transform(policy(stream_of_this_thread()), begin, begin + n, to,
                          thrust::make_zip_function(copyable(f)));
    } catch (thrust::system_error const& e) {
        throw device_error(std::string("assign: ") + e.what());
    }
}

// One result is an element, several are a tuple of them.
template <class T, class E>
auto function_of(tuple<T*> const&, tuple<E> const& x) {
    return element_function<T, E>{x.head};
}
template <class... T, class... E>
auto function_of(tuple<T*...> const&, tuple<E...> const& x) {
    using all = elements_function<element_function<T, E>...>;
    return spread(
        [](auto const&... each) { return all{felt::make_tuple(element_function<T, E>{each}...)}; },
        x);
}
template <class T>
T* result_of(tuple<T*> const& to) {
    return to.head;
}
template <class... T>
auto result_of(tuple<T*...> const& to) {
    return spread([](auto*... p) { return zipped(p...); }, to);
}

// Elements 0 .. n-1 of what is read, each to its memory.
template <class... T, class... X>
void transform(index_t n, tuple<T*...> const& to, tuple<X...> const& x) {
    auto const from =
        spread([](auto const&... each) { return std::tuple_cat(leaves(each)...); }, x);
    constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<decltype(from)>>;
    if constexpr (count >= 1 && count <= most_operands) {
        auto const f = function_of(to, numbered<0>::operands(x));
        std::apply([&](auto const&... p) { call_transform(n, f, result_of(to), p.data...); }, from);
    }
}

}  // namespace felt::inline FELT_ABI::device

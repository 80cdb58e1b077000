// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a program as it is found: what is written, and the types of it.
#pragma once
#include <felt/grad/asked.hpp>
#include <felt/grad/scan_backward.hpp>

namespace felt::inline FELT_ABI::derive {

// Statements that write derivatives, and those that are run early; D: the types of all of these,
// with names.
template <class S, class Early, class... D>
struct written_derivatives {
    S statements;
    Early early;
};
template <class A, class S, class Early, class... D, class... New>
auto with_written(written_derivatives<S, Early, D...> const& done, New const&... item) {
    auto all = join(done.statements, felt::make_tuple(item...));
    return written_derivatives<decltype(all), Early, D..., A>{std::move(all), done.early};
}
template <class S, class Early, class... D, int A, int N, class T, std::size_t R, class... P,
          class... New>
auto with_written_parts(written_derivatives<S, Early, D...> const& done,
                        parted<A, N, T, R, P...> const&, tuple<New...> const& items) {
    auto all = join(done.statements, items);
    return written_derivatives<decltype(all), Early, D..., P...>{std::move(all), done.early};
}
// Statements that read nothing by name.
template <class S, class Early, class... D, class New>
auto with_all_written(written_derivatives<S, Early, D...> const& done, New const& items) {
    auto all = join(done.statements, items);
    return written_derivatives<decltype(all), Early, D...>{std::move(all), done.early};
}
template <class A, class S, class Early, class... D, class New>
auto with_early(written_derivatives<S, Early, D...> const& done, New const& item) {
    auto all = join(done.early, felt::make_tuple(item));
    return written_derivatives<S, decltype(all), D..., A>{done.statements, std::move(all)};
}

// A loop, whose statements are of a list.
template <class S, class Early, class... D, class Scan, class... To, class... E>
auto with_loop(written_derivatives<S, Early, D...> const& done,
               backward_loop<Scan, tuple<step_statement<To, E>...>> const& loop) {
    auto all = join(done.statements, felt::make_tuple(loop));
    return written_derivatives<decltype(all), Early, D..., E...>{std::move(all), done.early};
}
// What later parts say of a value of a scan: zero, or a series that is in memory or is written.
template <class A, class N, class S>
struct series_derivative {
    N at;
    S statement;
};
template <class Done>
auto with_series(Done const& done, zero const&) {
    return done;
}
template <class Done, class N>
auto with_series(Done const& done, series_derivative<zero, N, zero> const&) {
    return done;
}
template <class Done, class A, class N, class S>
auto with_series(Done const& done, series_derivative<A, N, S> const& d) {
    return with_written<A>(done, d.statement);
}
template <class Done>
auto with_all_series(Done const& done, tuple<> const&) {
    return done;
}
template <class Done, class D, class... More>
auto with_all_series(Done const& done, tuple<D, More...> const& all) {
    auto const next = with_series(done, all.head);
    if constexpr (sizeof...(More) == 0) return next;
    else return with_all_series(next, all.tail);
}
template <class A, class N, class S>
auto steps_of(series_derivative<A, N, S> const& d) {
    return steps_of(d.at);
}
inline zero steps_of(zero) { return {}; }

// What is asked for: expressions without names; D: the types of all derivatives, with names.
// ReadsLost: one reads a value after its derivative was written over it.
template <class S, class Early, class G, bool ReadsLost, class... D>
struct backward_pass {
    S statements;
    Early early;
    G derivatives;

    static constexpr bool reads_lost = ReadsLost;
    template <class E>
    static constexpr bool repeats_product_of = (repeats_product<E, D> || ...);
    template <std::size_t I>
    static constexpr bool writes_early = is_written_early<I, D...>;
};

// Whether a derivative by the part, of these links, is known as soon as the part is: it comes from
// the cost at once, and reads no later part.
template <class I, class L>
inline constexpr bool from_cost_at_once = false;
template <class I, class E, class Y, class D>
inline constexpr bool from_cost_at_once<I, link<E, Y, D>> = !depends_on_part<E, I>;
template <class I, class E, class Y, class T>
inline constexpr bool from_cost_at_once<I, link<E, Y, spread<scalar<T>, 0>>> = true;
template <class D, class I>
inline constexpr bool reaches_part = true;
template <class D, class Name, class X>
inline constexpr bool reaches_part<D, let_node<Name, X>> = reaches<Name, D>;
template <class D, class Name, class L, class X, class F>
inline constexpr bool reaches_part<D, kept_value<Name, L, X, F>> = reaches<Name, D>;
template <class D, class Name, class Y, class G, class B, class Space>
inline constexpr bool reaches_part<D, known_norm<Name, Y, G, B, Space>> = reaches<Name, D>;
template <std::size_t K, class D, class Parts>
inline constexpr bool reads_later_than = false;
template <std::size_t K, class D, class... I>
inline constexpr bool reads_later_than<K, D, tuple<I...>> = [] {
    std::size_t at = 0;
    bool reads = false;
    ((reads = reads || (at >= K && reaches_part<D, I>), ++at), ...);
    return reads;
}();

}  // namespace felt::inline FELT_ABI::derive

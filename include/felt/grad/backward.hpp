// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a program: which derivatives are written, and what is asked for.
#pragma once
#include <felt/grad/scan_backward.hpp>

namespace felt::derive {

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

template <class Name, class D>
inline constexpr bool reads_name = false;
template <class Name, node D>
inline constexpr bool reads_name<Name, D> = reaches<Name, D>;
template <class Name, class X, std::size_t R>
inline constexpr bool reads_name<Name, spread<X, R>> = reaches<Name, X>;

// A derivative was written over the value of that name; whether one of those after it reads that.
template <class Name>
struct overwritten {};
template <class... D>
inline constexpr bool reads_overwritten = false;
template <class X, class... D>
inline constexpr bool reads_overwritten<X, D...> = reads_overwritten<D...>;
template <class Name, class... D>
inline constexpr bool reads_overwritten<overwritten<Name>, D...> =
    (reads_name<Name, D> || ...) || reads_overwritten<D...>;
[[noreturn]] FELT_PLANNING inline void in_place_fails(char const* label) {
    throw shape_error(std::string("in_place: the derivative that is written for \"") + label +
                      "\" has other extents than its value");
}

// What is asked for: expressions without names; D: the types of all derivatives, with names.
template <class S, class Early, class G, class... D>
struct backward_pass {
    S statements;
    Early early;
    G derivatives;
    template <class E>
    static constexpr bool repeats_product_of = (repeats_product<E, D> || ...);
    template <class Name>
    static constexpr bool reads = (reads_name<Name, D> || ...);
};

template <class N>
inline constexpr bool is_leaf = false;
template <class T, std::size_t R, class Space>
inline constexpr bool is_leaf<leaf<T, R, Space>> = true;

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
template <std::size_t K, class D, class Parts>
inline constexpr bool reads_later_than = false;
template <std::size_t K, class D, class... I>
inline constexpr bool reads_later_than<K, D, tuple<I...>> = [] {
    std::size_t at = 0;
    bool reads = false;
    ((reads = reads || (at >= K && reaches_part<D, I>), ++at), ...);
    return reads;
}();

// The derivatives by the first K parts, the last first: links for them, statements that write them.
template <class Space, class Wrt, class... Option>
struct backward {
    program_memory<Space>& memory;

    template <std::size_t K, class Parts, class Done, class... L>
    auto sweep(Parts const& parts, Done const& done, L const&... links) {
        if constexpr (K == 0) {
            return finish(done, Wrt{}, links...);
        } else {
            auto const& part = get<K - 1>(parts);
            using I = std::remove_cvref_t<decltype(part)>;
            if constexpr (is_scan<I>) return sweep_scan<K>(parts, done, part, links...);
            else return sweep_value<K>(parts, done, links...);
        }
    }

private:
    template <std::size_t K, class Parts, class Done, class... L>
    auto sweep_value(Parts const& parts, Done const& done, L const&... links) {
        auto const& part = get<K - 1>(parts);
        using I = std::remove_cvref_t<decltype(part)>;
        auto const d = sum_by(part, links...);
        using D = std::remove_cvref_t<decltype(d)>;
        using E = std::remove_cvref_t<decltype(part.expression())>;
        using Y = std::remove_cvref_t<decltype(part.value())>;
        if constexpr (acts_after<I> && !is_zero<D>) {
            constexpr bool at_once = (from_cost_at_once<I, L> && ...) &&
                                     !reads_later_than<K, node_of<decltype(whole(d))>, Parts>;
            return sweep_after<K, at_once>(parts, done, whole(d), links...);
        } else if constexpr (writes<I, D, readers_of<E, Parts, Wrt>> && is_parted<D>) {
            auto const to = memory_of_derivative<I>(part, part.value());
            auto const dy = own_leaf(to);
            auto const write = [](auto const& at, auto const& e) {
                return own_statement(memory_of(at), e);
            };
            return sweep<K - 1>(
                parts, overwriting<I>(with_written_parts(done, d, each_part(d, dy, write))),
                linked(part.expression(), part.value(), dy), links...);
        } else if constexpr (writes<I, D, readers_of<E, Parts, Wrt>>) {
            auto const at = narrowed<Parts, Wrt>(part.expression(), part.value(), d);
            using A = std::remove_cvref_t<decltype(at.d)>;
            auto const to = memory_of_derivative<I>(part, at.d);
            auto const dy = own_leaf(to);
            return sweep<K - 1>(parts,
                                overwriting<I>(with_written<A>(done, own_statement(to, at.d))),
                                linked(at.e, at.y, dy), links...);
        } else {
            return sweep<K - 1>(parts, done, link<E, Y, D>{part.expression(), part.value(), d},
                                links...);
        }
    }

    // Where the derivative d by a part is written.
    template <class I, class D>
    auto memory_of_derivative(I const& part, D const& d) {
        if constexpr (!(is_in_place<I, Option> || ...)) {
            return memory.take(program_value::derivative, I::label, d);
        } else {
            static_assert(is_kept<I>, "in_place: a value by let is nowhere");
            auto const to = part.memory();
            if (to.extents() != d.extents()) apart<&in_place_fails>::call(I::label);
            return to;
        }
    }
    template <class I, class S, class Early, class... D>
    static auto overwriting(written_derivatives<S, Early, D...> const& done) {
        if constexpr (!(is_in_place<I, Option> || ...)) return done;
        else
            return written_derivatives<S, Early, D..., overwritten<typename I::name_of_part>>{
                done.statements, done.early};
    }

    // The loop of a scan, and before it what later parts say of its values, as series.
    template <std::size_t K, class Parts, class Done, class S, class... L>
    auto sweep_scan(Parts const& parts, Done const& done, S const& scan, L const&... links) {
        auto const inner = parts_in(scan.items, tuple<>{});
        auto const own = apply(
            [&](auto const&... part) { return felt::make_tuple(of_series(part, links...)...); },
            inner);
        using Outer = outer_names<K - 1, Wrt, Parts>;
        auto const steps =
            apply([](auto const&... d) { return felt::make_tuple(steps_of(d)...); }, own);
        using made = scan_backward<S, std::remove_const_t<decltype(inner)>,
                                   std::remove_const_t<decltype(steps)>, typename Outer::type,
                                   Space, Option...>;
        if constexpr (!made::facts::any) {
            return sweep<K - 1>(parts, done, links...);
        } else {
            auto const back = made{memory, scan}.of(inner, steps);
            auto const loop = with_loop(with_all_series(done, own), back.loop);
            return sweep<K - 1>(parts, loop, back.link, links...);
        }
    }
    template <class I, class... L>
    auto of_series([[maybe_unused]] I const& part, L const&... links) {
        auto const d = plus(zero{}, from_link<typename I::name_of_part>(links)...);
        using D = std::remove_const_t<decltype(d)>;
        if constexpr (is_zero<D>) {
            return zero{};
        } else if constexpr (is_leaf<D>) {
            return series_derivative<zero, D, zero>{d, {}};
        } else {
            auto const all = whole(d);
            auto const to = memory.take(program_value::derivative, I::label, all);
            auto const n = own_leaf(to);
            auto const s = own_statement(to, all);
            return series_derivative<std::remove_const_t<decltype(all)>,
                                     std::remove_const_t<decltype(n)>,
                                     std::remove_const_t<decltype(s)>>{n, s};
        }
    }

    template <class E, class Y, class D>
    static auto linked(E const& e, Y const& y, D const& d) {
        return link<E, Y, D>{e, y, d};
    }

    // The same where the derivative is written and handed to what acts on the value.
    template <std::size_t K, bool AtOnce, class Parts, class Done, class D, class... L>
    auto sweep_after(Parts const& parts, Done const& done, D const& d, L const&... links) {
        auto const& part = get<K - 1>(parts);
        using I = std::remove_cvref_t<decltype(part)>;
        auto const to = memory.take(program_value::derivative, I::label, d);
        auto const s = own_statement(to, d);
        auto const dy = own_leaf(to);
        auto const then = after_of<I>(part, to);
        auto const with = [&] {
            using S = std::remove_const_t<decltype(s)>;
            using A = std::remove_const_t<decltype(then)>;
            if constexpr (AtOnce)
                return with_early<D>(done, early<typename I::name_of_part, S, A>{s, then});
            else return with_written<D>(done, s, then);
        }();
        return sweep<K - 1>(parts, with, linked(part.expression(), part.value(), dy), links...);
    }
    template <class I, class V>
    static auto after_of(I const& part, V const& to) {
        return after<typename I::name_of_part, std::remove_cvref_t<decltype(part.f)>, V>{part.f,
                                                                                         to};
    }

    // Whether derivative D by part I, which goes on into so many, is a statement of its own.
    template <class I, class D, int Readers>
    static constexpr bool writes =
        !is_zero<D> && !is_spread<D> && !is_leaf<D> && !(is_inlined<I, Option> || ...) &&
        (Readers > 1 || (is_written<I, Option> || ...));

    template <class S, class Early, class... D, class... Name, class... L>
    static auto finish(written_derivatives<S, Early, D...> const& done, wrt_names<Name...>,
                       L const&... links) {
        return finished(done, felt::make_tuple(asked<Name>(links...)...));
    }
    template <class S, class Early, class... D, class... G>
    static auto finished(written_derivatives<S, Early, D...> const& done,
                         tuple<G...> const& by_name) {
        auto plain =
            apply([](auto const&... g) { return felt::make_tuple(detail::plain(g)...); }, by_name);
        static_assert(!reads_overwritten<D..., G...>,
                      "in_place: the value is read after its derivative was written over it");
        return backward_pass<S, Early, decltype(plain), D..., G...>{done.statements, done.early,
                                                                    std::move(plain)};
    }
    template <class Name, class... L>
    static auto asked(L const&... links) {
        auto d = sum_of<Name>(links...);
        static_assert(!is_zero<decltype(d)>,
                      "the cost depends on a name of wrt by nothing that has a derivative");
        return whole(d);
    }
};

}  // namespace felt::derive

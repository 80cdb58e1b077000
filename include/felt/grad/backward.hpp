// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a program: which derivatives are written, and what is asked for.
#pragma once
#include <felt/grad/backward_pass.hpp>

namespace felt::inline FELT_ABI::derive {

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
            else if constexpr (is_known_norm<I>) return sweep_norm<K>(parts, done, part, links...);
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
            auto const write = [&](auto const& at, auto const& e) {
                read_all(memory.order, e);
                return own_statement(memory_of(at), e);
            };
            auto const before = with_asked<I, K, Parts>(done, links...);
            auto const written = with_written_parts(before, d, each_part(d, dy, write));
            return sweep<K - 1>(parts, overwriting<I>(written, dy),
                                linked(part.expression(), part.value(), dy), links...);
        } else if constexpr (writes<I, D, readers_of<E, Parts, Wrt>>) {
            auto const at = narrowed<Parts, Wrt>(part.expression(), part.value(), d);
            using A = std::remove_cvref_t<decltype(at.d)>;
            auto const to = memory_of_derivative<I>(part, at.d);
            auto const dy = own_leaf(to);
            auto const before = with_asked<I, K, Parts>(done, links...);
            read_all(memory.order, at.d);
            auto const written = with_written<A>(before, own_statement(to, at.d));
            return sweep<K - 1>(parts, overwriting<I>(written, dy), linked(at.e, at.y, dy),
                                links...);
        } else {
            return sweep<K - 1>(parts, done, link<E, Y, D>{part.expression(), part.value(), d},
                                links...);
        }
    }

    // What is asked for and complete, before the value of part I is lost.
    template <class I, std::size_t K, class Parts, class Done, class... L>
    auto with_asked(Done const& done, L const&... links) {
        if constexpr (!(is_in_place<I, Option> || ...)) return done;
        else return with_asked_from<0, K, Parts>(done, Wrt{}, links...);
    }
    template <std::size_t N, std::size_t K, class Parts, class S, class Early, class... D,
              class Name, class... More, class... L>
    auto with_asked_from(written_derivatives<S, Early, D...> const& done, wrt_names<Name, More...>,
                         L const&... links) {
        auto const next = [&] {
            if constexpr (is_written_early<N, D...> || !is_complete<Name, K, Parts>) {
                return done;
            } else {
                auto const g = asked<Name>(links...);
                auto const p = without_names(g);
                reads_asked<N, Name>(g);
                auto all = join(done.statements,
                                felt::make_tuple(asked_here<N, std::remove_const_t<decltype(p)>>{p},
                                                 run_boundary{}));
                return written_derivatives<decltype(all), Early, D..., is_asked_here<N>,
                                           std::remove_const_t<decltype(g)>>{std::move(all),
                                                                             done.early};
            }
        }();
        if constexpr (sizeof...(More) == 0) return next;
        else return with_asked_from<N + 1, K, Parts>(next, wrt_names<More...>{}, links...);
    }
    // Where the derivative d by a part is written.
    template <class I, class D>
    auto memory_of_derivative(I const& part, [[maybe_unused]] D const& d) {
        if constexpr (!(is_in_place<I, Option> || ...)) return own_memory_of_derivative(part, d);
        else return part.memory();
    }
    // It lies as the value does, if that is kept; or as what the value is made of.
    template <class I, class D>
    auto own_memory_of_derivative(I const& part, D const& d) {
        auto const taken = [&](auto const& like) {
            return memory.take(program_value::derivative, I::label, d, like);
        };
        if constexpr (is_kept<I>) return taken(plain(part.x));
        else return taken(plain(part.expression()));
    }
    template <class I, class S, class Early, class... D, class DY>
    auto overwriting(written_derivatives<S, Early, D...> const& done, DY const& dy) {
        if constexpr (!(is_in_place<I, Option> || ...)) {
            return done;
        } else {
            memory.order.overwrites(I::label, bytes_of(dy));
            auto all = join(done.statements, felt::make_tuple(run_boundary{}));
            return written_derivatives<decltype(all), Early, D...,
                                       overwritten<typename I::name_of_part>>{std::move(all),
                                                                              done.early};
        }
    }

    // What comes to a norm is written with its sums.
    template <std::size_t K, class Parts, class Done, class N, class... L>
    auto sweep_norm(Parts const& parts, Done const& done, N const& n, L const&... links) {
        auto const d = sum_by(n, links...);
        using D = std::remove_const_t<decltype(d)>;
        if constexpr (is_zero<D>) {
            return sweep<K - 1>(parts, done, links...);
        } else if constexpr (is_leaf<D>) {
            read_all(memory.order, n);
            auto const back = through_norm(n, d, memory);
            return sweep<K - 1>(parts, with_all_written(done, back.statements), back.link,
                                links...);
        } else {
            auto const dz = whole(d);
            read_all(memory.order, n);
            read_all(memory.order, dz);
            auto const to =
                memory.take(program_value::derivative, N::label, dz, plain(get<0>(n.x)));
            auto const back = through_norm(n, own_leaf(to), memory);
            auto const apart = with_all_written(done, felt::make_tuple(run_boundary{}));
            auto const written =
                with_written<std::remove_const_t<decltype(dz)>>(apart, own_statement(to, dz));
            return sweep<K - 1>(parts, with_all_written(written, back.statements), back.link,
                                links...);
        }
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
            apply([&](auto const&... s) { (read_all(memory.order, s.e), ...); }, back.loop.list);
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
            read_all(memory.order, all);
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
        read_all(memory.order, d);
        auto const to = own_memory_of_derivative(part, d);
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
        auto const& e = part.expression();  // whose value is not what lies in memory any more
        return sweep<K - 1>(parts, with, linked(e, e, dy), links...);
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
    auto finish(written_derivatives<S, Early, D...> const& done, wrt_names<Name...>,
                L const&... links) {
        auto const by_name = felt::make_tuple(asked<Name>(links...)...);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (reads_at_the_end<is_written_early<I, D...>, I, Name>(get<I>(by_name)), ...);
        }(std::index_sequence_for<Name...>{});
        return finished(done, by_name);
    }
    template <bool Early, std::size_t I, class Name, class G>
    void reads_at_the_end(G const& g) {
        if constexpr (!Early) reads_asked<I, Name>(g);
    }
    template <std::size_t I, class Name, class G>
    void reads_asked(G const& g) {
        if constexpr (!is_zero<G>) read_all(memory.order, g);
        memory.order.asks(I, Name::text);
    }
    template <class S, class Early, class... D, class... G>
    static auto finished(written_derivatives<S, Early, D...> const& done,
                         tuple<G...> const& by_name) {
        auto plain =
            apply([](auto const&... g) { return felt::make_tuple(without_names(g)...); }, by_name);
        // Of what is written at the end.
        constexpr bool reads_lost = []<std::size_t... I>(std::index_sequence<I...>) {
            return reads_overwritten<D...,
                                     std::conditional_t<is_written_early<I, D...>, zero, G>...>;
        }(std::index_sequence_for<G...>{});
        return backward_pass<S, Early, decltype(plain), reads_lost, D..., G...>{
            done.statements, done.early, std::move(plain)};
    }
    static zero without_names(zero) { return {}; }  // which gradient() refuses
    template <node G>
    static auto without_names(G const& g) {
        return detail::plain(g);
    }
    template <class Name, class... L>
    static auto asked(L const&... links) {
        return whole(sum_of<Name>(links...));
    }
};

}  // namespace felt::inline FELT_ABI::derive

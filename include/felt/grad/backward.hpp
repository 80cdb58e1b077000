// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a program: which derivatives are written, and what is asked for.
#pragma once
#include <felt/grad/forward.hpp>

namespace felt::derive {

// Statements that write derivatives; D: the types of these, with names.
template <class S, class... D>
struct written_derivatives {
    S statements;
};
template <class A, class S, class... D, class New>
auto with_written(written_derivatives<S, D...> const& done, New const& statement) {
    auto all = join(done.statements, felt::make_tuple(statement));
    return written_derivatives<decltype(all), D..., A>{std::move(all)};
}

// What is asked for: expressions without names; D: the types of all derivatives, with names.
template <class S, class G, class... D>
struct backward_pass {
    S statements;
    G derivatives;
    template <class E>
    static constexpr bool repeats_product_of = (repeats_product<E, D> || ...);
};

// The derivatives by the first K parts, the last first: links for them, statements that write them.
template <class Space, class Wrt, class... Option>
struct backward {
    workspace<Space>& memory;

    template <std::size_t K, class Parts, class Done, class... L>
    auto sweep(Parts const& parts, Done const& done, L const&... links) {
        if constexpr (K == 0) {
            return finish(done, Wrt{}, links...);
        } else {
            auto const& part = get<K - 1>(parts);
            using I = std::remove_cvref_t<decltype(part)>;
            auto const d = sum_by(part, links...);
            using D = std::remove_cvref_t<decltype(d)>;
            using E = std::remove_cvref_t<decltype(part.expression())>;
            using Y = std::remove_cvref_t<decltype(part.value())>;
            if constexpr (writes<I, D, readers_of<E, Parts, Wrt>>) {
                auto const at = narrowed<Parts, Wrt>(part.expression(), part.value(), d);
                using A = std::remove_cvref_t<decltype(at.d)>;
                using At = std::remove_cvref_t<decltype(at.e)>;
                using Value = std::remove_cvref_t<decltype(at.y)>;
                auto const to = own_memory(memory, at.d);
                auto const dy = own_leaf(to);
                return sweep<K - 1>(
                    parts, with_written<A>(done, own_statement(to, at.d)),
                    link<At, Value, std::remove_const_t<decltype(dy)>>{at.e, at.y, dy}, links...);
            } else {
                return sweep<K - 1>(parts, done, link<E, Y, D>{part.expression(), part.value(), d},
                                    links...);
            }
        }
    }

private:
    // Whether derivative D by part I, which goes on into so many, is a statement of its own.
    template <class I, class D, int Readers>
    static constexpr bool writes =
        !is_zero<D> && !is_spread<D> && !(is_inlined<I, Option> || ...) &&
        (Readers > 1 || (is_written<I, Option> || ...));

    template <class S, class... D, fixed_string... Name, class... L>
    static auto finish(written_derivatives<S, D...> const& done, wrt_names<Name...>,
                       L const&... links) {
        return finished<D...>(done.statements, felt::make_tuple(asked<Name>(links...)...));
    }
    template <class... D, class S, class... G>
    static auto finished(S const& statements, tuple<G...> const& by_name) {
        auto plain =
            apply([](auto const&... g) { return felt::make_tuple(detail::plain(g)...); }, by_name);
        return backward_pass<S, decltype(plain), D..., G...>{statements, std::move(plain)};
    }
    template <fixed_string Name, class... L>
    static auto asked(L const&... links) {
        auto d = sum_of<Name>(links...);
        static_assert(!is_zero<decltype(d)>,
                      "the cost depends on a name of wrt by nothing that has a derivative");
        return whole(d);
    }
};

}  // namespace felt::derive

// SPDX-License-Identifier: BSD-3-Clause
//
// The backward pass of a program: which derivatives are written, and what is asked for.
#pragma once
#include <felt/grad/parts.hpp>

namespace felt::derive {

// The derivatives by the first K parts, the last first: links for them, statements that write them,
// the memory of these.
template <class Wrt, class... Option>
struct backward {
    template <std::size_t K, class Parts, class Done, class... L>
    static auto sweep(Parts const& parts, Done done, L const&... links) {
        if constexpr (K == 0) {
            return finish(std::move(done), Wrt{}, links...);
        } else {
            auto const& part = get<K - 1>(parts);
            using I = std::remove_cvref_t<decltype(part)>;
            auto const d = sum_by(part, links...);
            using D = std::remove_cvref_t<decltype(d)>;
            using E = std::remove_cvref_t<decltype(part.expression())>;
            using Y = std::remove_cvref_t<decltype(part.value())>;
            constexpr bool several = readers_of<E, Parts, Wrt> > 1;
            constexpr bool writes = !is_zero<D> && !is_spread<D> &&
                                    !(is_inlined<I, Option> || ...) &&
                                    (several || (is_written<I, Option> || ...));
            if constexpr (writes) {
                auto const at = narrowed<Parts, Wrt>(part.expression(), part.value(), d);
                using A = std::remove_cvref_t<decltype(at.d)>;
                using At = std::remove_cvref_t<decltype(at.e)>;
                using Value = std::remove_cvref_t<decltype(at.y)>;
                Tensor<value_of<A>, rank_of<A>, join_space_t<space_of<A>, Host>> memory(
                    at.d.extents());
                auto s = detail::make_statement(memory, at.d, false);
                auto leaf = as_node(memory);
                s.owner = leaf.owner = 0;  // it moves with the program
                auto more = join(done.statements, felt::make_tuple(s));
                auto kept_memory = add_memory(std::move(done.memory), std::move(memory));
                return sweep<K - 1>(
                    parts, add<A>(done, std::move(more), std::move(kept_memory)),
                    link<At, Value, std::remove_cvref_t<decltype(leaf)>>{at.e, at.y, leaf},
                    links...);
            } else {
                return sweep<K - 1>(parts, std::move(done),
                                    link<E, Y, D>{part.expression(), part.value(), d}, links...);
            }
        }
    }

    // Statements that write derivatives, the memory of these; D: their types, with names.
    template <class S, class M, class... D>
    struct state {
        S statements;
        M memory;
    };
    template <class... More, class S, class M, class... D>
    static auto add(state<S, M, D...> const&, auto statements, auto memory) {
        return state<decltype(statements), decltype(memory), D..., More...>{std::move(statements),
                                                                            std::move(memory)};
    }

private:
    template <class... M, class T>
    static auto add_memory(tuple<M...> all, T memory) {
        return tuple<T, M...>{std::move(memory), std::move(all)};
    }
    template <class T>
    static auto add_memory(tuple<>, T memory) {
        return tuple<T>{std::move(memory)};
    }
    template <class S, class M, class... D, fixed_string... Name, class... L>
    static auto finish(state<S, M, D...> done, wrt_names<Name...>, L const&... links) {
        auto by_name = felt::make_tuple(asked<Name>(links...)...);
        return finished<D...>(std::move(done), by_name);
    }
    template <class... D, class Done, class... G>
    static auto finished(Done done, tuple<G...> const& by_name) {
        auto plain =
            apply([](auto const&... g) { return felt::make_tuple(detail::plain(g)...); }, by_name);
        return result<Done, decltype(plain), D..., G...>{std::move(done), std::move(plain)};
    }
    template <fixed_string Name, class... L>
    static auto asked(L const&... links) {
        auto d = sum_of<Name>(links...);
        static_assert(!is_zero<decltype(d)>,
                      "the cost depends on a name of wrt by nothing that has a derivative");
        return whole(d);
    }

public:
    // Derivatives: of what was asked for. D: the types of all, with names.
    template <class Done, class G, class... D>
    struct result {
        Done done;
        G derivatives;
        template <class E>
        static constexpr bool repeat_product_of = (repeats_product<E, D> || ...);
    };
};

}  // namespace felt::derive

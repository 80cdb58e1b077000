// SPDX-License-Identifier: BSD-3-Clause
//
// pull<W>(n, y, dy): the derivative of a cost by what has the name W, as far as it goes through
// node n, whose value is y (n itself, or where it is kept) and whose derivative is dy. A rule for
// each kind of node; zero where n does not depend on W.
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/flip.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/grad/parted.hpp>
#include <felt/grad/partials.hpp>

namespace felt::inline FELT_ABI::derive {

template <class W, class N, class Y, class D>
auto pull(N const& n, Y const& y, D const& dy);

// Finds the rules, also those that are declared later.
struct rules {};

// Through operand x of a node, which has this derivative. That of integers is none.
template <class W, class X, class D>
auto pull_into(X const& x, D const& dx) {
    if constexpr (is_zero<D> || !depends<W, X>) return zero{};
    else return pull<W>(x, x, dx);
}

// ---- leaf ----

template <class W, class X, class Y, class D>
auto pull_node(named_node<W, X> const&, Y const&, D const& dy, rules) {
    return dy;
}

template <class W, class E, class Y, class D>
auto pull_node(let_node<W, E> const&, Y const&, D const& dy, rules) {
    return dy;
}

// ---- map ----

template <class F>
inline constexpr bool has_partials = requires { sizeof(partial<F>); };
template <class To>
inline constexpr bool has_partials<op::cast<To>> = true;

// Whether there is a rule for each function through which N depends on W; for one of one's own,
// its partial<0>.
template <class N>
inline constexpr bool has_rule = true;
template <class F, class... X>
inline constexpr bool has_rule<map_node<F, X...>> = has_partials<F>;
template <class G, class... X>
inline constexpr bool has_rule<map_node<user_function<G>, X...>> =
    requires(user_function<G> const& f, typename X::value_type... x) {
        f.get().template partial<0>(f.get()(x...), x...);
    };
template <class G, int A, class X>
inline constexpr bool has_rule<scan_node<user_function<G>, A, X>> = false;
template <class W, class N>
constexpr bool rules_exist();
template <class W, class N>
inline constexpr bool has_rules = rules_exist<W, N>();
template <class W, class Operands>
inline constexpr bool have_rules = true;
template <class W, class... X>
inline constexpr bool have_rules<W, tuple<X...>> = (has_rules<W, X> && ...);
template <class W, class N>
constexpr bool rules_exist() {
    if constexpr (!reaches<W, N>) return true;
    else return has_rule<N> && have_rules<W, operands_of<N>>;
}

// The derivative by operand I of n, with the extents of n.
template <std::size_t I, class F, class... X, class Y, class D>
auto partial_of(map_node<F, X...> const& n, Y const& y, D const& dy) {
    auto const f = [](auto const& d, auto const&... of) {
        return partial<F>::of(by<I>{}, d, of...);
    };
    return apply([&](auto const&... x) { return mapped(n.extents(), f, dy, y, x...); }, n.x);
}
template <std::size_t, class To, class X, class Y, class D>
auto partial_of(map_node<op::cast<To>, X> const& n, Y const&, D const& dy) {
    using T = typename X::value_type;
    if constexpr (!std::is_floating_point_v<T> || !std::is_floating_point_v<To>) return zero{};
    else return mapped(n.extents(), [](auto const& d) { return to_type<T>(d); }, dy);
}

// A functor of one's own says partial<I>(y, x...) of elements.
template <class F, std::size_t I>
struct user_partial {
    F f;
    FELT_FN auto operator()(auto y, auto... x) const {
        return f.get().template partial<I>(y, x...);
    }
};
template <std::size_t I, class G, class... X, class Y, class D>
auto partial_of(map_node<user_function<G>, X...> const& n, Y const& y, D const& dy) {
    auto const f = [&](auto const& d, auto const&... of) {
        return d * map(user_partial<user_function<G>, I>{n.f()}, of...);
    };
    return apply([&](auto const&... x) { return mapped(n.extents(), f, dy, y, x...); }, n.x);
}

template <class W, class F, class... X, class Y, class D>
auto pull_node(map_node<F, X...> const& n, Y const& y, D const& dy, rules) {
    auto const by_operand = [&]<std::size_t I>(by<I>) {
        auto const& x = get<I>(n.x);
        using N = std::remove_cvref_t<decltype(x)>;
        if constexpr (!depends<W, N>) {
            return zero{};
        } else {
            auto const d = partial_of<I>(n, y, dy);
            if constexpr (is_zero<std::remove_cvref_t<decltype(d)>>) return zero{};
            else return pull_into<W>(x, unstretched<N>(d, x.extents()));
        }
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return plus(by_operand(by<I>{})...);
    }(std::index_sequence_for<X...>{});
}

template <class W, class Rule, class... X, class Y, class D>
auto pull_node(composed_node<Rule, X...> const& n, Y const& y, D const& dy, rules) {
    auto const d = whole(dy);
    auto const by_operand = [&]<std::size_t I>(by<I>) {
        auto const& x = get<I>(n.x);
        if constexpr (!depends<W, std::remove_cvref_t<decltype(x)>>) {
            return zero{};
        } else {
            auto const pulled = [&](auto const&... of) {
                return n.rule.template pull<I>(d, y, of...);
            };
            return pull_into<W>(x, as_node(apply(pulled, n.x)));
        }
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return plus(by_operand(by<I>{})...);
    }(std::index_sequence_for<X...>{});
}

// ---- views ----

template <class W, class X, class Y, class D>
auto pull_node(once_node<X> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, dy);
}

// Axes that were put in are taken out.
template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(inserted_node<Mask, X> const& n, Y const&, D const& dy, rules) {
    if constexpr (is_spread<D>) {
        constexpr std::size_t R = D::rank, missing = R - std::remove_cvref_t<decltype(dy.x)>::rank;
        auto const inner = drop_axes<(Mask >> missing)>(dy.x);
        return pull_into<W>(n.x.head, as_derivative(inner, n.x.head.extents()));
    } else {
        return pull_into<W>(n.x.head, drop_axes<Mask>(dy));
    }
}

template <class W, int A, int N, int I, class X, class Y, class D>
auto pull_node(part_node<A, N, I, X> const& n, Y const&, D const& dy, rules) {
    auto const p = of_part(n, dy);
    if constexpr (is_named<X>) return p;
    else return pull_into<W>(n.x.head, whole(p));
}

template <class W, class X, std::size_t R, class Y, class D>
auto pull_node(reshape_node<X, R> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, reshape(whole(dy), n.x.head.extents()));
}

template <class W, class A, class B, class Y, class D>
auto pull_node(concat_node<A, B> const& n, Y const&, D const& dy, rules) {
    auto const all = whole(dy);
    auto const part = [&](auto const& x, index_t first) {
        auto m = identity_map(x.extents());
        m.rule[n.axis].offset = first;
        return pull_into<W>(x, make_view(all, m, "slice"));
    };
    auto const& a = n.x.head;
    auto const& b = n.x.tail.head;
    return plus(part(a, 0), part(b, a.extents()[static_cast<std::size_t>(n.axis)]));
}

template <class W, class X, class I, class Y, class D>
auto pull_node(gather_node<X, I> const& n, Y const&, D const& dy, rules) {
    auto d = whole(dy);
    using N = scatter_node<decltype(d), I>;
    return pull_into<W>(n.x.head, N{{std::move(d), {n.x.tail.head}}, n.axis, n.x.head.extents()});
}
template <class W, class X, class I, class Y, class D>
auto pull_node(scatter_node<X, I> const& n, Y const&, D const& dy, rules) {
    auto d = whole(dy);
    using N = gather_node<decltype(d), I>;
    return pull_into<W>(n.x.head, N{{std::move(d), {n.x.tail.head}}, n.axis});
}

// ---- reduce ----

// dy with the axes of Mask of a space of extents e, along which it is the same.
template <unsigned Mask, std::size_t S, class D>
auto along_reduced(D const& dy, extents<S> const& e) {
    auto const n = in_map(dy);
    using X = std::remove_cvref_t<decltype(n)>;
    if constexpr (X::rank == 0) {
        return spread<X, S>{n, e};
    } else {
        auto const full = whole(dy);
        auto x = with_axes<Mask>(full);
        return spread<decltype(x), S>{std::move(x), e};
    }
}

template <class W, unsigned Mask, class X, class Y, class D>
auto pull_node(reduce_node<monoid::sum, Mask, X> const& n, Y const&, D const& dy, rules) {
    return pull_into<W>(n.x.head, along_reduced<Mask>(dy, n.x.head.extents()));
}

// ---- contract ----

// The labels of a contraction whose result has the axes of operand x.
template <std::size_t Labels>
struct exchanged_labels {
    int to[Labels == 0 ? 1 : Labels];

    exchanged_labels(int const* x, std::size_t rank) {
        int next = static_cast<int>(rank);
        for (std::size_t l = 0; l != Labels; ++l) {
            to[l] = -1;
            for (std::size_t a = 0; a != rank; ++a) {
                if (x[a] == static_cast<int>(l)) to[l] = static_cast<int>(a);
            }
            if (to[l] < 0) to[l] = next++;
        }
    }
};

// The contraction over the same labels with one operand and the result exchanged.
template <std::size_t R, std::size_t S, class X, class O, class D>
auto contract_with(X const& x, int const* x_label, O const& other, int const* o_label, D const& dy,
                   char const* name) {
    exchanged_labels<R + S> const now(x_label, X::rank);
    int ld[felt::extents<R>::stored] = {}, lo[felt::extents<O::rank>::stored] = {};
    for (std::size_t a = 0; a != R; ++a) ld[a] = now.to[a];
    for (std::size_t a = 0; a != O::rank; ++a) lo[a] = now.to[o_label[a]];
    auto made = make_contract<X::rank, R + S - X::rank>(whole(dy), other, ld, lo, name);
    if (made.extents() != x.extents()) {
        apart<&stretch_fails>::call(name, x.extents(), made.extents());
    }
    return made;
}

template <class W, class A, class B, std::size_t R, std::size_t S, class Y, class D>
auto pull_node(contract_node<A, B, R, S> const& n, Y const&, D const& dy, rules) {
    auto const& a = n.x.head;
    auto const& b = n.x.tail.head;
    auto const left = [&] {
        if constexpr (!depends<W, A>) return zero{};
        else return pull_into<W>(a, contract_with<R, S>(a, n.a_label, b, n.b_label, dy, n.name));
    };
    auto const right = [&] {
        if constexpr (!depends<W, B>) return zero{};
        else return pull_into<W>(b, contract_with<R, S>(b, n.b_label, a, n.a_label, dy, n.name));
    };
    return plus(left(), right());
}

template <class W, class N, class Y, class D>
auto pull(N const& n, Y const& y, D const& dy) {
    return pull_node<W>(n, y, dy, rules{});
}

}  // namespace felt::inline FELT_ABI::derive

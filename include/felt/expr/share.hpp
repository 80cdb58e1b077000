// SPDX-License-Identifier: BSD-3-Clause
//
// shared(s...): the statements s with a shared_node around every expensive streaming sub-expression
// that is read in several loops, so that a plan may have it computed once. As if one had written
// once():
//
//     exp(x) / sum<1>(exp(x), keepdims)   as   once(exp(x)) / sum<1>(once(exp(x)), keepdims)
//
// They are found by type when the program is compiled; which of them are equal in value, and
// whether it pays, is for the plan to see. Expensive is what takes as long as an exp. Loops differ
// if one occurrence lies below a reduction or a product that the other does not lie below. The
// largest such sub-expression is taken.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <string_view>

namespace felt::inline FELT_ABI {

namespace detail {

// The name of a type, to tell types apart in constant expressions. (Addresses of variables would
// do, but g++ 12 does not compare them there under -fsanitize=undefined.) Distinct lambdas may have
// one name; what is equal in value the plan sees.
template <class N>
constexpr std::string_view name_of_type() {
    return __PRETTY_FUNCTION__;
}

// The nodes of expressions in pre-order, as far as their types tell.
struct typed_node {
    std::string_view type;
    int end = 0;       // one past the last node below
    int loops = 0;     // the node in whose loops it is read; below 0: a statement's
    int cost = 0;      // of an element, without its operands
    bool may = false;  // be shared
    bool shared = false;
};
struct typed_nodes {
    static constexpr int most = 256;  // in larger ones nothing is shared
    typed_node at[most];
    int count = 0;
};

template <class N>
struct own_cost {
    static constexpr int value = 0;
    static constexpr bool may = false, sums = false, once = false;
};
template <class F, class... X>
struct own_cost<map_node<F, X...>> : own_cost<void> {
    static constexpr int value = function_cost<F>();
    static constexpr bool may = true;
};
template <view_kind K, class X, std::size_t R>
    requires(K != view_kind::affine)
struct own_cost<view_node<K, X, R>> : own_cost<void> {
    static constexpr int value = 8;  // by way of scratch
};
template <class G, class T, std::size_t R>
struct own_cost<generator_node<G, T, R>> : own_cost<void> {
    static constexpr int value = function_cost<G>();
    static constexpr bool may = true;
};
template <class M, unsigned Mask, class X>
struct own_cost<reduce_node<M, Mask, X>> : own_cost<void> {
    static constexpr bool sums = true;
};
template <class A, class B, std::size_t R, std::size_t S>
struct own_cost<contract_node<A, B, R, S>> : own_cost<void> {
    static constexpr bool sums = true;
};
template <class X>
struct own_cost<once_node<X>> : own_cost<void> {
    static constexpr bool once = true;
};

// All occurrences of a once node are one: what is below them is read in the loops of the first.
constexpr int first_of(typed_nodes const& list, std::string_view type) {
    for (int i = 0; i < list.count; ++i) {
        if (list.at[i].type == type) return i;
    }
    return list.count;
}

template <class N>
struct typed {
    static constexpr void list(typed_nodes& to, int loops, bool may);
};
template <class N, class X = operands_of<N>>
struct typed_operands;
template <class N, class... X>
struct typed_operands<N, tuple<X...>> {
    static constexpr void list([[maybe_unused]] typed_nodes& to, [[maybe_unused]] int loops) {
        (typed<X>::list(to, loops, !own_cost<N>::once), ...);
    }
};

// Appends N and what is below it.
template <class N>
constexpr void typed<N>::list(typed_nodes& to, int loops, bool may) {
    using own = own_cost<N>;
    constexpr bool boxes = N::rank > 0 && !std::is_same_v<typename N::value_type, bool>;
    int const id = to.count;
    int const below = own::once ? first_of(to, name_of_type<N>()) : own::sums ? id : loops;
    if (to.count == typed_nodes::most) return;
    to.at[to.count++] = {name_of_type<N>(), 0, loops, own::value, boxes && own::may && may};
    typed_operands<N>::list(to, below);
    to.at[id].end = to.count;
}

// The cost of an element, down to the next sums and to what is shared itself.
constexpr int cost_of(typed_nodes const& list, int id) {
    int cost = list.at[id].cost;
    for (int x = id + 1; x < list.at[id].end; ++x) {
        typed_node const& n = list.at[x];
        if (n.loops == list.at[id].loops && !n.shared) cost += n.cost;
    }
    return cost;
}

// Whether node b is read in loops that run inside those of a.
constexpr bool runs_inside(typed_nodes const& list, typed_node const& a, typed_node const& b) {
    if (a.loops < 0) return b.loops >= 0;
    return a.loops < b.loops && b.loops < list.at[a.loops].end;
}

// Which statement it is in.
constexpr int statement_around(typed_nodes const& list, typed_node const& n) {
    int loops = n.loops;
    while (loops >= 0) loops = list.at[loops].loops;
    return loops;
}

// Whether the type of node i occurs in loops and in others inside of them, or in sums of other
// statements.
constexpr bool is_apart(typed_nodes const& list, int i) {
    typed_node const& a = list.at[i];
    for (int j = i + 1; j < list.count; ++j) {
        typed_node const& b = list.at[j];
        bool const same = b.type == a.type && b.may;
        bool const sums =
            a.loops >= 0 && b.loops >= 0 && statement_around(list, a) != statement_around(list, b);
        if (same && (sums || runs_inside(list, a, b) || runs_inside(list, b, a))) return true;
    }
    return false;
}

struct shared_types {
    static constexpr int most = 8;
    std::string_view type[most];
    int count = 0;

    constexpr bool contain(std::string_view t) const {
        for (int i = 0; i < count; ++i) {
            if (type[i] == t) return true;
        }
        return false;
    }
};

// The largest node that is expensive and occurs apart, or -1.
constexpr int next_shared(typed_nodes const& list, int expensive) {
    int best = -1;
    for (int i = 0; i < list.count; ++i) {
        typed_node const& n = list.at[i];
        if (!n.may || (best >= 0 && n.end - i <= list.at[best].end - best)) continue;
        if (cost_of(list, i) >= expensive && is_apart(list, i)) best = i;
    }
    return best;
}

// What is below a shared node is read in one place, its own.
constexpr void share_type(typed_nodes& list, int best) {
    for (int i = 0; i < list.count; ++i) {
        if (list.at[i].type != list.at[best].type) continue;
        list.at[i].may = false;
        list.at[i].shared = true;
        for (int x = i + 1; x < list.at[i].end; ++x) {
            if (list.at[x].loops == list.at[i].loops) list.at[x].loops = best;
        }
    }
}

// The largest first. One that is cheap beside what it contains, which is shared too, is left out
// and the search begins again.
constexpr shared_types find_shared(typed_nodes const& all) {
    constexpr int expensive = 12;
    typed_nodes allowed = all;
    for (;;) {
        typed_nodes list = allowed;
        int found[shared_types::most] = {}, count = 0, cheap = -1;
        while (count < shared_types::most) {
            int const best = next_shared(list, expensive);
            if (best < 0) break;
            share_type(list, best);
            found[count++] = best;
        }
        for (int k = 0; k < count; ++k) {
            int cost = all.at[found[k]].cost;
            for (int x = found[k] + 1; x < all.at[found[k]].end; ++x) {
                if (list.at[x].loops == found[k] && !list.at[x].shared) cost += list.at[x].cost;
            }
            if (cost < expensive) cheap = found[k];
        }
        if (cheap < 0) {
            shared_types types;
            for (int k = 0; k < count; ++k) types.type[types.count++] = all.at[found[k]].type;
            return types;
        }
        for (int i = 0; i < all.count; ++i) {
            if (all.at[i].type == all.at[cheap].type) allowed.at[i].may = false;
        }
    }
}

template <class... N>
constexpr shared_types shared_among() {
    typed_nodes list;
    int statement = 0;
    (typed<N>::list(list, --statement, true), ...);
    return list.count < typed_nodes::most ? find_shared(list) : shared_types{};
}

// What the expressions N... share.
template <class... N>
struct sharing {
    static constexpr shared_types types = shared_among<N...>();
};

template <class S, class N>
FELT_FN auto mark_shared(N const& n);

template <class S, class... X>
FELT_FN auto mark_operands(tuple<X...> const& x) {
    return apply([](auto const&... each) { return felt::make_tuple(mark_shared<S>(each)...); }, x);
}

template <class S, class N>
FELT_FN auto mark_shared(N const& n) {
    auto const over = [&] {
        if constexpr (has_no_operands<N>) return n;
        else return n.over(mark_operands<S>(n.operands()));
    };
    constexpr bool is_shared = S::types.contain(name_of_type<N>());
    if constexpr (is_shared) return shared_node<decltype(over())>{{{over()}}};
    else return over();
}

template <class Sharing, class T, std::size_t R, class Space, class E>
FELT_FN auto mark_shared_in(statement<T, R, Space, E> const& s) {
    auto e = mark_shared<Sharing>(s.expression);
    return statement<T, R, Space, decltype(e)>{s.data, s.e, s.stride, std::move(e), s.no_alias};
}

// Whether these statements have anything to share.
template <class... S>
inline constexpr bool have_shared = sharing<decltype(S::expression)...>::types.count > 0;

// The statements as a tuple, with what they share marked.
template <class... S>
FELT_FN auto shared(S const&... s) {
    using types = sharing<decltype(S::expression)...>;
    return felt::make_tuple(mark_shared_in<types>(s)...);
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI

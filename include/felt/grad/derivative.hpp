// SPDX-License-Identifier: BSD-3-Clause
//
// The derivative of a cost by a node has the node's extents. It is an expression of them, or
// spread<X, R>: an X that is the same along some axes, as the derivative of a sum is; or zero.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/grad/depends.hpp>

namespace felt::inline FELT_ABI::derive {

struct zero {};

// x along the axes of e that it lacks or that have extent 1 by its type.
template <class X, std::size_t R>
struct spread {
    using value_type = typename X::value_type;
    static constexpr std::size_t rank = R;
    X x;
    felt::extents<R> e;
};

template <class D>
inline constexpr bool is_spread = false;
template <class X, std::size_t R>
inline constexpr bool is_spread<spread<X, R>> = true;
template <class D>
inline constexpr bool is_zero = std::is_same_v<D, zero>;
template <class D>
inline constexpr bool is_parted = false;  // parted.hpp

[[noreturn]] FELT_PLANNING inline void stretch_fails(char const* name, shape_ref from,
                                                     shape_ref to) {
    std::size_t const missing = to.rank - from.rank;
    std::size_t axis = missing;
    while (axis + 1 < to.rank && from.value[axis - missing] == to.value[axis]) ++axis;
    throw shape_error(std::string("grad: ") + name + " of " + from.text() + " is stretched to " +
                      to.text() + " along axis " + std::to_string(axis) +
                      ", which its type does not say: expand_dims<" + std::to_string(axis) +
                      ">(x) or along<A>(x) of what lacks that axis");
}

// What x says of a node of extents e. Axes that are stretched although the type does not say so are
// a mistake: whether to sum along them would depend on a run.
template <class X, std::size_t R>
auto as_derivative(X x, extents<R> const& e) {
    auto const from = x.extents();
    constexpr unsigned units = units_in<X, R>;
    for (std::size_t r = R - X::rank; r != R; ++r) {
        if ((units >> r & 1U) == 0 && from[r - (R - X::rank)] != e[r]) {
            apart<&stretch_fails>::call("an operand", from, e);
        }
    }
    if constexpr (units == 0) return x;
    else return spread<X, R>{std::move(x), e};
}

// The expression that has all of the extents.
template <class D>
auto whole(D const& d) {
    if constexpr (is_spread<D>) return broadcast_view(d.x, d.e);
    else if constexpr (is_parted<D>) return whole_of_parts(d);
    else return d;
}
// What may stand for it in a map, beside operands that have its extents.
template <class D>
auto const& in_map(D const& d) {
    if constexpr (is_spread<D>) return d.x;
    else return d;
}
template <class D>
auto extents_of(D const& d) {
    if constexpr (is_spread<D>) return d.e;
    else return d.extents();
}

// f of derivatives and operands, all of extents e.
template <std::size_t R, class F, class D, class... X>
auto mapped(extents<R> const& e, F const& f, D const& d, X const&... x) {
    auto y = f(in_map(d), in_map(x)...);
    if constexpr (is_zero<decltype(y)>) return y;
    else if constexpr (is_spread<D>) return as_derivative(as_node(std::move(y)), e);
    else return as_node(std::move(y));
}

// The sum of what several readers contribute.
template <class A, class B>
auto plus(A const& a, B const& b) {
    if constexpr (is_zero<A> && is_zero<B>) return a;
    else if constexpr (is_zero<A>) return b;
    else if constexpr (is_zero<B>) return a;
    else if constexpr (is_parted<A> && is_parted<B>) return plus_parts(a, b);
    else if constexpr (is_parted<A> || is_parted<B>) return plus(whole(a), whole(b));
    else if constexpr (is_spread<A> && is_spread<B>) return as_derivative(as_node(a.x + b.x), a.e);
    else return as_node(in_map(a) + in_map(b));
}
template <class A>
auto plus(A const& a) {
    return a;
}
template <class A, class B, class C, class... D>
auto plus(A const& a, B const& b, C const& c, D const&... d) {
    return plus(plus(a, b), c, d...);
}

// n with axes of extent 1, of which its type says where they are.
template <unsigned Mask, class N>
auto with_axes(N n) {
    return inserted_node<Mask, N>{{std::move(n)}, "keepdims"};
}

// x without the axes of Mask, which have extent 1.
template <unsigned Mask, class X>
auto drop_axes(inserted_node<Mask, X> const& n) {
    return n.x.head;
}
template <unsigned Mask, class X>
auto drop_axes(X const& x) {
    constexpr std::size_t S = X::rank, R = S - std::size_t(__builtin_popcount(Mask));
    constexpr unsigned units = unit_axes<X> & ~Mask;
    if constexpr (units != 0) {  // the type still says which of the others have extent 1
        return with_axes<axes_left(units, Mask, S)>(drop_axes < Mask | units > (x));
    } else {
        auto const e = x.extents();
        view_map<S, R> m{};
        for (std::size_t s = 0, r = 0; s != S; ++s) {
            if ((Mask >> s & 1U) != 0) continue;
            m.e[r] = e[s];
            m.rule[s] = {static_cast<int>(r++), -1, 1};
        }
        return make_view(x, m, "squeeze");
    }
}

// The sum of d, which has extents e, over the axes of Mask; those of Keep stay with extent 1.
template <unsigned Mask, unsigned Keep, class D>
auto summed(D const& d) {
    constexpr std::size_t R = D::rank;
    auto const& x = in_map(d);
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr std::size_t missing = R - X::rank;
    constexpr unsigned here = Mask >> missing;         // of x's own axes,
    constexpr unsigned varies = here & ~unit_axes<X>;  // along which it varies
    constexpr unsigned constant = Mask & ~(varies << missing);
    auto total = [&] {
        if constexpr (varies == 0) return as_node(x);
        else return with_axes<varies>(reduce_node<monoid::sum, varies, X>{{x}});
    }();
    auto const e = extents_of(d);
    auto dropped = [&] {
        constexpr unsigned gone = here & ~(Keep >> missing);
        if constexpr (gone == 0) return total;
        else if constexpr (varies == gone) return reduce_node<monoid::sum, varies, X>{{x}};
        else return drop_axes<gone>(total);
    }();
    if constexpr (constant == 0) {
        return dropped;
    } else {
        index_t times = 1;
        for (std::size_t r = 0; r != R; ++r) times *= (constant >> r & 1U) != 0 ? e[r] : 1;
        return as_node(dropped *
                       scalar<typename X::value_type>{number_as<typename X::value_type>(times)});
    }
}

// The derivative by an operand of type N of extents e that a map stretched to those of d.
template <class N, class D>
auto unstretched(D const& d, extents<N::rank> const& e) {
    constexpr std::size_t R = D::rank, missing = R - N::rank;
    constexpr unsigned lacks = (1U << missing) - 1, mask = units_in<N, R>;
    constexpr unsigned keep = mask & ~lacks;
    if constexpr (mask == 0) {
        if (extents_of(d) != e) apart<&stretch_fails>::call("an operand", e, extents_of(d));
        return d;
    } else {
        return as_derivative(summed<mask, keep>(d), e);
    }
}

}  // namespace felt::inline FELT_ABI::derive

// SPDX-License-Identifier: BSD-3-Clause
//
// einsum<"ik,kj->ij">(a, b): Einstein summation of one or two operands. A letter names an axis;
// letters that the result does not name are summed over; letters of both operands and the
// result are batches. "ii->i" takes a diagonal. Sums over a letter of one operand
// alone come before products: sum_jk a[i, j] b[k] = (sum_j a[i, j]) (sum_k b[k]).
#pragma once
#include <felt/core/fixed_string.hpp>
#include <felt/expr/products.hpp>
#include <felt/expr/views/permute.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

struct letters {
    char at[max_rank + 1] = {};
    std::size_t count = 0;

    consteval void add(char c) { at[count++] = c; }
    constexpr int find(char c) const {
        for (std::size_t i = 0; i < count; ++i) {
            if (at[i] == c) return static_cast<int>(i);
        }
        return -1;
    }
};

struct einsum_spec {
    letters operand[2], out, summed;
    std::size_t operands = 1;
    bool well_formed = true;
};

template <std::size_t N>
consteval einsum_spec parse_einsum(fixed_string<N> const& s) {
    einsum_spec spec;
    letters* part = &spec.operand[0];
    bool arrow = false;
    for (std::size_t i = 0; i + 1 < N; ++i) {
        char const c = s.text[i];
        if (c == ',' && !arrow && spec.operands == 1) {
            spec.operands = 2;
            part = &spec.operand[1];
        } else if (c == '-' && !arrow && s.text[i + 1] == '>') {
            arrow = true;
            part = &spec.out;
            ++i;
        } else if (((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && part->count < max_rank) {
            part->add(c);
        } else if (c != ' ') {
            spec.well_formed = false;
        }
    }
    spec.well_formed = spec.well_formed && arrow;
    for (letters const& l : spec.operand) {
        for (std::size_t i = 0; i < l.count; ++i) {
            if (spec.out.find(l.at[i]) < 0 && spec.summed.find(l.at[i]) < 0) {
                if (spec.summed.count + spec.out.count >= max_rank) spec.well_formed = false;
                else spec.summed.add(l.at[i]);
            }
        }
    }
    for (std::size_t i = 0; i < spec.out.count; ++i) {
        char const c = spec.out.at[i];
        bool const known = spec.operand[0].find(c) >= 0 || spec.operand[1].find(c) >= 0;
        spec.well_formed = spec.well_formed && known && spec.out.find(c) == static_cast<int>(i);
    }
    return spec;
}

// Whether s names every axis of operands of these ranks. A function, because nvcc cannot evaluate
// a lambda in a concept.
template <std::size_t N, std::size_t Operands>
consteval bool names_all_axes(fixed_string<N> const& s, std::size_t const (&rank)[Operands]) {
    einsum_spec const spec = parse_einsum(s);
    bool all = spec.well_formed && spec.operands == Operands;
    for (std::size_t x = 0; all && x < Operands; ++x) all = spec.operand[x].count == rank[x];
    return all;
}

// Every letter of an operand, each once, in the order of first appearance.
consteval letters distinct(letters const& l) {
    letters d;
    for (std::size_t i = 0; i < l.count; ++i) {
        if (d.find(l.at[i]) < 0) d.add(l.at[i]);
    }
    return d;
}

// x with equal letters merged to one axis: its diagonal along them.
template <letters L, class X>
auto diagonal(X&& x) {
    constexpr letters d = distinct(L);
    if constexpr (d.count == L.count) {
        return as_node(std::forward<X>(x));
    } else {
        auto const e = shape_of(x);
        view_map<L.count, d.count> m{};
        for (std::size_t s = 0; s < L.count; ++s) {
            auto const to = static_cast<std::size_t>(d.find(L.at[s]));
            bool const seen = L.find(L.at[s]) != static_cast<int>(s);
            if (seen && m.e[to] != e[s]) {
                throw shape_error("einsum: a diagonal of " + to_string(e));
            }
            m.e[to] = e[s];
            m.rule[s].out1 = static_cast<int>(to);
            m.rule[s].stride = 1;
        }
        return as_node(make_view(std::forward<X>(x), m, "diagonal"));
    }
}

template <letters L, einsum_spec S>
struct einsum_labels {
    int value[max_rank] = {};
    consteval einsum_labels() {
        for (std::size_t i = 0; i < L.count; ++i) {
            int const o = S.out.find(L.at[i]);
            value[i] = o >= 0 ? o : static_cast<int>(S.out.count) + S.summed.find(L.at[i]);
        }
    }
};

// The axes that the result does not name, as a mask.
consteval unsigned summed_mask(letters const& from, letters const& out) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < from.count; ++i) bits |= out.find(from.at[i]) < 0 ? 1U << i : 0U;
    return bits;
}

// The letters of x that y or z has too, each once.
consteval letters common_letters(letters const& x, letters const& y, letters const& z) {
    letters c;
    for (std::size_t i = 0; i < x.count; ++i) {
        char const l = x.at[i];
        if (c.find(l) < 0 && (y.find(l) >= 0 || z.find(l) >= 0)) c.add(l);
    }
    return c;
}

// What is multiplied: of an operand that is summed first, letters of the other or the result.
consteval einsum_spec product_spec(einsum_spec s, bool sum_a, bool sum_b) {
    letters const a = s.operand[0], b = s.operand[1];
    s.operand[0] = sum_a ? common_letters(a, b, s.out) : distinct(a);
    s.operand[1] = sum_b ? common_letters(b, a, s.out) : distinct(b);
    s.summed = common_letters(s.summed, s.operand[0], s.operand[1]);
    return s;
}
// The sum of an integer is of a wider type than a product.
template <class X>
inline constexpr bool sums_in_its_type =
    std::is_same_v<monoid::sum::result<value_of<X>>, value_of<X>>;

// x with the letters `From`, summed over those that `To` lacks.
template <letters From, letters To, class X>
auto summed_to(X&& x) {
    auto n = diagonal<From>(std::forward<X>(x));
    constexpr unsigned mask = summed_mask(distinct(From), To);
    if constexpr (mask == 0) return n;
    else return reduce_node<monoid::sum, mask, decltype(n)>{{std::move(n)}};
}

// Whether the operands share all letters of the result: then there are neither rows nor columns.
consteval bool only_batches(einsum_spec const& s) {
    for (std::size_t i = 0; i < s.out.count; ++i) {
        char const c = s.out.at[i];
        if (s.operand[0].find(c) < 0 || s.operand[1].find(c) < 0) return false;
    }
    return true;
}

// x summed over what S does not keep; then the rest in the order of the result.
template <einsum_spec S, class X>
auto einsum_one(X x) {
    constexpr letters from = distinct(S.operand[0]);
    constexpr unsigned mask = summed_mask(from, S.out);
    auto order = [](auto n) {
        constexpr letters names = distinct(S.operand[0]);
        view_map<S.out.count, S.out.count> m{n.extents(), {}};
        auto const e = n.extents();
        std::size_t axis = 0;
        for (std::size_t i = 0; i < names.count; ++i) {
            int const o = S.out.find(names.at[i]);
            if (o < 0) continue;
            m.e[static_cast<std::size_t>(o)] = e[axis];
            m.rule[axis].out1 = o;
            m.rule[axis++].stride = 1;
        }
        return make_view(std::move(n), m, "permute");
    };
    if constexpr (mask == 0) {
        return order(std::move(x));
    } else {
        using T = monoid::sum::result<typename X::value_type>;
        auto n = to_type<T>(std::move(x));
        return order(reduce_node<monoid::sum, mask, decltype(n)>{{std::move(n)}});
    }
}

}  // namespace detail

// The specification parses, names each axis of every operand, and its result names known letters.
template <fixed_string S, class... X>
concept einsum_is_well_formed = detail::names_all_axes(S, {rank_of<X>...});

template <fixed_string S, array_operand A>
    requires einsum_is_well_formed<S, A>
auto einsum(A&& a) {
    constexpr auto spec = detail::parse_einsum(S);
    return detail::einsum_one<spec>(detail::diagonal<spec.operand[0]>(std::forward<A>(a)));
}

template <fixed_string S, array_operand A, array_operand B>
    requires products_combine<A, B> && einsum_is_well_formed<S, A, B>
auto einsum(A&& a, B&& b) {
    constexpr auto all = detail::parse_einsum(S);
    constexpr auto spec =
        detail::product_spec(all, detail::sums_in_its_type<A>, detail::sums_in_its_type<B>);
    constexpr auto la = detail::einsum_labels<spec.operand[0], spec>{};
    constexpr auto lb = detail::einsum_labels<spec.operand[1], spec>{};
    constexpr std::size_t R = spec.out.count, N = spec.summed.count;
    auto x = detail::summed_to<all.operand[0], spec.operand[0]>(std::forward<A>(a));
    auto y = detail::summed_to<all.operand[1], spec.operand[1]>(std::forward<B>(b));
    if constexpr (detail::only_batches(spec) && !std::is_integral_v<arithmetic_t<A, B>>) {
        return detail::multiply_and_sum<R, N, la, lb>(std::move(x), std::move(y), "einsum");
    } else {
        return detail::contract<R, N>(std::move(x), std::move(y), la.value, lb.value, "einsum");
    }
}

template <fixed_string S, class... B>
void einsum(refused_letters, B&&...);  // takes nothing
template <class... B>
void einsum(refused_string, B&&...);  // takes nothing

}  // namespace felt::inline FELT_ABI

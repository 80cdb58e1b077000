// SPDX-License-Identifier: BSD-3-Clause
//
// Products as compositions: what has rows or columns is a contraction, the rest a reduction of a
// product element by element.
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/roll.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// The labels of N that an operand of rank R does not have, a bit each.
template <std::size_t N, auto Labels, std::size_t R>
inline constexpr unsigned labels_missing = [] {
    unsigned bits = (1U << N) - 1;
    for (std::size_t r = 0; r != R; ++r) bits &= ~(1U << Labels.value[r]);
    return bits;
}();

// x with an axis for each of N labels, of extent 1 where it has none.
template <std::size_t N, auto Labels, class X>
auto by_labels(X x) {
    constexpr unsigned missing = labels_missing<N, Labels, X::rank>;
    // Of what has a name, a type says which axes are new.
    constexpr bool by_type = missing != 0 && has_notation<X>;
    constexpr std::size_t R = by_type ? X::rank : N;
    auto const e = shape_of(x);
    view_map<X::rank, R> m{ones<R>(), {}};
    for (std::size_t r = 0; r != X::rank; ++r) {
        int const label = Labels.value[r];
        int const at = by_type ? __builtin_popcount(~missing & ((1U << label) - 1)) : label;
        m.e[static_cast<std::size_t>(at)] = e[r];
        m.rule[r] = {at, -1, 1};
    }
    auto ordered = make_view(std::move(x), m, "permute");
    if constexpr (by_type) return insert_axes<missing>(std::move(ordered), "permute");
    else return ordered;
}

// contract() for two operands that share all axes of the result.
template <std::size_t R, std::size_t S, auto LabelsA, auto LabelsB, class A, class B>
auto multiply_and_sum(A a, B b, char const* name) {
    apart<&check_labels>::call(name, shape_of(a), LabelsA.value, shape_of(b), LabelsB.value,
                               static_cast<int>(R));
    auto n = by_labels<R + S, LabelsA>(std::move(a)) * by_labels<R + S, LabelsB>(std::move(b));
    constexpr unsigned mask = ((1U << S) - 1U) << R;
    if constexpr (S == 0) return n;
    else return reduce_node<monoid::sum, mask, decltype(n)>{{std::move(n)}};
}

}  // namespace detail

// dot(a, b) = sum_i a[i] * b[i]: a product without rows and columns is a reduction.
template <class A, class B>
    requires products_combine<A, B> && (rank_of<A> == 1) && (rank_of<B> == 1)
auto dot(A&& a, B&& b) {
    if (shape_of(a) != shape_of(b)) {
        throw shape_error("dot: " + to_string(shape_of(a)) + " by " + to_string(shape_of(b)));
    }
    return sum(as_node(std::forward<A>(a)) * as_node(std::forward<B>(b)));
}
template <class B>
void dot(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

// Of two vectors a product is their dot product.
template <class A, class B>
    requires products_combine<A, B> && (rank_of<A> == 1) && (rank_of<B> == 1)
auto matmul(A&& a, B&& b) {
    return dot(std::forward<A>(a), std::forward<B>(b));
}

// kron(a, b)[i * p + k, j * q + l] = a[i, j] * b[k, l] for b of p x q.
template <class A, class B>
    requires combines_with<A, B> && (rank_of<A> == 2) && (rank_of<B> == 2)
auto kron(A&& a, B&& b) {
    auto x = as_node(std::forward<A>(a));
    auto y = as_node(std::forward<B>(b));
    auto const m = shape_of(x);
    auto const n = shape_of(y);
    auto product = expand_dims<3>(expand_dims<1>(std::move(x))) *  // i, 1, j, 1
                   expand_dims<2>(expand_dims<0>(std::move(y)));   // 1, k, 1, l
    return reshape(std::move(product), {m[0] * n[0], m[1] * n[1]});
}
template <class B>
void kron(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

template <class A, class B>
concept both_have_axes = products_combine<A, B> && rank_of<A> >= 1 && rank_of<B> >= 1;

namespace detail {
// Throws unless a and b have the same last extent: n, if that is asked for.
FELT_PLANNING inline void check_last(char const* name, shape_ref a, shape_ref b, index_t n = -1) {
    index_t const last = a.value[a.rank - 1];
    if (last != b.value[b.rank - 1] || (n >= 0 && last != n)) {
        contract_fails(
            name, a, b,
            n < 0 ? "the last axes differ" : "the last axes are not " + std::to_string(n));
    }
}
}  // namespace detail

// vecdot(a, b)[..] = sum_i a[.., i] b[.., i]; leading axes broadcast.
template <class A, class B>
    requires both_have_axes<A, B>
auto vecdot(A&& a, B&& b) {
    detail::check_last("vecdot", shape_of(a), shape_of(b));
    return sum<-1>(as_node(std::forward<A>(a)) * as_node(std::forward<B>(b)));
}

// cross(a, b)[.., i] = a[.., i + 1] b[.., i + 2] - a[.., i + 2] b[.., i + 1], places counted around
// the last axis, of 3; leading axes broadcast.
template <class A, class B>
    requires both_have_axes<A, B>
auto cross(A&& a, B&& b) {
    detail::check_last("cross", shape_of(a), shape_of(b), 3);
    auto x = as_node(std::forward<A>(a));
    auto y = as_node(std::forward<B>(b));
    return roll<-1>(x, -1) * roll<-1>(y, -2) - roll<-1>(x, -2) * roll<-1>(y, -1);
}

// Axes of an operand of tensordot: axes<0, 2>.
template <int... A>
struct axes_t {};
template <int... A>
inline constexpr axes_t<A...> axes{};

namespace detail {

// The labels of the axes of an operand of rank R, of which `summed` are: those from `first_summed`
// on in the order in which they are named, the others from `first` on.
template <std::size_t R>
struct dot_labels {
    int value[extents<R>::stored] = {};
    template <std::size_t S>
    constexpr dot_labels(std::size_t const (&summed)[S], int first, int first_summed) {
        for (int& label : value) label = -1;
        for (std::size_t s = 0; s + 1 < S; ++s) value[summed[s]] = first_summed + int(s);
        for (std::size_t r = 0; r < R; ++r) value[r] = value[r] < 0 ? first++ : value[r];
    }
};

template <class A, class B, int... I, int... J>
auto tensordot(A&& a, B&& b, axes_t<I...>, axes_t<J...>, char const* name) {
    constexpr std::size_t S = sizeof...(I), ra = rank_of<A>, rb = rank_of<B>, R = ra + rb - 2 * S;
    constexpr std::size_t of_a[] = {axis_v<I, ra>..., 0}, of_b[] = {axis_v<J, rb>..., 0};
    constexpr dot_labels<ra> la(of_a, 0, R);
    constexpr dot_labels<rb> lb(of_b, static_cast<int>(ra - S), R);
    if constexpr (R == 0 && S > 0 && !std::is_integral_v<arithmetic_t<A, B>>) {
        return multiply_and_sum<R, S, la, lb>(as_node(std::forward<A>(a)),
                                              as_node(std::forward<B>(b)), name);
    } else {
        return contract<R, S>(std::forward<A>(a), std::forward<B>(b), la.value, lb.value, name);
    }
}

template <int First, int... I>
axes_t<First + I...> axes_from(std::integer_sequence<int, I...>);

}  // namespace detail

template <class A, class B, std::size_t N>
concept tensordot_has_at_most_eight_axes =
    products_combine<A, B> && N <= rank_of<A> && N <= rank_of<B> &&
    rank_of<A> + rank_of<B> - N <= max_rank;

// Axes I of a with axes J of b, in this order: sum over what they share; the axes of a that are
// left come first, then those of b.
template <class A, class B, int... I, int... J>
    requires(sizeof...(I) == sizeof...(J)) && axes_are_in_range<A, I...> &&
            axes_are_in_range<B, J...> && tensordot_has_at_most_eight_axes<A, B, sizeof...(I)>
auto tensordot(A&& a, B&& b, axes_t<I...> of_a, axes_t<J...> of_b) {
    return detail::tensordot(std::forward<A>(a), std::forward<B>(b), of_a, of_b, "tensordot");
}

// The last N axes of a with the first N of b.
template <int N = 2, class A, class B>
    requires(N >= 0) && tensordot_has_at_most_eight_axes<A, B, std::size_t(N)>
auto tensordot(A&& a, B&& b) {
    using counted = std::make_integer_sequence<int, N>;
    constexpr int first = static_cast<int>(rank_of<A>) - N;
    return detail::tensordot(std::forward<A>(a), std::forward<B>(b),
                             decltype(detail::axes_from<first>(counted{})){},
                             decltype(detail::axes_from<0>(counted{})){}, "tensordot");
}

// inner(a, b)[i.., j..] = sum_k a[i.., k] b[j.., k], of vectors their dot product.
template <class A, class B>
    requires both_have_axes<A, B> && tensordot_has_at_most_eight_axes<A, B, 1>
auto inner(A&& a, B&& b) {
    if constexpr (rank_of<A> == 1 && rank_of<B> == 1) {
        return dot(std::forward<A>(a), std::forward<B>(b));
    } else {
        return detail::tensordot(std::forward<A>(a), std::forward<B>(b), axes<-1>, axes<-1>,
                                 "inner");
    }
}

// These take nothing.
template <class B>
void vecdot(std::type_identity_t<refused_factors<B>>, B&&);
template <class B>
void cross(std::type_identity_t<refused_factors<B>>, B&&);
template <class B>
void inner(std::type_identity_t<refused_factors<B>>, B&&);
template <int N = 2, class B>
void tensordot(std::type_identity_t<refused_factors<B>>, B&&);

}  // namespace felt::inline FELT_ABI

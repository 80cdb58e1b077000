// SPDX-License-Identifier: BSD-3-Clause
//
// contract: out[o...] = sum over s... of a[..] * b[..], the Einstein summation of two operands.
// Every axis of a, b and the result carries a label: labels 0 .. R-1 are the axes of the
// result, labels R .. R+S-1 are summed over.
#pragma once
#include <felt/expr/complex.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

template <class A, class B, std::size_t R, std::size_t S>
struct FELT_LAZY contract_node {
    static_assert(R + S <= max_loops, "a contraction has at most felt::max_loops labels");
    using value_type = typename A::value_type;
    using space = join_space_t<typename A::space, typename B::space>;
    static constexpr node_kind what = node_kind::contract;
    static constexpr std::size_t rank = R;
    static constexpr std::size_t summed = S;

    tuple<A, B> x;
    int a_label[felt::extents<A::rank>::stored];
    int b_label[felt::extents<B::rank>::stored];
    char const* name;

    // The extent of every label; an operand's extent 1 stretches.
    FELT_FN felt::extents<R + S> label_extents() const {
        auto e = detail::ones<R + S>();
        auto const a = x.head.extents();
        auto const b = x.tail.head.extents();
        for (std::size_t r = 0; r < A::rank; ++r) {
            if (a[r] != 1) e[static_cast<std::size_t>(a_label[r])] = a[r];
        }
        for (std::size_t r = 0; r < B::rank; ++r) {
            if (b[r] != 1) e[static_cast<std::size_t>(b_label[r])] = b[r];
        }
        return e;
    }
    FELT_FN felt::extents<R> extents() const {
        auto const all = label_extents();
        felt::extents<R> e;
        for (std::size_t r = 0; r != R; ++r) e[r] = all[r];
        return e;
    }
    FELT_FN tuple<A, B> const& operands() const { return x; }
    template <class V, class W>
    FELT_FN contract_node<V, W, R, S> over(tuple<V, W> y) const {
        contract_node<V, W, R, S> to{std::move(y), {}, {}, name};
        for (std::size_t r = 0; r < A::rank; ++r) to.a_label[r] = a_label[r];
        for (std::size_t r = 0; r < B::rank; ++r) to.b_label[r] = b_label[r];
        return to;
    }
    bool has_data_of(contract_node const& n) const {
        return std::ranges::equal(a_label, n.a_label) && std::ranges::equal(b_label, n.b_label);
    }

    // All summed over: float s = einsum<"ij,ij->">(x, y);
    operator value_type() const
        requires(rank == 0)
    {
        return run_to_value(*this);
    }
};

namespace detail {

[[noreturn]] FELT_PLANNING inline void contract_fails(char const* name, shape_ref a, shape_ref b,
                                                      std::string const& why) {
    throw shape_error(std::string(name) + ": " + a.text() + " by " + b.text() + ": " + why);
}

// The extents a of the left operand and b of the right one, by their labels. Summed axes, from
// `first_summed` on, do not stretch: (2, 1) by (3, 4) is a mistake.
FELT_PLANNING inline void check_labels(char const* name, shape_ref a, int const* a_label,
                                       shape_ref b, int const* b_label, int first_summed) {
    index_t extent[max_loops];
    for (index_t& e : extent) e = 1;
    for (auto [x, label] : {std::pair{&a, a_label}, std::pair{&b, b_label}}) {
        for (std::size_t r = 0; r < x->rank; ++r) {
            index_t& to = extent[label[r]];
            index_t const e = x->value[r];
            if (e != 1 && to != 1 && e != to) {
                contract_fails(name, a, b, std::to_string(to) + " is not " + std::to_string(e));
            }
            if (e != 1) to = e;
        }
    }
    for (auto [x, label] : {std::pair{&a, a_label}, std::pair{&b, b_label}}) {
        for (std::size_t r = 0; r < x->rank; ++r) {
            if (label[r] >= first_summed && x->value[r] != extent[label[r]]) {
                contract_fails(name, a, b, "the shared extents differ");
            }
        }
    }
}

template <std::size_t R, std::size_t S, class A, class B>
auto make_contract(A a, B b, int const* a_label, int const* b_label, char const* name) {
    contract_node<A, B, R, S> n{{std::move(a), {std::move(b)}}, {}, {}, name};
    apart<&check_labels>::call(name, n.x.head.extents(), a_label, n.x.tail.head.extents(), b_label,
                               static_cast<int>(R));
    std::copy(a_label, a_label + A::rank, n.a_label);
    std::copy(b_label, b_label + B::rank, n.b_label);
    return n;
}

// Products of complex numbers are sums of products of their parts, of type T.
template <std::size_t R, std::size_t S, class T, class A, class B>
auto contract_parts(A const& a, B const& b, int const* a_label, int const* b_label,
                    char const* name) {
    auto const product = [&](auto x, auto y) {
        return make_contract<R, S>(to_type<T>(std::move(x)), to_type<T>(std::move(y)), a_label,
                                   b_label, name);
    };
    if constexpr (elements_are_real<A>) {
        return complex(product(a, real(b)), product(a, imag(b)));
    } else if constexpr (elements_are_real<B>) {
        return complex(product(real(a), b), product(imag(a), b));
    } else {
        return complex(product(real(a), real(b)) - product(imag(a), imag(b)),
                       product(real(a), imag(b)) + product(imag(a), real(b)));
    }
}

template <std::size_t R, std::size_t S, class A, class B>
auto contract(A&& a, B&& b, int const* a_label, int const* b_label, char const* name) {
    using T = arithmetic_t<A, B>;
    if constexpr (is_complex<T>) {
        return contract_parts<R, S, real_of<T>>(
            as_node(std::forward<A>(a)), as_node(std::forward<B>(b)), a_label, b_label, name);
    } else {
        return make_contract<R, S>(to_type<T>(as_node(std::forward<A>(a))),
                                   to_type<T>(as_node(std::forward<B>(b))), a_label, b_label, name);
    }
}

}  // namespace detail

// Two vectors multiply by dot(a, b) or outer(a, b).
template <class A, class B>
concept one_has_rows_and_columns =
    rank_of<A> >= 1 && rank_of<B> >= 1 && (has_rows_and_columns<A> || has_rows_and_columns<B>);

template <class A, class B>
concept products_combine =
    array_operand<A> && array_operand<B> && operands_share_a_space<space_of<A>, space_of<B>>;

// The axes of the result, and one that is summed over.
template <class A, class B>
concept product_has_at_most_eight_axes = std::max(rank_of<A>, rank_of<B>) < max_rank;

// matmul(a, b)[.., i, j] = sum_k a[.., i, k] * b[.., k, j]; leading axes broadcast. A vector on the
// left is a row, on the right a column, and the result lacks that axis.
template <class A, class B>
    requires products_combine<A, B> && one_has_rows_and_columns<A, B> &&
             product_has_at_most_eight_axes<A, B>
auto matmul(A&& a, B&& b) {
    constexpr std::size_t ra = rank_of<A>, rb = rank_of<B>, most = ra > rb ? ra : rb;
    constexpr std::size_t rows = ra > 1, columns = rb > 1, batch = most - 2;
    constexpr std::size_t R = batch + rows + columns;
    int la[ra], lb[rb];
    for (std::size_t r = 0; r + 2 < ra; ++r) la[r] = static_cast<int>(most - ra + r);
    for (std::size_t r = 0; r + 2 < rb; ++r) lb[r] = static_cast<int>(most - rb + r);
    if constexpr (ra > 1) la[ra - 2] = static_cast<int>(batch);
    if constexpr (rb > 1) lb[rb - 1] = static_cast<int>(R - 1);
    la[ra - 1] = static_cast<int>(R);
    lb[rb > 1 ? rb - 2 : 0] = static_cast<int>(R);
    return detail::contract<R, 1>(std::forward<A>(a), std::forward<B>(b), la, lb, "matmul");
}

template <class B>
void matmul(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

// outer(a, b)[.., i, j] = a[.., i] * b[.., j]; leading axes broadcast.
template <class A, class B>
    requires products_combine<A, B> && (rank_of<A> >= 1) &&
             (rank_of<B> >= 1) && product_has_at_most_eight_axes<A, B>
auto outer(A&& a, B&& b) {
    constexpr std::size_t ra = rank_of<A>, rb = rank_of<B>, R = std::max(ra, rb) + 1;
    int la[ra], lb[rb];
    for (std::size_t r = 0; r != ra; ++r) la[r] = static_cast<int>(R - 1 - ra + r);
    for (std::size_t r = 0; r != rb; ++r) lb[r] = static_cast<int>(R - 1 - rb + r);
    lb[rb - 1] = static_cast<int>(R - 1);
    return detail::contract<R, 0>(std::forward<A>(a), std::forward<B>(b), la, lb, "outer");
}
template <class B>
void outer(std::type_identity_t<refused_factors<B>>, B&&);  // takes nothing

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// named<"w">(W): the tensor or view W as a leaf with a name, by which derivatives are taken. Two
// matrices of float have one type; a name in the type tells them apart. A statement drops names
// before it is planned: y = sigmoid(matmul(w, x)) is what it is with W.
//
// let<"z">(e): the value of e under a name. It is not written anywhere; derivatives by it are added
// up before they go on into e, so that an expression that is used many times is differentiated
// once. stop(x): x, a constant for derivatives.
#pragma once
#include <felt/core/fixed_string.hpp>
#include <felt/expr/notation.hpp>

namespace felt::inline FELT_ABI {

template <class Name, class X>
struct FELT_LAZY named_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::leaf;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "leaf";
    static constexpr char const* label = Name::text;

    X x;

    FELT_FN felt::extents<rank> extents() const { return x.extents(); }
    FELT_FN tuple<> operands() const { return {}; }
    auto plain() const { return detail::plain(x); }
    // The same name for another leaf; not for one that is another at every step.
    template <class Y>
        requires(!detail::has_notation<X>)
    named_node<Name, Y> of(Y y) const {
        return {std::move(y)};
    }
    // Of what is packed.
    void rebuild() const
        requires requires(X const& packed) { packed.rebuild(); }
    {
        x.rebuild();
    }
};

template <class X>
concept named_operand_outlives_expression =
    array_operand<X> &&
    (std::is_lvalue_reference_v<X> || std::is_trivially_destructible_v<std::remove_cvref_t<X>>);

template <fixed_string Name, class X>
    requires named_operand_outlives_expression<X> && (!node<X> || has_no_operands<node_of<X>>)
auto named(X&& x) {
    auto n = as_node(std::forward<X>(x));
    return named_node<literal_name<Name>, decltype(n)>{std::move(n)};
}

template <class Name, class E>
struct FELT_LAZY let_node {
    using name_of_part = Name;
    using value_type = typename E::value_type;
    using space = typename E::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = E::rank;
    static constexpr char const* name = "let";
    static constexpr char const* label = Name::text;

    tuple<E> x;

    FELT_FN felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_FN tuple<E> const& operands() const { return x; }
    template <class Y>
    FELT_FN let_node<Name, Y> over(tuple<Y> y) const {
        return {std::move(y)};
    }
    auto plain() const { return detail::plain(x.head); }

    // As part of a program: what it is the value of, and how others read it.
    E const& expression() const { return x.head; }
    let_node const& value() const { return *this; }
};

template <fixed_string Name, array_operand E>
auto let(E&& e) {
    auto n = as_node(std::forward<E>(e));
    return let_node<literal_name<Name>, decltype(n)>{{std::move(n)}};
}

template <class X>
struct FELT_LAZY stop_node {
    using value_type = typename X::value_type;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = X::rank;
    static constexpr char const* name = "stop";

    tuple<X> x;

    FELT_FN felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN stop_node<Y> over(tuple<Y> y) const {
        return {std::move(y)};
    }
    auto plain() const { return detail::plain(x.head); }
};

template <operand X>
auto stop(X&& x) {
    auto n = as_node(std::forward<X>(x));
    return stop_node<decltype(n)>{{std::move(n)}};
}

}  // namespace felt::inline FELT_ABI

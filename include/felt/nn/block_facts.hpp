// SPDX-License-Identifier: BSD-3-Clause
//
// What a block's type says: which parameters it has, what it reads, what it is called.
#pragma once
#include <felt/nn/chain.hpp>

namespace felt::inline FELT_ABI::nn {

namespace detail {

// Names of parameters have a dot.
template <class Name>
consteval bool is_of_parameter() {
    for (char const* c = Name::text; *c != 0; ++c)
        if (*c == '.') return true;
    return false;
}
template <class Name, std::size_t R>
struct parameter_name {
    using name = Name;
    static constexpr std::size_t rank = R;
};
// Those in an expression, in their order.
template <class N>
struct parameters_in {
    template <class... X>
    static auto of(tuple<X...> const*) {
        return derive::join_all(typename parameters_in<X>::type{}...);
    }
    using type = decltype(of(static_cast<operands_of<N> const*>(nullptr)));
};
template <class Name, class X>
struct parameters_in<named_node<Name, X>> {
    using type =
        std::conditional_t<is_of_parameter<Name>(), tuple<parameter_name<Name, X::rank>>, tuple<>>;
};
template <class... I>
auto parameters_of(program_of<I...> const&) {
    return derive::join_all(typename parameters_in<derive::expression_of<I>>::type{}...);
}

// Of the layers that say what they are.
template <class L>
std::string text_of(L const& layer) {
    if constexpr (requires { layer.text(); }) return layer.text();
    else return "layer";
}
template <class A, class... L>
std::string texts_of(A const& first, L const&... layers) {
    return (text_of(first) + ... + (" | " + text_of(layers)));
}

template <class L>
inline constexpr bool has_no_parameters = requires { requires L::has_no_parameters; };

template <class... L>
inline constexpr std::size_t rank_read = 2;
template <class A, class... L>
inline constexpr std::size_t rank_read<A, L...> = [] {
    if constexpr (is_norm<A>) return 4;
    else if constexpr (requires { A::rank; }) return A::rank;
    else return rank_read<L...>;
}();
// Whether a block takes its input as rows, whatever it is, and gives as many elements.
template <class... L>
inline constexpr bool keeps_shape = !((is_norm<L> || requires { L::rank; }) || ...);
// What a block gives that makes e of `in`, without memory.
template <class... L, class E, class T, class Space>
boundary<T, Space> shape_of(E const& e, boundary<T, Space> const& in) {
    boundary<T, Space> y;
    if constexpr (keeps_shape<L...>) {
        y.rank = in.rank, y.e = in.e;
    } else if (in.rank == 3 && rank_of<E> == 2) {
        y.rank = 3, y.e = {{in.e[0], in.e[1], e.extents()[1], 0}};  // rows of a sequence
    } else {
        y.rank = rank_of<E>;
        for (std::size_t r = 0; r < y.rank; ++r) y.e[r] = e.extents()[r];
    }
    y.lie_whole();
    return y;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::nn

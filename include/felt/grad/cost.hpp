// SPDX-License-Identifier: BSD-3-Clause
//
// What a backward pass begins with: an expression of rank 0, or its derivative by some value.
#pragma once
#include <felt/expr/views/slice.hpp>
#include <felt/grad/forward.hpp>

namespace felt::inline FELT_ABI {

namespace derive {

// The cost, as what the backward pass begins with: the last link, and what is to be computed.
template <class J>
struct cost_expression {
    using value_type = typename J::value_type;
    using space = typename J::space;
    static constexpr bool is_computed = true;
    J j;

    auto link_to_it() const {
        using D = spread<scalar<value_type>, 0>;
        return link<J, J, D>{j, j, D{scalar<value_type>{value_type(1)}, {}}};
    }
    template <class Parts>
    auto with_lets(Parts parts) const {
        return lets_in(j, std::move(parts));
    }
    template <class V>
    auto statements(V const& cell) const {
        return felt::make_tuple(own_statement(slice(cell, 0), j));
    }
    template <class F, class Space>
    auto norms_after(F const& done, program_memory<Space>& memory) const {
        return add_norms(done, j, memory);
    }
    template <class Norms>
    auto with(Norms const& norms) const {
        auto n = with_known(j, norms);
        return cost_expression<decltype(n)>{std::move(n)};
    }
    // With what its rules keep beside it, and the statements of that.
    template <class Space>
    auto keeping(program_memory<Space>& memory) const {
        auto made = keep_beside_in(memory, j, tuple<>{});
        using N = std::remove_const_t<decltype(made.n)>;
        return knowing<cost_expression<N>, decltype(made.statements)>{{std::move(made.n)},
                                                                      std::move(made.statements)};
    }
    template <class Parts>
    void check(Parts const&) const {}
};
[[noreturn]] FELT_PLANNING inline void cotangent_fails(char const* label, shape_ref e,
                                                       shape_ref value) {
    throw shape_error("cotangent: " + e.text() + " is not of the extents " + value.text() +
                      " of \"" + label + "\"");
}
template <std::size_t R, std::size_t S>
void check_cotangent(char const* label, extents<R> const& d, extents<S> const& value) {
    bool fits = false;
    if constexpr (R == S) fits = d == value;
    if (!fits) apart<&cotangent_fails>::call(label, d, value);
}
// By a value that a loop keeps it is of all steps.
template <class Name, class N, class I>
void check_kept_by_loop(N const& d, I const& item) {
    if constexpr (is_kept<I> && std::is_same_v<Name, typename I::name_of_part>)
        check_cotangent(Name::text, d.extents(), item.series_memory().extents());
}
template <class Name, class N, class I>
void check_part(N const& d, I const& part) {
    if constexpr (is_scan<I>)
        apply([&](auto const&... i) { (check_kept_by_loop<Name>(d, i), ...); }, part.items);
    else if constexpr (std::is_same_v<Name, typename I::name_of_part>)
        check_cotangent(Name::text, d.extents(), part.value().extents());
}

// A cost of which only the derivative by the value of that name is known.
template <class Name, class N>
struct given_derivative {
    using value_type = typename N::value_type;
    using space = typename N::space;
    static constexpr bool is_computed = false;
    N d;

    // Throws shape_error if d has other extents than the value of that name.
    template <class Parts>
    void check(Parts const& parts) const {
        apply([&](auto const&... each) { (check_part<Name>(d, each), ...); }, parts);
    }
    auto link_to_it() const { return *this; }
    template <class Parts>
    auto with_lets(Parts parts) const {
        return parts;
    }
    auto statements(auto const&) const { return tuple<>{}; }
    template <class F, class Space>
    auto norms_after(F const& done, program_memory<Space>&) const {
        return done;
    }
    template <class Norms>
    auto with(Norms const&) const {
        return *this;
    }
    template <class Space>
    auto keeping(program_memory<Space>&) const {
        return knowing<std::remove_cvref_t<decltype(*this)>, tuple<>>{*this, {}};
    }
};
template <class W, class Name, class N>
auto from_link(given_derivative<Name, N> const& l) {
    if constexpr (std::is_same_v<W, Name>) return l.d;
    else return zero{};
}

// Of which the derivatives by several values are known.
template <class A, class B>
struct given_derivatives : A {
    B more;

    template <class Parts>
    void check(Parts const& parts) const {
        A::check(parts), more.check(parts);
    }
    auto link_to_it() const { return *this; }
    template <class Norms>
    auto with(Norms const&) const {
        return *this;
    }
    template <class Space>
    auto keeping(program_memory<Space>&) const {
        return knowing<std::remove_cvref_t<decltype(*this)>, tuple<>>{*this, {}};
    }
};
template <class W, class A, class B>
auto from_link(given_derivatives<A, B> const& l) {
    return plus(from_link<W>(static_cast<A const&>(l)), from_link<W>(l.more));
}

template <class J>
inline constexpr bool is_given = false;
template <class Name, class N>
inline constexpr bool is_given<given_derivative<Name, N>> = true;
template <class A, class B>
inline constexpr bool is_given<given_derivatives<A, B>> = true;

template <class A, class B>
    requires(is_given<A> && is_given<B>)
auto operator+(A const& a, B const& b) {
    return given_derivatives<A, B>{a, b};
}

// A cost of a program of parts I, with what is kept beside it, and the statements of that. Nothing
// is where something is done after a part: the derivative by that may be written next to it, before
// what it would read.
template <class... I, class Cost, class Space>
auto with_kept_beside(Cost const& cost, program_memory<Space>& memory) {
    if constexpr ((acts_after<I> || ...)) return knowing<Cost, tuple<>>{cost, {}};
    else return cost.keeping(memory);
}

template <class J>
auto as_cost(J&& j) {
    if constexpr (is_given<std::remove_cvref_t<J>>) {
        return j;
    } else {
        auto n = as_node(std::forward<J>(j));
        return cost_expression<decltype(n)>{std::move(n)};
    }
}

}  // namespace derive

// Instead of a cost: its derivative dy by the value that has the name. By several values it is
// cotangent<"y">(dy) + cotangent<"z">(dz).
template <fixed_string Name, array_operand D>
auto cotangent(D&& dy) {
    auto n = as_node(std::forward<D>(dy));
    return derive::given_derivative<literal_name<Name>, decltype(n)>{std::move(n)};
}
// An expression of rank 0, or cotangent<"y">(dy).
template <class J>
concept cost_or_cotangent = derive::is_given<std::remove_cvref_t<J>> || cost_is_one_number<J>;

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// What gradient() asks of a program, a cost and names: what grad() asks of one expression, of all
// that there are.
#pragma once
#include <felt/grad/cost.hpp>
#include <felt/grad/grad.hpp>

namespace felt::inline FELT_ABI::derive {

// Expressions as operands of one.
template <class... E>
struct expressions {
    using value_type = double;
    using space = Anywhere;
    static constexpr std::size_t rank = 0;

    felt::extents<0> extents() const { return {}; }
    tuple<E...> operands() const;
};
template <class Parts>
struct expressions_in;
template <class... E>
struct expressions_in<tuple<E...>> {
    using type = expressions<E...>;
};

// A cost is read; of one that is known by its derivatives, there are names.
template <class J>
struct cost_facts {
    using names = tuple<>;
    using read = tuple<node_of<J>>;
};
template <class Name, class N>
struct cost_facts<given_derivative<Name, N>> {
    using names = tuple<Name>;
    using read = tuple<>;
};
template <class A, class B>
struct cost_facts<given_derivatives<A, B>> {
    using names = decltype(join(std::declval<typename cost_facts<A>::names>(),
                                std::declval<typename cost_facts<B>::names>()));
    using read = tuple<>;
};

template <class P>
inline constexpr bool is_program = is_scan<P>;
template <class... I>
inline constexpr bool is_program<program_of<I...>> = true;

template <class I>
struct name_if_kept {
    using type = tuple<>;
};
template <class I>
    requires is_kept<I>
struct name_if_kept<I> {
    using type = tuple<typename I::name_of_part>;
};

template <class P, class J>
struct program_facts : program_facts<program_of<P>, J> {};  // a scan by itself
template <class... I, class J>
struct program_facts<program_of<I...>, J> {
    using cost = cost_facts<std::remove_cvref_t<J>>;
    using parts = names_of_parts<I...>;
    using kept = decltype(join_all(std::declval<typename name_if_kept<I>::type>()...));
    using read = typename expressions_in<decltype(join(std::declval<expressions_of_parts<I...>>(),
                                                       std::declval<typename cost::read>()))>::type;
};

template <class W, class Names>
inline constexpr bool is_one_of = false;
template <class W, class... V>
inline constexpr bool is_one_of<W, tuple<V...>> = (std::is_same_v<W, V> || ...);
// Whether names are parts, or occur in one or in the cost.
template <class Facts, class Names>
inline constexpr bool occur = true;
template <class Facts, class... W>
inline constexpr bool occur<Facts, tuple<W...>> =
    ((is_one_of<W, typename Facts::parts> || reaches<W, typename Facts::read>) && ...);
// Whether those of an option do; whether the values in whose place something is written are kept.
template <class Facts, class Option>
inline constexpr bool option_occurs = true;
template <class Facts, template <class...> class Option, class... W>
    requires is_option<Option<W...>>
inline constexpr bool option_occurs<Facts, Option<W...>> = occur<Facts, tuple<W...>>;
template <class Facts, class Option>
inline constexpr bool option_is_kept = true;
template <class Facts, class... W>
inline constexpr bool option_is_kept<Facts, names_in_place<W...>> =
    (is_one_of<W, typename Facts::kept> && ...);

// More is memory, or nothing, and then options.
template <class... More>
inline constexpr bool are_options = (is_option<std::remove_cvref_t<More>> && ...);
template <class... More>
inline constexpr bool may_follow = are_options<More...>;
template <class Space, class... More>
inline constexpr bool may_follow<workspace<Space>&, More...> = are_options<More...>;

template <class Derivatives>
inline constexpr bool are_derivatives = true;
template <class... G>
inline constexpr bool are_derivatives<tuple<G...>> = !(is_zero<G> || ...);

// The remedy for the first mistake in asking for derivatives, as far as it is known before these
// are made.
template <class P, class J, class Wrt, class... More>
struct request;
template <class P, class J, class... W, class... More>
struct request<P, J, wrt_names<W...>, More...> {
    static constexpr auto find_remedy() {
        if constexpr (!is_program<P>) return remedy::put_the_parts_into_a_program{};
        else if constexpr (!cost_or_cotangent<J>) return remedy::sum_the_cost_or_give_a_cotangent{};
        else if constexpr (sizeof...(W) == 0) return remedy::say_by_what_names{};
        else if constexpr (!may_follow<More...>) return remedy::give_memory_and_then_options{};
        else return find_among_names<program_facts<P, J>>();
    }

private:
    template <class Facts>
    static constexpr auto find_among_names() {
        using wanted = tuple<W...>;
        using given = typename Facts::cost::names;
        using read = typename Facts::read;
        // What goes on into the cost.
        using on = decltype(join(std::declval<wanted>(), std::declval<typename Facts::parts>()));
        if constexpr (!occur<Facts, wanted> || !occur<Facts, given>)
            return remedy::name_a_part_or_an_operand{};
        else if constexpr (!(option_occurs<Facts, std::remove_cvref_t<More>> && ...))
            return remedy::name_a_part_or_an_operand{};
        else if constexpr (!(option_is_kept<Facts, std::remove_cvref_t<More>> && ...))
            return remedy::keep_what_is_in_place{};
        else if constexpr (!is_of_numbers_by<wanted, read>)
            return remedy::name_a_tensor_of_float_or_double{};
        else if constexpr (!is_real_by<on, read>) return remedy::take_real_and_imag_apart{};
        else if constexpr (!has_rules<on, read>) return remedy::say_partial_or_stop{};
        else return remedy::none{};
    }
};

// The same in saying where derivatives go: to tensors or views for all of them, or nowhere.
template <class Derivatives, class... D>
struct destinations_of;
template <class... G, class... D>
struct destinations_of<tuple<G...>, D...> {
    static constexpr auto find_remedy() {
        if constexpr (sizeof...(D) == 0) return remedy::none{};
        else if constexpr (sizeof...(D) != sizeof...(G))
            return remedy::give_a_destination_for_each_name{};
        else if constexpr (!((destination_is_writable<D> && assignable_from<D&, G>) && ...))
            return remedy::write_to_tensors_that_fit{};
        else return remedy::none{};
    }
};
template <class Derived, class... D>
using remedy_of_destinations =
    decltype(destinations_of<
             std::remove_cvref_t<decltype(std::declval<Derived const&>().back.derivatives)>,
             D...>::find_remedy());

}  // namespace felt::inline FELT_ABI::derive

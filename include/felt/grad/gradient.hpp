// SPDX-License-Identifier: BSD-3-Clause
//
// gradient(p, J, wrt<"w", "b">()): the program p, the cost J and its derivatives, as statements:
//
//     auto h = keep<"h">(H, sigmoid(matmul(w, x) + expand_dims<1>(b)));
//     auto g = gradient(program(h), 0.5 * sum(square(h - y)), wrt<"w", "b">());
//     double j = g(fused, dw, db);   // forward, backward; the value of J
//
// Backward it reads what the program keeps. The derivative by a value that goes on into several
// others is written once, into memory of the program's own; one that goes on into one is a part of
// its expression. inlined<"z">() and written<"z">() say otherwise.
#pragma once
#include <felt/grad/backward.hpp>
#include <felt/grad/memory_use.hpp>
#include <felt/grad/requirements.hpp>
#include <ostream>

namespace felt::inline FELT_ABI {

namespace derive {

template <class Back, class I>
inline constexpr bool repeated_of = Back::template repeats_product_of<expression_of<I>>;
template <class Back, class States, class... I>
inline constexpr bool repeated_of<Back, scan_of<States, I...>> = (repeated_of<Back, I> || ...);
template <class Back, class... I>
constexpr bool repeated_by(tuple<I...> const*) {
    return (repeated_of<Back, I> || ...);
}

// The types of forward and backward, and of what is between them.
template <class Space, class Parts, class Forward, class Cost, class Back, bool CostIsComputed>
struct derived {
    using space = Space;
    static constexpr bool has_cost = CostIsComputed;
    // Then derivatives that are asked for are runs of their own: sums over all but channels would
    // be one pass with what has no use for strips of channels.
    static constexpr bool has_norms = has_known_norms(static_cast<Parts const*>(nullptr));
    static constexpr bool repeats_products = repeated_by<Back>(static_cast<Parts const*>(nullptr));
    static constexpr bool runs_in_parts = has_several_runs(
        static_cast<decltype(std::declval<Back const&>().statements) const*>(nullptr));

    Cost cost;  // statements
    Forward forward;
    Back back;
    std::vector<program_value> values;
    memory_order order;
};

// Whose own memory is `own`, which was restarted.
template <class Space, class... I, class Cost, class... Name, class... Option>
auto derive_in(workspace<Space>& own, program_of<I...> const& p, Cost const& cost_of,
               wrt_names<Name...>, Option...) {
    program_memory<Space> memory{own, {}, memory_order(sizeof...(I))};
    memory.values.reserve(2 * sizeof...(I));
    auto const cell = own.template take<typename Cost::value_type>(extents<1>{{1}});
    auto const forward = cost_of.norms_after(forward_of(p.items, memory), memory);
    auto const own_cost = with_kept_beside<I...>(cost_of.with(forward.norms), memory);
    auto const& j = own_cost.n;
    auto const parts = j.with_lets(parts_in(forward.items, tuple<>{}));
    j.check(parts);
    memory.order.begin_backward();
    using Parts = std::remove_const_t<decltype(parts)>;
    constexpr std::size_t count = count_of(static_cast<Parts const*>(nullptr));
    auto const back = backward<Space, wrt_names<Name...>, Option...>{memory}.template sweep<count>(
        parts, written_derivatives<tuple<>, tuple<>>{}, j.link_to_it());
    using Back = std::remove_const_t<decltype(back)>;
    auto const cost = j.statements(cell);
    auto const list = join(with_earlies(forward.statements, back.early), own_cost.statements);
    return derived<Space, Parts, std::remove_const_t<decltype(list)>,
                   std::remove_const_t<decltype(cost)>, Back, Cost::is_computed>{
        cost, list, back, std::move(memory.values), std::move(memory.order)};
}

template <class Derived>
lifetimes lifetimes_of(Derived const& d, std::size_t takes) {
    memory_use r(takes);
    r.forward(join(d.forward, d.cost));
    r.backward(d.back.statements);
    r.end(d.back.derivatives);
    return r.result();
}

template <class Space, class... More>
auto derive_program(workspace<Space>& own, More const&... more) {
    using made = decltype(derive_in(own, more...));
    if constexpr (!made::runs_in_parts) {
        own.restart();
        return derive_in(own, more...);
    } else {
        // A matter of the type, so it is found once.
        static lifetimes const lives = [&] {
            static lifetimes const unknown;
            workspace<Space> none;
            none.restart(&unknown);
            auto const d = derive_in(none, more...);
            return lifetimes_of(d, none.takes());
        }();
        own.restart(&lives);
        auto first = derive_in(own, more...);
        if (own.is_settled()) return first;
        own.restart(&lives);
        return derive_in(own, more...);
    }
}

}  // namespace derive

// Moves with its memory. Of lvalues it reads and writes what they have when it runs.
template <class Derived>
class gradient_program {
public:
    using space = typename Derived::space;
    using derivatives_type =
        std::remove_cvref_t<decltype(std::declval<Derived const&>().back.derivatives)>;
    static constexpr bool repeats_products = Derived::repeats_products;
    static constexpr bool reads_lost_values =
        decltype(std::declval<Derived const&>().back)::reads_lost;

    gradient_program(Derived d, workspace<space> own) : d_(std::move(d)), own_(std::move(own)) {}
    gradient_program(gradient_program&&) = default;
    gradient_program& operator=(gradient_program&&) = delete;

    // Writes the derivatives, in the order of their names; returns the value of J. Forward and
    // backward are one run(how, statements...), or one each for a `how` that says in_stages.
    template <class How, class... D>
        requires needs_no_remedy<derive::remedy_of_destinations<Derived, D...>>
    auto operator()(How how, D&&... to) {
        if constexpr (requires { How::in_stages; }) {
            run_forward(how);
            run_backward(how, to...);
        } else {
            derive::run_list(how, derive::join(forward(), backward(to...)));
        }
        if constexpr (Derived::has_cost) return cost();
    }
    template <class... D>
        requires(!needs_no_remedy<derive::remedy_of_destinations<Derived, D...>>)
    void operator()(refused_call<derive::remedy_of_destinations<Derived, D...>>, D&&... to);
    // The value of J that the last forward pass computed.
    auto cost() const
        requires(Derived::has_cost)
    {
        auto const& j = d_.cost.head;
        using T = std::remove_cvref_t<decltype(*j.data)>;
        return run_to_value(leaf<T, 0, space>{j.data, {}, {}});
    }
    // Either by itself. A backward pass without destinations writes what derivatives are made of,
    // derivatives() are these as expressions.
    template <class How>
    void run_forward(How how) const {
        derive::run_list(how, forward());
    }
    template <class How, class... D>
        requires needs_no_remedy<derive::remedy_of_destinations<Derived, D...>>
    void run_backward(How how, D&&... to) const {
        derive::run_list(how, backward(to...));
    }
    template <class... D>
        requires(!needs_no_remedy<derive::remedy_of_destinations<Derived, D...>>)
    void run_backward(refused_call<derive::remedy_of_destinations<Derived, D...>>, D&&...) const;
    auto const& derivatives() const { return d_.back.derivatives; }

    // What is kept and the cost; the derivatives with these destinations. Throws error if one of
    // these lies where something is that is read after it was written.
    auto forward() const { return derive::join(d_.forward, d_.cost); }
    template <class... D>
        requires needs_no_remedy<derive::remedy_of_destinations<Derived, D...>>
    auto backward(D&&... to) const {
        auto const first = derive::with_destinations(d_.back.statements, to...);
        if constexpr (sizeof...(D) == 0) {
            return first;
        } else {
            auto const at = std::index_sequence_for<D...>{};
            auto const all = derive::join(first, last_derivatives(at, to...));
            check_destinations(at, to...);  // which may have taken their memory now
            return all;
        }
    }
    // All statements in the order in which they are run.
    template <class... D>
    auto statements(D&&... to) const {
        return derive::statements_in(derive::join(forward(), backward(to...)));
    }
    template <class F, class... D>
    decltype(auto) with_statements(F&& f, D&&... to) const {
        auto const all = statements(to...);
        return apply(f, all);
    }
    // What lies in memory between the passes and within them.
    std::vector<program_value> const& values() const { return d_.values; }

    // Tensors of the extents of the derivatives.
    auto destinations() const {
        return apply(
            [](auto const&... e) {
                return felt::make_tuple(
                    tensor_for<std::remove_cvref_t<decltype(e)>>(e.extents())...);
            },
            d_.back.derivatives);
    }

private:
    template <std::size_t... I, class... D>
    auto last_derivatives(std::index_sequence<I...>, D&... to) const {
        return derive::join_all(last_derivative<I>(to)...);
    }
    template <std::size_t I, class D>
    auto last_derivative(D& to) const {
        auto const& d = get<I>(d_.back.derivatives);
        auto const s = [&] { return assign(to, d); };
        using same = derive::copy_if_apart<decltype(s())>;
        if constexpr (decltype(d_.back)::template writes_early<I>) return tuple<>{};
        else if constexpr (derive::is_copy<decltype(s())>) return felt::make_tuple(same{s()});
        else if constexpr (Derived::has_norms) return felt::make_tuple(s(), derive::run_boundary{});
        else return felt::make_tuple(s());
    }

    // Once for destinations that are where they were.
    template <std::size_t... I, class... D>
    void check_destinations(std::index_sequence<I...>, D const&... to) const {
        std::uint64_t const places = derive::hash_of_places(to...);
        if (places == checked_) return;
        detail::strided_memory const at[] = {derive::bytes_at(to)...};
        bool const is_written[] = {!lies_at<I>(to)...};
        d_.order.check_destinations(at, is_written, sizeof...(D));
        checked_ = places;
    }
    template <std::size_t I, class D>
    bool lies_at(D const& to) const {
        auto const& d = get<I>(d_.back.derivatives);
        if constexpr (!derive::is_leaf<std::remove_cvref_t<decltype(d)>>) return false;
        else return derive::bytes_of(d) == derive::bytes_at(to);
    }

    template <class E>
    using tensor_for = Tensor<value_of<E>, rank_of<E>, space>;

    Derived d_;
    workspace<space> own_;
    mutable std::uint64_t checked_ = 0;  // places of destinations
};

namespace derive {

template <class... I, class J, class... Name, class... Option>
auto make_gradient(program_of<I...> const& p, J&& cost, wrt_names<Name...> by, Option... options) {
    auto const j = as_cost(std::forward<J>(cost));
    workspace<join_space_t<typename decltype(j)::space, Host>> own;
    auto d = derive_program(own, p, j, by, options...);
    return gradient_program<decltype(d)>(std::move(d), std::move(own));
}
// In memory that programs made before it have left.
template <class... I, class J, class... Name, class Space, class... Option>
auto make_gradient(program_of<I...> const& p, J&& cost, wrt_names<Name...> by,
                   workspace<Space>& memory, Option... options) {
    auto const j = as_cost(std::forward<J>(cost));
    auto d = derive_program(memory, p, j, by, options...);
    return gradient_program<decltype(d)>(std::move(d), {});
}
template <class States, class... I, class J, class Wrt, class... More>
auto make_gradient(scan_of<States, I...> const& layer, J&& cost, Wrt by, More&&... more) {
    return make_gradient(program(layer), std::forward<J>(cost), by, std::forward<More>(more)...);
}
template <class P, class J, class Wrt, class... More>
constexpr auto find_remedy_of_gradient() {
    using asked = decltype(request<P, J, Wrt, More...>::find_remedy());
    if constexpr (!needs_no_remedy<asked>) {
        return asked{};
    } else {
        using G = decltype(make_gradient(std::declval<P const&>(), std::declval<J>(), Wrt{},
                                         std::declval<More>()...));
        if constexpr (!are_derivatives<typename G::derivatives_type>)
            return remedy::leave_out_what_depends_by_steps{};
        else if constexpr (G::reads_lost_values) return remedy::read_it_before_its_derivative{};
        else return remedy::none{};
    }
}
template <class P, class J, class Wrt, class... More>
using remedy_of_gradient = decltype(find_remedy_of_gradient<P, J, Wrt, More...>());

}  // namespace derive

// Of a program, or a scan by itself; more: a workspace, options. Throws shape_error for an operand
// that is stretched although its type does not say so.
template <class P, class J, class... Name, class... More>
    requires needs_no_remedy<derive::remedy_of_gradient<P, J, wrt_names<Name...>, More...>>
auto gradient(P const& p, J&& cost, wrt_names<Name...> by, More&&... more) {
    return derive::make_gradient(p, std::forward<J>(cost), by, std::forward<More>(more)...);
}
template <class P, class J, class... Name, class... More,
          class Remedy = derive::remedy_of_gradient<P, J, wrt_names<Name...>, More...>>
    requires(!needs_no_remedy<Remedy>)
void gradient(P const& p, J&& cost, wrt_names<Name...> by, More&&... more) = delete;

// Whether the backward pass computes a product of the forward pass again: keep() its value.
template <class G>
inline constexpr bool recomputes_products = std::remove_cvref_t<G>::repeats_products;

}  // namespace felt::inline FELT_ABI

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
#include <felt/expr/views/slice.hpp>
#include <felt/grad/backward.hpp>
#include <ostream>

namespace felt {

namespace derive {

template <class Back, class... I>
constexpr bool repeated_by(tuple<I...> const*, Back const*) {
    return (Back::template repeat_product_of<
                std::remove_cvref_t<decltype(std::declval<I const&>().expression())>> ||
            ...);
}

template <class E>
using tensor_for = Tensor<value_of<E>, rank_of<E>, join_space_t<space_of<E>, Host>>;

}  // namespace derive

// Forward are the statements of the program, Cost that of J, Backward what is written of
// derivatives; Derivatives are the expressions of those that the user asked for.
template <bool Repeats, class Forward, class Cost, class Cell, class Back>
class gradient_program {
public:
    static constexpr bool repeats_products = Repeats;

    gradient_program(Forward forward, Cost cost, Cell cell, Back back)
        : forward_(std::move(forward)),
          cost_(std::move(cost)),
          cell_(std::move(cell)),
          back_(std::move(back)) {}
    gradient_program(gradient_program&&) = default;
    gradient_program& operator=(gradient_program&&) = delete;

    // Writes the derivatives, in the order of their names; returns the value of J.
    template <class How, class... D>
    auto operator()(How how, D&&... to) {
        with_statements([&](auto const&... s) { run(how, s...); }, to...);
        return run_to_value(as_node(slice(cell_, 0)));
    }

    // The statements with these destinations, in the order in which they are run.
    template <class... D>
    auto statements(D&&... to) const {
        auto const asked =
            apply([&](auto const&... e) { return felt::make_tuple(assign(to, e)...); },
                  back_.derivatives);
        auto const forward = derive::join(forward_, felt::make_tuple(cost_));
        return derive::join(derive::join(forward, back_.done.statements), asked);
    }
    template <class F, class... D>
    decltype(auto) with_statements(F&& f, D&&... to) const {
        auto const all = statements(to...);
        return apply(f, all);
    }
    // Tensors of the extents of the derivatives.
    auto destinations() const {
        return apply(
            [](auto const&... e) {
                return felt::make_tuple(
                    derive::tensor_for<std::remove_cvref_t<decltype(e)>>(e.extents())...);
            },
            back_.derivatives);
    }

private:
    Forward forward_;
    Cost cost_;
    Cell cell_;
    Back back_;
};

// Throws shape_error for an operand that is stretched although its type does not say so.
template <class... I, class J, fixed_string... Name, class... Option>
    requires cost_is_one_number<J>
auto gradient(program_of<I...> const& p, J&& cost, wrt_names<Name...>, Option...) {
    using T = value_of<J>;
    using Space = join_space_t<space_of<J>, Host>;
    auto const j = as_node(std::forward<J>(cost));
    using N = std::remove_cvref_t<decltype(j)>;
    auto const parts = derive::lets_in(j, derive::parts_in(p.items, tuple<>{}));
    constexpr std::size_t count = derive::count_of(static_cast<decltype(&parts)>(nullptr));
    using sweep = derive::backward<wrt_names<Name...>, Option...>;
    using D = derive::spread<scalar<T>, 0>;
    typename sweep::template state<tuple<>, tuple<>> nothing{};
    auto back = sweep::template sweep<count>(parts, nothing,
                                             derive::link<N, N, D>{j, j, D{scalar<T>{T(1)}, {}}});
    auto const forward = derive::forward_of(p.items);
    Tensor<T, 1, Space> cell({1});
    auto const to = slice(view(cell), 0);
    auto s = detail::make_statement(to, j, false);
    s.owner = 0;  // the cell moves with the program
    constexpr bool repeats = derive::repeated_by(static_cast<decltype(&parts)>(nullptr),
                                                 static_cast<decltype(&back)>(nullptr));
    return gradient_program<repeats, std::remove_cvref_t<decltype(forward)>, decltype(s),
                            Tensor<T, 1, Space>, decltype(back)>(forward, s, std::move(cell),
                                                                 std::move(back));
}

// Whether the backward pass computes a product of the forward pass again: keep() its value.
template <class G>
inline constexpr bool recomputes_products = std::remove_cvref_t<G>::repeats_products;

// The plan of forward and backward as one group, beside the statements that it was made of: it
// reads their expressions.
template <class G>
class program_plan {
    using destinations = decltype(std::declval<G const&>().destinations());
    static auto statements_of(G const& g, destinations& to) {
        return apply([&](auto&... each) { return g.statements(each...); }, to);
    }
    using statements =
        decltype(statements_of(std::declval<G const&>(), std::declval<destinations&>()));
    static auto plan_of(statements const& all) {
        return apply([](auto const&... s) { return explain(s...); }, all);
    }

public:
    explicit program_plan(G const& g)
        : to_(g.destinations()), statements_(statements_of(g, to_)), plan_(plan_of(statements_)) {}
    program_plan(program_plan const&) = delete;
    program_plan& operator=(program_plan const&) = delete;

    auto const& plan() const { return plan_; }
    friend std::ostream& operator<<(std::ostream& out, program_plan const& p) {
        return out << p.plan_;
    }

private:
    destinations to_;
    statements statements_;
    decltype(plan_of(std::declval<statements const&>())) plan_;
};

template <bool Repeats, class Forward, class Cost, class Cell, class Back>
[[nodiscard]] auto explain(gradient_program<Repeats, Forward, Cost, Cell, Back> const& g) {
    return program_plan<gradient_program<Repeats, Forward, Cost, Cell, Back>>(g);
}

}  // namespace felt

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
    return (Back::template repeats_product_of<
                std::remove_cvref_t<decltype(std::declval<I const&>().expression())>> ||
            ...);
}

// The types of forward and backward, and of what is between them.
template <class Space, class Parts, class Forward, class Cost, class Back>
struct derived {
    using space = Space;
    static constexpr bool repeats_products =
        repeated_by(static_cast<Parts const*>(nullptr), static_cast<Back const*>(nullptr));

    View<typename Cost::value_type, 1, Space> cell;  // of the cost
    Forward forward;                                 // statements
    Cost cost;
    Back back;
    std::vector<program_value> values;
};

// What is read later must not be written again until then.
FELT_PLANNING inline void check_values(std::vector<program_value> const& all) {
    for (program_value const& a : all) {
        for (program_value const& b : all) {
            auto const from = reinterpret_cast<std::uintptr_t>(a.data);
            auto const other = reinterpret_cast<std::uintptr_t>(b.data);
            bool const first = &a < &b && a.role == program_value::kept;
            if (first && a.bytes > 0 && b.bytes > 0 && from == other) {
                throw error(std::string("gradient: \"") + a.label + "\" is overwritten by \"" +
                            b.label + "\" before the backward pass reads it: keep them apart");
            }
        }
    }
}

template <class Space, class... I, class J, class... Name, class... Option>
auto derive_program(workspace<Space>& own, program_of<I...> const& p, J const& j,
                    wrt_names<Name...>, Option...) {
    using T = value_of<J>;
    using D = spread<scalar<T>, 0>;
    own.restart();
    program_memory<Space> memory{own, {}};
    memory.values.reserve(2 * sizeof...(I));
    auto const cell = own.template take<T>(extents<1>{{1}});
    auto const forward = forward_of(p.items, memory);
    auto const parts = lets_in(j, parts_in(forward.items, tuple<>{}));
    using Parts = std::remove_const_t<decltype(parts)>;
    constexpr std::size_t count = count_of(static_cast<Parts const*>(nullptr));
    auto const back = backward<Space, wrt_names<Name...>, Option...>{memory}.template sweep<count>(
        parts, written_derivatives<tuple<>, tuple<>>{},
        link<J, J, D>{j, j, D{scalar<T>{T(1)}, {}}});
    check_values(memory.values);
    auto const cost = own_statement(slice(cell, 0), j);
    auto const list = with_earlies(forward.statements, back.early);
    return derived<Space, Parts, std::remove_const_t<decltype(list)>,
                   std::remove_const_t<decltype(cost)>, std::remove_const_t<decltype(back)>>{
        cell, list, cost, back, std::move(memory.values)};
}

}  // namespace derive

// Moves with its memory. Of lvalues it reads and writes what they have when it runs.
template <class Derived>
class gradient_program {
public:
    using space = typename Derived::space;
    static constexpr bool repeats_products = Derived::repeats_products;

    gradient_program(Derived d, workspace<space> own) : d_(std::move(d)), own_(std::move(own)) {}
    gradient_program(gradient_program&&) = default;
    gradient_program& operator=(gradient_program&&) = delete;

    // Writes the derivatives, in the order of their names; returns the value of J. Forward and
    // backward are one run(how, statements...), or one each for a `how` that says in_stages.
    template <class How, class... D>
    auto operator()(How how, D&&... to) {
        if constexpr (requires { How::in_stages; }) {
            derive::run_list(how, tuple<>{}, forward());
            derive::run_list(how, tuple<>{}, backward(to...));
        } else {
            derive::run_list(how, tuple<>{}, derive::join(forward(), backward(to...)));
        }
        return run_to_value(as_node(slice(d_.cell, 0)));
    }

    // What is kept and the cost; the derivatives with these destinations.
    auto forward() const { return derive::join(d_.forward, felt::make_tuple(d_.cost)); }
    template <class... D>
    auto backward(D&&... to) const {
        auto const asked = [&](auto const&... e) { return felt::make_tuple(assign(to, e)...); };
        return derive::join(d_.back.statements, apply(asked, d_.back.derivatives));
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
    template <class E>
    using tensor_for = Tensor<value_of<E>, rank_of<E>, space>;

    Derived d_;
    workspace<space> own_;
};

// Throws shape_error for an operand that is stretched although its type does not say so.
template <class... I, class J, class... Name, class... Option>
    requires cost_is_one_number<J>
auto gradient(program_of<I...> const& p, J&& cost, wrt_names<Name...> by, Option... options) {
    workspace<join_space_t<space_of<J>, Host>> own;
    auto d = derive::derive_program(own, p, as_node(std::forward<J>(cost)), by, options...);
    return gradient_program<decltype(d)>(std::move(d), std::move(own));
}
// The same in memory that programs made before it have left.
template <class... I, class J, class... Name, class Space, class... Option>
    requires cost_is_one_number<J>
auto gradient(program_of<I...> const& p, J&& cost, wrt_names<Name...> by, workspace<Space>& memory,
              Option... options) {
    auto d = derive::derive_program(memory, p, as_node(std::forward<J>(cost)), by, options...);
    return gradient_program<decltype(d)>(std::move(d), {});
}

// Whether the backward pass computes a product of the forward pass again: keep() its value.
template <class G>
inline constexpr bool recomputes_products = std::remove_cvref_t<G>::repeats_products;

}  // namespace felt

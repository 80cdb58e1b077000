// SPDX-License-Identifier: BSD-3-Clause
//
// explain(g) of a derived program: what it has in memory, the plan of forward and backward as one
// group, and what each of the two takes.
#pragma once
#include <felt/core/amounts.hpp>
#include <felt/grad/gradient.hpp>
#include <ostream>

namespace felt {

// Floating-point operations, and bytes of memory that are read or written.
struct pass_costs {
    index_t flops = 0, bytes = 0;
};

namespace derive {

FELT_PLANNING inline void print_value(std::ostream& out, program_value const& v) {
    constexpr char const* what[] = {"kept", "kept beside", "derivative by"};
    out << "  " << what[v.role] << " \"" << v.label << "\" " << to_string(v.extent, v.rank) << ", "
        << detail::bytes_text(v.bytes) << "\n";
}
FELT_PLANNING inline void print_values(std::ostream& out, std::vector<program_value> const& all,
                                       bool repeats_products) {
    out << "in memory:\n";
    for (program_value const& v : all) print_value(out, v);
    out << "the backward pass computes " << (repeats_products ? "products" : "no product")
        << " of the forward pass again\n";
}
FELT_PLANNING inline void print_costs(std::ostream& out, char const* name, pass_costs const& c) {
    out << name << ": " << detail::amount(static_cast<double>(c.flops), "flop", 1000) << ", "
        << detail::bytes_text(c.bytes) << "\n";
}

}  // namespace derive

// It has the statements that the plan was made of: the plan reads their expressions.
template <class G>
class program_plan {
    using destinations = decltype(std::declval<G const&>().destinations());
    static auto statements_of(G const& g, destinations& to) {
        return apply([&](auto&... each) { return g.statements(each...); }, to);
    }
    using statements =
        decltype(statements_of(std::declval<G const&>(), std::declval<destinations&>()));
    template <class S>
    static auto plan_of(S const& all) {
        return apply([](auto const&... s) { return explain(s...); }, all);
    }
    template <class S>
    static pass_costs costs_of(S const& all) {
        auto const p = plan_of(all);
        return {p.flops(), p.bytes()};
    }

public:
    explicit program_plan(G const& g)
        : to_(g.destinations()),
          statements_(statements_of(g, to_)),
          plan_(plan_of(statements_)),
          values_(g.values()),
          forward_(costs_of(derive::statements_in(g.forward()))),
          backward_(costs_of(
              apply([&](auto&... d) { return derive::statements_in(g.backward(d...)); }, to_))) {}
    program_plan(program_plan const&) = delete;
    program_plan& operator=(program_plan const&) = delete;

    auto const& plan() const { return plan_; }
    // Each by itself.
    pass_costs forward() const { return forward_; }
    pass_costs backward() const { return backward_; }

    friend std::ostream& operator<<(std::ostream& out, program_plan const& p) {
        derive::print_values(out, p.values_, G::repeats_products);
        out << p.plan_;
        derive::print_costs(out, "forward", p.forward_);
        derive::print_costs(out, "backward", p.backward_);
        return out;
    }

private:
    destinations to_;
    statements statements_;
    decltype(plan_of(std::declval<statements const&>())) plan_;
    std::vector<program_value> values_;
    pass_costs forward_, backward_;
};

template <class Derived>
[[nodiscard]] auto explain(gradient_program<Derived> const& g) {
    return program_plan<gradient_program<Derived>>(g);
}

}  // namespace felt

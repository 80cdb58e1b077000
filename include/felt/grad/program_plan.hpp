// SPDX-License-Identifier: BSD-3-Clause
//
// explain(g) of a derived program: what it has in memory, the plan of each run of forward and
// backward, and what each of the two takes.
#pragma once
#include <algorithm>
#include <felt/core/amounts.hpp>
#include <felt/grad/gradient.hpp>
#include <ostream>
#include <sstream>
#include <string>

namespace felt::inline FELT_ABI {

// Floating-point operations, and bytes of memory that are read or written.
struct pass_costs {
    index_t flops = 0, bytes = 0;
};

namespace derive {

FELT_PLANNING inline void print_value(std::ostream& out, program_value const& v) {
    constexpr char const* what[] = {"kept", "kept beside", "derivative by"};
    out << "  " << what[v.role] << " \"" << v.label << "\" " << to_string(v.extent, v.rank) << ", "
        << detail::bytes_text(v.bytes);
}
// The first value before v that has the same memory, or v.
FELT_PLANNING inline program_value const& first_there(std::vector<program_value> const& all,
                                                      program_value const& v) {
    auto const same = [&](program_value const& o) { return o.data == v.data && v.bytes > 0; };
    auto const it = std::find_if(all.begin(), all.end(), same);
    return it == all.end() ? v : *it;
}
FELT_PLANNING inline void print_values(std::ostream& out, std::vector<program_value> const& all,
                                       bool repeats_products) {
    out << "in memory:\n";
    for (program_value const& v : all) {
        print_value(out, v);
        program_value const& first = first_there(all, v);
        if (&first != &v) out << ", in the memory of \"" << first.label << "\"";
        out << "\n";
    }
    out << "the backward pass computes " << (repeats_products ? "products" : "no product")
        << " of the forward pass again\n";
}
FELT_PLANNING inline void print_costs(std::ostream& out, char const* name, pass_costs const& c) {
    out << name << ": " << detail::amount(static_cast<double>(c.flops), "flop", 1000) << ", "
        << detail::bytes_text(c.bytes) << "\n";
}

// f(statements, times) of what is one run in the list: what stands between two items that run by
// themselves, and the statements of a loop.
template <class F, class... S>
void each_run(tuple<S...> const& before, tuple<> const&, F const& f) {
    if constexpr (sizeof...(S) > 0) f(before, index_t{1});
}
template <class F, class... S, class I, class... J>
void each_run(tuple<S...> const& before, tuple<I, J...> const& list, F const& f) {
    auto const on = [&](auto const& so_far) {
        if constexpr (sizeof...(J) == 0) each_run(so_far, tuple<>{}, f);
        else each_run(so_far, list.tail, f);
    };
    if constexpr (!runs_by_itself<I>) {
        on(join(before, felt::make_tuple(list.head)));
    } else {
        each_run(before, tuple<>{}, f);
        if constexpr (has_statements<I>) f(list.head.statements(), list.head.times());
        on(tuple<>{});
    }
}
// f(plan, times) of each run.
template <class L, class F>
void each_plan(L const& list, F const& f) {
    each_run(tuple<>{}, list, [&](auto const& s, index_t times) {
        apply([&](auto const&... each) { f(explain(each...), times); }, s);
    });
}
template <class L>
pass_costs costs_of(L const& list) {
    pass_costs all;
    each_plan(list, [&](auto const& p, index_t times) {
        all.flops += p.flops() * times, all.bytes += p.bytes() * times;
    });
    return all;
}

}  // namespace derive

class program_plan {
public:
    template <class G>
    explicit program_plan(G const& g)
        : values_(g.values()), repeats_products_(G::repeats_products) {
        auto to = g.destinations();
        apply([&](auto&... d) { explain_all(g.forward(), g.backward(d...)); }, to);
    }

    // All of it, and each pass by itself.
    pass_costs total() const { return total_; }
    pass_costs forward() const { return forward_; }
    pass_costs backward() const { return backward_; }
    // Runs: of statements that are planned together.
    int runs() const { return runs_; }

    friend std::ostream& operator<<(std::ostream& out, program_plan const& p) {
        derive::print_values(out, p.values_, p.repeats_products_);
        out << p.text_;
        derive::print_costs(out, "forward", p.forward_);
        derive::print_costs(out, "backward", p.backward_);
        return out;
    }

private:
    template <class F, class B>
    void explain_all(F const& forward, B const& backward) {
        std::ostringstream out;
        auto const all = derive::join(forward, backward);
        derive::each_plan(all, [&](auto const& p, index_t) { (void)p, ++runs_; });
        int number = 0;
        derive::each_plan(all, [&](auto const& p, index_t times) {
            if (runs_ > 1) out << "run " << ++number << " of " << runs_;
            if (times > 1) out << ", " << times << " times";
            if (runs_ > 1) out << ":\n";
            out << p;
            total_.flops += p.flops() * times, total_.bytes += p.bytes() * times;
        });
        text_ = out.str();
        forward_ = derive::costs_of(forward);
        backward_ = derive::costs_of(backward);
    }

    std::vector<program_value> values_;
    bool repeats_products_;
    std::string text_;
    int runs_ = 0;
    pass_costs total_, forward_, backward_;
};

template <class Derived>
[[nodiscard]] auto explain(gradient_program<Derived> const& g) {
    return program_plan(g);
}

}  // namespace felt::inline FELT_ABI

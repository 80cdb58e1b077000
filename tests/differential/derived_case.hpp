// SPDX-License-Identifier: BSD-3-Clause
//
// A case of a program of rows by its seed.
#pragma once
#include "tests/differential/derived.hpp"

namespace test {

// What gradient() is told of the derivatives by all parts of a program.
enum class told { nothing, written, inlined };

// What a type of program is made of.
template <class Rows, goal Goal, told Told>
struct derived_type {
    static std::string title() {
        char const* const cost[] = {"sum(y)", "sum(y * weights)", "mean(square(y))",
                                    "sum(y * weights) + mean(square(the innermost x))"};
        return cost[std::size_t(Goal)] + (" of y = " + Rows::title());
    }
    static auto of(leaves& all) {
        auto const s = Rows::of(all);
        return std::pair{s.parts, cost_of<Goal>(all, s)};
    }
    static std::string run(std::uint64_t seed) {
        leaves all(seed);
        if (!has_a_cost(seed)) return "";
        auto const c = of(all);
        auto const names = names_of(c.second.node, c.first);
        if (texts(names).size() != all.count()) return "it does not reach all of its leaves";
        auto const [fused, unfused] = by_both(all.memory(), program_of(c.first, c.second, names));
        std::string const size = felt::to_string(felt::extents<2>{{all.rows(), all.columns()}});
        std::string const wrong = compared(seed, all, texts(names), fused, unfused);
        return wrong.empty() ? wrong : size + " " + wrong;
    }

private:
    // Of what is empty there may be none: rows refuse it, and its mean is not a number.
    static bool has_a_cost(std::uint64_t seed) {
        leaves all(seed);
        try {
            auto const s = Rows::of(all);
            (void)s.x.node.extents();  // a composition is refused here
            bool const of_nothing = s.x.value.v.empty() || s.innermost.value.v.empty();
            bool const may_lack_it = of_nothing || all.has_empty_axis();
            return !may_lack_it || std::isfinite(cost_of<Goal>(all, s).value.v[0]);
        } catch (std::exception const&) {
            if (!all.has_empty_axis()) throw;
            return false;
        }
    }
    // The cost by plain loops.
    static plain::array cost(std::uint64_t seed, move const& way) {
        leaves all(seed, way);
        return of(all).second.value;
    }
    template <class... Part, class J, class Names>
    static auto program_of(std::tuple<Part...> const& parts, term<J> const& cost, Names names) {
        auto const derive = [&](auto... option) {
            auto const of_parts = [&](auto const&... p) {
                return gradient(felt::program(p...), cost.node, names, option...);
            };
            return std::apply(of_parts, parts);
        };
        using written = felt::written_names<typename Part::name_of_part...>;
        using inlined = felt::inlined_names<typename Part::name_of_part...>;
        if constexpr (sizeof...(Part) == 0 || Told == told::nothing) return derive();
        else if constexpr (Told == told::written) return derive(written{});
        else return derive(inlined{});
    }
    template <class Program>
    static std::pair<results, results> by_both(pool& p, Program program) {
        return apply(
            [&](auto const&... d) {
                auto const run_to = [&](auto const&... to) {
                    p.remember();
                    results fused = results_of(felt::fused, p, program, to...);
                    return std::pair{fused, results_of(felt::unfused, p, program, to...)};
                };
                return run_to(room_for(p, d)...);
            },
            program.derivatives());
    }
    static std::string compared(std::uint64_t seed, leaves const& all,
                                std::vector<std::string> const& names, results const& fused,
                                results const& unfused) {
        cost_at const moved = [&](move const& way) { return cost(seed, way); };
        plain::array const expected = cost(seed, {});
        for (double j : {fused.cost, unfused.cost}) {
            std::string const wrong = difference(number(j), expected, epsilon<double>);
            if (!wrong.empty()) return "the cost: " + wrong;
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            std::string wrong = beside_unfused(names[i], fused.by[i], unfused.by[i]);
            if (wrong.empty()) {
                wrong = beside_slope(moved, names[i], unfused.by[i], all.direction(names[i]));
            }
            if (!wrong.empty()) return wrong;
        }
        return "";
    }
};

}  // namespace test

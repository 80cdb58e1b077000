// SPDX-License-Identifier: BSD-3-Clause
//
// Programs made of rows: a row around others, what is between them by keep or by let, and a cost.
#pragma once
#include "tests/differential/named.hpp"

namespace test {

// How a value inside of others is named: not at all, in memory, in memory where something else
// doubles it, or computed where it is read.
enum class cut { none, kept, doubled, let };
inline constexpr std::size_t cuts = 4;

// Done to a value between two runs of a program, and to the derivative by it.
struct times_two {
    void operator()(auto, auto& x) const { x *= 2.0; }
};

// sum(e), whose derivative is the same everywhere; sum(e * weights); mean(square(e)); and the
// second plus mean(square(the innermost value)), which then has two readers.
enum class goal { total, weighted, squares, innermost_too };
inline constexpr std::size_t goals = 4;

// x, the innermost value as it is read, and the parts of the program that come before.
template <class X, class In, class... Part>
struct stage {
    term<X> x;
    term<In> innermost;
    std::tuple<Part...> parts;
};
template <class X, class In, class... Part>
stage(term<X>, term<In>, std::tuple<Part...>) -> stage<X, In, Part...>;

template <class Row>
struct innermost {
    static constexpr int level = 0;
    static std::string title() { return Row::name; }
    static auto of(leaves& all) {
        operands_at<level> o{all};
        auto const x = Row::of(o);
        return stage{x, x, std::tuple<>{}};
    }
};

template <class Row, cut Cut, class Inside>
struct around {
    static constexpr int level = Inside::level + 1;
    static constexpr felt::fixed_string<3> name = name_of('h', level);

    static std::string title() {
        char const* const how[] = {"", "keep, ", "keep and double, ", "let, "};
        return std::string(Row::name) + " of x = " + how[std::size_t(Cut)] + Inside::title();
    }
    static auto of(leaves& all) {
        auto const in = Inside::of(all);
        if constexpr (Cut == cut::none) {
            return with(all, in.x, in, in.parts);
        } else {
            auto const part = named_part(all, in.x);
            auto const value = plain::multiply(in.x.value, number(Cut == cut::doubled ? 2 : 1));
            return with(all, term{part.value(), value}, in,
                        std::tuple_cat(in.parts, std::tuple{part}));
        }
    }

private:
    template <class X, class In, class... Part>
    static auto with(leaves& all, term<X> const& x, In const& in,
                     std::tuple<Part...> const& parts) {
        operands_at<level> o{all};
        if constexpr (Inside::level == 0) return stage{Row::of(o, x), x, parts};
        else return stage{Row::of(o, x), in.innermost, parts};
    }
    template <class X>
    static auto named_part(leaves& all, term<X> const& x) {
        if constexpr (Cut == cut::let) {
            return felt::let<name>(x.node);
        } else {
            auto const to = all.memory().template apart<double, X::rank>(x.value.e);
            all.memory().mark(to, x.value.e);
            if constexpr (Cut == cut::kept) return felt::keep<name>(to, x.node);
            else return felt::keep<name>(to, x.node, times_two{});
        }
    }
};

inline constexpr unsigned all_axes = ~0U;

template <class X>
auto mean_of_squares(term<X> const& x) {
    auto const squares = plain::multiply(x.value, x.value);
    auto const value = plain::multiply(plain::sum(squares, all_axes),
                                       number(1 / static_cast<double>(squares.v.size())));
    if constexpr (X::rank == 0) return term{square(x.node), value};
    else return term{felt::mean(square(x.node)), value};
}
template <class X>
auto plain_sum(term<X> const& x) {
    auto const value = plain::sum(x.value, all_axes);
    if constexpr (X::rank == 0) return term{x.node, value};
    else return term{felt::sum(x.node), value};
}
template <class X>
auto weighted_sum(leaves& all, term<X> const& x) {
    auto const w = all.constant<X::rank>(x.value.e);
    auto const value = plain::sum(plain::multiply(x.value, w.value), all_axes);
    if constexpr (X::rank == 0) return term{x.node * w.node, value};
    else return term{felt::sum(x.node * w.node), value};
}

// The cost of a program, of rank 0.
template <goal Goal, class... S>
auto cost_of(leaves& all, stage<S...> const& s) {
    if constexpr (Goal == goal::total) {
        return plain_sum(s.x);
    } else if constexpr (Goal == goal::squares) {
        return mean_of_squares(s.x);
    } else if constexpr (Goal == goal::weighted) {
        return weighted_sum(all, s.x);
    } else {
        auto const a = weighted_sum(all, s.x), b = mean_of_squares(s.innermost);
        return term{a.node + b.node, plain::add(a.value, b.value)};
    }
}

}  // namespace test

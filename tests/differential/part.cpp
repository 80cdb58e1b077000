// SPDX-License-Identifier: BSD-3-Clause
//
// One part of the expression types: every FELT_PARTS-th of them, from FELT_PART on.
#include "tests/differential/outer.hpp"
#include "tests/differential/types.hpp"
#include FELT_EXECUTE
#include <utility>

namespace test {

namespace {

index_t any_extent(dice& d) {
    index_t const awkward[] = {1, 2, 3, 5, 7, 13, 15, 16, 17, 31, 32, 33, 40, 64, 65};
    return awkward[d.between(0, 14)];
}

template <class T, std::size_t R>
std::string outcome(char const* way, pool const& p, felt::View<T, R> const& y,
                    plain::array const& expected, double epsilon) {
    std::string const wrong = difference(p.read(y, expected.e), expected, epsilon);
    if (!wrong.empty()) return std::string(way) + p.how() + ": " + wrong;
    if (!p.rest_is_untouched()) return std::string(way) + p.how() + ": wrote beside y";
    return "";
}

// The expression that `of` makes, in a case by its seed. One case in twelve is larger than a block.
template <class T, class F>
std::string run_case(std::uint64_t seed, F&& of) {
    dice d(seed);
    bool const large = seed % 12 == 11;
    index_t const m = large ? d.between(100, 170) : any_extent(d);
    index_t const n = large ? d.between(300, 500) : any_extent(d);
    pool p(d);
    operands<T> o(p, d, m, n);
    auto const e = of(o);
    using N = std::remove_const_t<decltype(e.node)>;
    using V = typename N::value_type;
    auto y = p.destination<V, N::rank>(e.value.e);
    double const epsilon = std::is_same_v<T, float> ? 6e-8 : 1.2e-16;
    std::string const size = felt::to_string(e.value.e.data(), e.value.e.size()) + " ";
    p.remember();
    execute(felt::fused, assign(y, e.node));
    std::string wrong = outcome("fused", p, y, e.value, epsilon);
    if (!wrong.empty()) return size + wrong;
    p.restore();
    execute(felt::unfused, assign(y, e.node));
    wrong = outcome("unfused", p, y, e.value, epsilon);
    return wrong.empty() ? wrong : size + wrong;
}

template <std::size_t I>
using inner_row = std::tuple_element_t<I, inner::rows>;
template <std::size_t J>
using outer_row = std::tuple_element_t<J, outer::rows>;
inline constexpr std::size_t inners = std::tuple_size_v<inner::rows>;
inline constexpr std::size_t outers = std::tuple_size_v<outer::rows>;

std::string with_x(std::string const& outside, std::string const& inside) {
    return outside + " of x = " + inside;
}

template <class T, std::size_t I, std::size_t J>
void add_pair(char const* type) {
    expression_types().push_back(
        {std::string(type) + with_x(outer_row<J>::name, inner_row<I>::name),
         [](std::uint64_t seed) {
             return run_case<T>(seed,
                                [](auto& o) { return outer_row<J>::of(o, inner_row<I>::of(o)); });
         }});
}

template <std::size_t I, std::size_t J, std::size_t K>
void add_triple() {
    expression_types().push_back(
        {with_x(outer_row<K>::name, with_x(outer_row<J>::name, inner_row<I>::name)),
         [](std::uint64_t seed) {
             return run_case<float>(seed, [](auto& o) {
                 return outer_row<K>::of(o, outer_row<J>::of(o, inner_row<I>::of(o)));
             });
         }});
}

// Of all pairs every third; a fixed choice of triples; fewer pairs of double and of int.
template <std::size_t K>
void add_type() {
    constexpr std::size_t pairs = inners * outers / 3, triples = 40, others = 12;
    if constexpr (K < pairs) {
        constexpr std::size_t i = K % inners, j = (3 * (K / inners) + i) % outers;
        add_pair<float, i, j>("");
    } else if constexpr (K < pairs + triples) {
        constexpr std::size_t t = K - pairs;
        add_triple<(5 * t + t / 18) % inners, (3 * t + t / 14) % outer::squares,
                   (7 * t + 2) % outers>();
    } else if constexpr (K < pairs + triples + others) {
        constexpr std::size_t t = K - pairs - triples;
        add_pair<double, (7 * t) % inners, (5 * t + 1) % outers>("double: ");
    } else if constexpr (K < pairs + triples + 2 * others) {
        constexpr std::size_t t = K - pairs - triples - others;
        add_pair<int, (5 * t + 1) % inners, (7 * t + 2) % outers>("int: ");
    }
}

template <std::size_t... K>
bool add_part(std::index_sequence<K...>) {
    (add_type<K * FELT_PARTS + FELT_PART>(), ...);
    return true;
}
bool const added = add_part(std::make_index_sequence<180 / FELT_PARTS>{});

}  // namespace
}  // namespace test

// SPDX-License-Identifier: BSD-3-Clause
//
// One part of the expression types: every FELT_PARTS-th of them, from FELT_PART on.
#include FELT_EXECUTE
#include "tests/differential/groups.hpp"
#include "tests/differential/outer.hpp"
#include "tests/differential/types.hpp"
#include "tests/differential/words_sums.hpp"
#include <utility>

namespace test {

namespace {

std::string with_x(std::string const& outside, std::string const& inside) {
    return outside + " of x = " + inside;
}

template <class T, class Inner, class Outer>
void add_pair(char const* type) {
    expression_types().push_back(
        {std::string(type) + with_x(Outer::name, Inner::name), [](std::uint64_t seed) {
             return run_case<T>(seed, [](auto& o) { return Outer::of(o, Inner::of(o)); });
         }});
}

template <class Inner, class Middle, class Outer>
void add_triple() {
    expression_types().push_back(
        {with_x(Outer::name, with_x(Middle::name, Inner::name)), [](std::uint64_t seed) {
             return run_case<float>(
                 seed, [](auto& o) { return Outer::of(o, Middle::of(o, Inner::of(o))); });
         }});
}

template <class T, class Inner>
void add_group(char const* type) {
    expression_types().push_back(
        {std::string(type) + with_x("a group", Inner::name), [](std::uint64_t seed) {
             return run_group<T>(seed, [](auto& o) { return Inner::of(o); });
         }});
}
template <class Outer, class Inner>
void add_group_of_pair() {
    expression_types().push_back(
        {with_x("a group", with_x(Outer::name, Inner::name)), [](std::uint64_t seed) {
             return run_group<float>(seed, [](auto& o) { return Outer::of(o, Inner::of(o)); });
         }});
}

// Groups of statements that share a term: a product, a sum, what is expensive or cheap.
template <std::size_t G>
void add_a_group() {
    if constexpr (G == 0) add_group<float, inner::product>("");
    if constexpr (G == 1) add_group<float, inner::letters>("");
    if constexpr (G == 2) add_group<float, inner::summed>("");
    if constexpr (G == 3) add_group<float, inner::weights>("");
    if constexpr (G == 4) add_group<float, inner::map>("");
    if constexpr (G == 5) add_group<double, inner::product>("double: ");
    if constexpr (G == 6) add_group<int, inner::letters>("int: ");
    if constexpr (G == 7) add_group_of_pair<outer::epilogue, inner::product>();
    if constexpr (G == 8) add_group_of_pair<outer::left, inner::summed>();
    if constexpr (G == 9) add_group_of_pair<outer::scaled, inner::flipped>();
}

// Of all pairs every third; a fixed choice of triples; fewer pairs of double and of int.
template <std::size_t K>
void add_type() {
    constexpr std::size_t pairs = inners * outers / 3, triples = 40, others = 12;
    if constexpr (K < pairs) {
        constexpr std::size_t i = K % inners, j = (3 * (K / inners) + i) % outers;
        add_pair<float, inner_row<i>, outer_row<j>>("");
    } else if constexpr (K < pairs + triples) {
        constexpr std::size_t t = K - pairs;
        add_triple<inner_row<(5 * t + t / 18) % inners>,
                   outer_row<(3 * t + t / 14) % outer::squares>, outer_row<(7 * t + 2) % outers>>();
    } else if constexpr (K < pairs + triples + others) {
        constexpr std::size_t t = K - pairs - triples;
        add_pair<double, inner_row<(7 * t) % inners>, outer_row<(5 * t + 1) % outers>>("double: ");
    } else if constexpr (K < pairs + triples + 2 * others) {
        constexpr std::size_t t = K - pairs - triples - others;
        add_pair<int, inner_row<(5 * t + 1) % inners>, outer_row<(7 * t + 2) % outers>>("int: ");
    } else if constexpr (K >= 180) {
        add_a_group<K - 180>();
    }
}

// Words of two terms each, around another row, and inside of one; some of double, of int, and of
// what is complex inside.
template <std::size_t W>
void add_word() {
    using word = word_row<W>;
    add_pair<float, inner_row<(2 * W) % inners>, word>("");
    add_pair<float, inner_row<(7 * W + 14) % inners>, word>("");
    add_triple<inner_row<(5 * W + 3) % inners>, outer_row<(3 * W) % outer::squares>, word>();
    if constexpr (W < words::squares) {
        add_triple<inner_row<(11 * W + 4) % inners>, word, outer_row<(5 * W + 2) % outers>>();
        add_triple<inner_row<(3 * W + 14) % inners>, word, word_row<(7 * W + 3) % all_words>>();
    }
    if constexpr (W % 4 == 0) add_pair<double, inner_row<(5 * W + 1) % inners>, word>("double: ");
    if constexpr (W % 5 == 1) add_pair<int, inner::bits, word>("int: ");
    if constexpr (computes_complex && W % 8 == 2) add_pair<float, inner::imaginary, word>("");
    if constexpr (computes_complex && W % 8 == 3)
        add_pair<double, inner::squared, word>("double: ");
}

template <std::size_t... W>
bool add_words(std::index_sequence<W...>) {
    auto const add = []<std::size_t N>() {
        if constexpr (N < all_words) add_word<N>();
    };
    (add.template operator()<W * FELT_PARTS + FELT_PART>(), ...);
    return true;
}

template <std::size_t... K>
bool add_part(std::index_sequence<K...>) {
    (add_type<K * FELT_PARTS + FELT_PART>(), ...);
    return true;
}
bool const added = add_part(std::make_index_sequence<192 / FELT_PARTS>{});
bool const words_added =
    add_words(std::make_index_sequence<(all_words + FELT_PARTS - 1) / FELT_PARTS>{});

}  // namespace
}  // namespace test

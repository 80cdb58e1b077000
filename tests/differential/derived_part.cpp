// SPDX-License-Identifier: BSD-3-Clause
//
// One part of the types of programs: every FELT_PARTS-th of them, from FELT_PART on.
#include "tests/differential/derived_case.hpp"
#include "tests/differential/derived_views.hpp"
#include "tests/differential/types.hpp"
#include <utility>

namespace test::derived {

namespace {

inline constexpr std::size_t inners = std::tuple_size_v<inner_rows>;
inline constexpr std::size_t outers = std::tuple_size_v<outer_rows>;
inline constexpr std::size_t triples = 16;

// Numbers below n that look random and are the same everywhere: choice number `which` of type K.
constexpr std::size_t chosen(std::size_t k, std::size_t which, std::size_t n) {
    std::uint64_t z = (k * 8 + which + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::size_t>((z ^ (z >> 31)) % n);
}

template <class Rows, std::size_t K>
void add_program() {
    constexpr goal of = static_cast<goal>(chosen(K, 0, goals));
    using type = derived_type<Rows, of, static_cast<told>(chosen(K, 1, 3))>;
    expression_types().push_back({type::title(), &type::run});
}

// Each outer row around one inner one, and programs of three rows.
template <std::size_t K>
void add_type() {
    constexpr cut first = static_cast<cut>(chosen(K, 2, cuts));
    constexpr cut second = static_cast<cut>(chosen(K, 3, cuts));
    using inside = innermost<std::tuple_element_t<(7 * K) % inners, inner_rows>>;
    using outside = std::tuple_element_t<K % outers, outer_rows>;
    if constexpr (K < outers) {
        add_program<around<outside, first, inside>, K>();
    } else if constexpr (K < outers + triples) {
        using middle =
            around<std::tuple_element_t<chosen(K, 4, squares), outer_rows>, first, inside>;
        add_program<around<outside, second, middle>, K>();
    }
}

template <std::size_t... K>
bool add_part(std::index_sequence<K...>) {
    (add_type<K * FELT_PARTS + FELT_PART>(), ...);
    return true;
}
bool const added =
    add_part(std::make_index_sequence<(outers + triples + FELT_PARTS - 1) / FELT_PARTS>{});

}  // namespace
}  // namespace test::derived

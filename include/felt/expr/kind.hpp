// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of node, and what everybody else has to know of each: a row. A node's type says its
// kind in `what`; planner, host and device ask its traits, whose meaning does not depend on the
// kind.
#pragma once
#include <felt/core/config.hpp>
#include <felt/core/concepts.hpp>
#include <felt/core/tuple.hpp>
#include <cstring>

namespace felt::inline FELT_ABI {

enum class node_kind : unsigned char {
    leaf,
    scalar,
    generator,
    map,
    once,
    affine,
    general,
    reshape,
    concat,
    gather,
    scatter,
    reduce,
    scan,
    contract
};

struct kind_trait {
    node_kind kind;
    bool is_view = false;          // gives elements other indices, and computes none
    bool is_in_memory = false;     // its values lie in memory when they are read
    bool lies_as_operand = false;  // its box lies as its operand is read
    bool takes_boxes = false;      // picks elements from boxes of its operands,
    bool picks_any = false;        // and which ones is known only when it runs
    bool sums = false;             // over loops of its own
    bool passes_sums = false;      // sums below it may grow in parts
    char const* waits = nullptr;   // for what: then it does not stream
};

// clang-format off
inline constexpr kind_trait kind_traits[] = {
    {.kind = node_kind::leaf, .is_in_memory = true},
    {.kind = node_kind::scalar},
    {.kind = node_kind::generator},
    {.kind = node_kind::map, .passes_sums = true},
    {.kind = node_kind::once, .is_view = true, .is_in_memory = true, .lies_as_operand = true, .passes_sums = true},
    {.kind = node_kind::affine, .is_view = true, .passes_sums = true},
    {.kind = node_kind::general, .is_view = true, .takes_boxes = true, .passes_sums = true},
    {.kind = node_kind::reshape, .is_view = true, .takes_boxes = true},
    {.kind = node_kind::concat, .takes_boxes = true},
    {.kind = node_kind::gather, .takes_boxes = true, .picks_any = true},
    {.kind = node_kind::scatter, .takes_boxes = true, .picks_any = true, .waits = "any index adds to any element"},
    {.kind = node_kind::reduce, .is_in_memory = true, .sums = true, .passes_sums = true,
     .waits = "every element of it is read after all of its terms"},
    {.kind = node_kind::scan, .is_in_memory = true, .lies_as_operand = true,
     .waits = "every element of it is read after those before it"},
    {.kind = node_kind::contract, .is_in_memory = true, .sums = true, .passes_sums = true,
     .waits = "every element of it is read after all of its terms"}};
// clang-format on

constexpr kind_trait const& trait_of(node_kind k) { return kind_traits[static_cast<int>(k)]; }
static_assert(
    [] {
        for (int k = 0; k <= static_cast<int>(node_kind::contract); ++k) {
            if (kind_traits[k].kind != static_cast<node_kind>(k)) return false;
        }
        return true;
    }(),
    "rows stand in the order of the kinds");

namespace detail {

// Zeros of either sign are not the same; a NaN is the same as itself.
template <class T>
bool equal_bits(T const& a, T const& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Functions and the like of one type: equal if they have no data, or say so.
template <class F>
bool equal_functions(F const& a, F const& b) {
    if constexpr (std::is_empty_v<F>) return true;
    else if constexpr (requires { a == b; }) return a == b;
    else return false;
}

}  // namespace detail

// By type: its kind's row, its operands.
template <class N>
inline constexpr kind_trait const& trait_of_node = trait_of(N::what);
template <node N>
using operands_of = std::remove_cvref_t<decltype(std::declval<N const&>().operands())>;
template <class N>
concept has_no_operands = std::same_as<operands_of<N>, tuple<>>;

}  // namespace felt::inline FELT_ABI

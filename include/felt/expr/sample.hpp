// SPDX-License-Identifier: BSD-3-Clause
//
// Samples: randint, bernoulli, permutation, choice. Element i depends on the seed and i alone, and
// is the same on every space, thread count and layout.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/expr/functions.hpp>
#include <felt/expr/views/gather.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/slice.hpp>
#include <felt/tensor/permutation.hpp>
#include <felt/tensor/random_integers.hpp>

namespace felt::inline FELT_ABI {

// Integers of low .. high - 1, equally likely: a word of 64 bits times high - low, of which the
// upper half is taken. Throws error if there are none, or T does not hold them.
template <std::integral T = index_t, std::size_t R>
auto randint(extents<R> const& e, index_t low, index_t high, std::uint64_t seed) {
    bool const holds = static_cast<index_t>(static_cast<T>(low)) == low &&
                       static_cast<index_t>(static_cast<T>(high - 1)) == high - 1;
    if (low >= high || !holds) {
        throw error("randint: from " + std::to_string(low) + " to " + std::to_string(high) +
                    (low >= high ? " there is no integer" : " integers do not fit their type"));
    }
    auto const count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return generator_node<integer_stream<T>, T, R>{
        {seed, low, count}, checked_extents("randint", e), "randint"};
}
template <std::integral T = index_t, std::size_t R>
auto randint(extent_arg const (&e)[R], index_t low, index_t high, std::uint64_t seed) {
    return randint<T>(make_extents(e), low, high, seed);
}

// 1 with probability p, else 0: uniform<double>(e, seed) < p. Throws error unless 0 <= p <= 1.
template <element T = bool, std::size_t R>
auto bernoulli(extents<R> const& e, double p, std::uint64_t seed) {
    if (!(p >= 0 && p <= 1)) {
        throw error("bernoulli: " + std::to_string(p) + " is no probability");
    }
    return cast<T>(uniform<double>(e, seed) < p);
}
template <element T = bool, std::size_t R>
auto bernoulli(extent_arg const (&e)[R], double p, std::uint64_t seed) {
    return bernoulli<T>(make_extents(e), p, seed);
}

// 0 .. n-1 in random order, without memory: each element is computed by itself.
inline auto permutation(extent_arg n, std::uint64_t seed) {
    auto const e = checked_extents("permutation", extents<1>{{n.value}});
    return generator_node<permutation_stream, index_t, 1>{{e[0], seed}, e, "permutation"};
}

struct without_replacement_t {};
inline constexpr without_replacement_t without_replacement{};

template <class X>
concept has_axes = rank_of<X> > 0;

// n slices of x along axis 0, at random: x[randint({n}, 0, x.extent(0), seed)].
template <array_operand X>
    requires has_axes<X>
auto choice(X&& x, extent_arg n, std::uint64_t seed) {
    index_t const all = shape_of(x)[0];
    return gather<0>(std::forward<X>(x), randint({n.value}, 0, all, seed));
}

// Each at most once: x[permutation(x.extent(0), seed)], the first n. Throws shape_error if there
// are fewer.
template <array_operand X>
    requires has_axes<X>
auto choice(X&& x, extent_arg n, std::uint64_t seed, without_replacement_t) {
    index_t const all = shape_of(x)[0];
    if (n.value > all) {
        throw shape_error("choice: " + std::to_string(n.value) + " of " + std::to_string(all) +
                          " without replacement");
    }
    checked_extents("choice", extents<1>{{n.value}});
    return gather<0>(std::forward<X>(x), slice(permutation(all, seed), range(0, n)));
}

// Elements of a vector, in extents of their own.
template <array_operand X, std::size_t R>
    requires(rank_of<X> == 1)
auto choice(X&& x, extent_arg const (&e)[R], std::uint64_t seed) {
    auto const to = checked_extents("choice", make_extents(e));
    return reshape(choice(std::forward<X>(x), to.size(), seed), to);
}

}  // namespace felt::inline FELT_ABI

// SPDX-License-Identifier: BSD-3-Clause
//
// The shape of a tensor: R extents, signed, 64 bits. Also used for strides and coordinates.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/core/config.hpp>
#include <felt/core/errors.hpp>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>

namespace felt::inline FELT_ABI {

using index_t = std::ptrdiff_t;

// The most axes that a tensor can have, and the loops over one expression: a convolution of volumes
// has five of its result and five of its sums.
inline constexpr std::size_t max_rank = 8, max_loops = 10;

template <std::size_t R>
struct extents {
    static constexpr std::size_t rank = R;
    static constexpr std::size_t stored = R == 0 ? 1 : R;

    index_t value[stored] = {};

    FELT_FN index_t& operator[](std::size_t axis) { return value[axis]; }
    FELT_FN index_t const& operator[](std::size_t axis) const { return value[axis]; }
    FELT_FN index_t const* begin() const { return value; }
    FELT_FN index_t const* end() const { return value + R; }

    // The number of elements; 1 for rank 0. (Loops over axes end at != R: nvcc warns of < 0.)
    FELT_FN index_t size() const {
        index_t n = 1;
        for (std::size_t r = 0; r != R; ++r) n *= value[r];
        return n;
    }

    FELT_FN bool operator==(extents const& other) const {
        for (std::size_t r = 0; r != R; ++r) {
            if (value[r] != other.value[r]) return false;
        }
        return true;
    }
    template <std::size_t S>
    bool operator==(extents<S> const&) const = delete;  // ranks differ, in the type
};

// One extent as a caller writes it: any integer type, so that {rows, 3, v.size()} just works.
struct extent_arg {
    index_t value;

    template <std::integral I>
    FELT_FN extent_arg(I v) : value(static_cast<index_t>(v)) {}
};

template <std::size_t R>
FELT_FN extents<R> make_extents(extent_arg const (&list)[R]) {
    extents<R> e;
    for (std::size_t r = 0; r != R; ++r) e[r] = list[r].value;
    return e;
}

template <std::size_t R, std::integral I>
FELT_FN extents<R> make_extents(I const (&list)[R]) {
    extents<R> e;
    for (std::size_t r = 0; r != R; ++r) e[r] = static_cast<index_t>(list[r]);
    return e;
}

namespace detail {
inline std::string text_of(index_t const* value, std::size_t rank) {
    std::string text = "(";
    for (std::size_t r = 0; r < rank; ++r) {
        text += (r == 0 ? "" : ", ") + std::to_string(value[r]);
    }
    return text + ")";
}
}  // namespace detail

// "(2, 3)", for messages.
inline std::string to_string(index_t const* value, std::size_t rank) {
    return apart<&detail::text_of>::call(value, rank);
}
template <std::size_t R>
std::string to_string(extents<R> const& e) {
    return to_string(e.value, R);
}

namespace detail {
// Extents of any rank, for messages.
struct shape_ref {
    index_t const* value;
    std::size_t rank;

    template <std::size_t R>
    shape_ref(extents<R> const& e) : value(e.value), rank(R) {}
    shape_ref(index_t const* e, int r) : value(e), rank(static_cast<std::size_t>(r)) {}
    std::string text() const { return to_string(value, rank); }
};

[[noreturn]] FELT_PLANNING inline void assign_fails(shape_ref from, shape_ref to) {
    bool const empty = std::all_of(to.value, to.value + to.rank, [](index_t n) { return n == 0; });
    throw shape_error("assign: " + from.text() + " does not fit " + to.text() +
                      (empty && from.rank != to.rank ? ": it is empty, and of another rank" : ""));
}
[[noreturn]] FELT_PLANNING inline void extents_fail(char const* operation, index_t const* e,
                                                    std::size_t rank) {
    throw shape_error(operation + (": negative extent in " + to_string(e, rank)));
}
}  // namespace detail

// e, unless one of them is negative.
template <std::size_t R>
extents<R> const& checked_extents(char const* operation, extents<R> const& e) {
    for (index_t n : e) {
        if (n < 0) apart<&detail::extents_fail>::call(operation, e.value, R);
    }
    return e;
}

}  // namespace felt::inline FELT_ABI

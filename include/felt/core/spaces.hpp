// SPDX-License-Identifier: BSD-3-Clause
//
// Where memory lives. A space is a tag; storage, execution and element access look it up.
#pragma once
#include <felt/core/version.hpp>

namespace felt::inline FELT_ABI {

// Ordinary memory; loops by SIMD and OpenMP.
struct Host {
    static constexpr bool element_access = true;
};

// What scalars, iota and random streams live in: they go with every space.
struct Anywhere {
    static constexpr bool element_access = false;
};

namespace detail {
template <class A, class B>
struct join_space {
    using type = A;
};
template <class B>
struct join_space<Anywhere, B> {
    using type = B;
};
}  // namespace detail

// The space of an expression whose operands live in A and B.
template <class A, class B>
using join_space_t = typename detail::join_space<A, B>::type;

}  // namespace felt::inline FELT_ABI

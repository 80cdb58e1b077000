// SPDX-License-Identifier: BSD-3-Clause
//
// fixed_string: a literal as a template argument, as in einsum<"ij,jk->ik"> and named<"w">.
#pragma once
#include <cstddef>

namespace felt {

template <std::size_t N>
struct fixed_string {
    char text[N];
    consteval fixed_string(char const (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
};

// Whether two names are one.
template <fixed_string A, fixed_string B>
inline constexpr bool same_names = false;
template <fixed_string A>
inline constexpr bool same_names<A, A> = true;

}  // namespace felt

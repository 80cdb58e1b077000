// SPDX-License-Identifier: BSD-3-Clause
//
// fixed_string: a literal as a template argument, as in einsum<"ij,jk->ik"> and named<"w">.
#pragma once
#include <felt/core/version.hpp>
#include <cstddef>

namespace felt::inline FELT_ABI {

template <std::size_t N>
struct fixed_string {
    char text[N];
    consteval fixed_string(char const (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
    consteval fixed_string() : text{} {}

    template <std::size_t M>
    consteval fixed_string<N + M - 1> operator+(fixed_string<M> const& o) const {
        fixed_string<N + M - 1> both;
        for (std::size_t i = 0; i + 1 < N; ++i) both.text[i] = text[i];
        for (std::size_t i = 0; i < M; ++i) both.text[N - 1 + i] = o.text[i];
        return both;
    }
};

// A name as a type: not every compiler deduces a literal that is an argument.
template <fixed_string S>
struct literal_name {
    static constexpr char const* text = S.text;
};

}  // namespace felt::inline FELT_ABI

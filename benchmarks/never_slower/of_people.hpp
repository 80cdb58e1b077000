// SPDX-License-Identifier: BSD-3-Clause
//
// How people's statements are entered: enter(name, of) with of(s, compare) that makes the statement
// for s = 1, 4, 8, and hands it to compare.
#pragma once
#include "compare.hpp"

namespace bench::people {

using felt::index_t;
using felt::keepdims;

template <std::size_t R>
auto random(felt::extent_arg const (&e)[R], std::uint64_t seed = 1) {
    felt::Tensor<float, R> x(e);
    x = 0.3f * felt::normal<float>(x.extents(), seed);
    return x;
}

template <class F>
bool enter(char const* name, F) {
    bench::statements().push_back({name, [](std::string const& n, bench::size at) {
                                       constexpr index_t scales[] = {1, 4, 8};
                                       F{}(scales[static_cast<int>(at)],
                                           [&](auto const& e) { bench::compare(n, at, e); });
                                   }});
    return true;
}

}  // namespace bench::people

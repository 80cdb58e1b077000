// SPDX-License-Identifier: BSD-3-Clause
//
// Initial weights, as expressions over the counter-based generator: the same numbers on every
// space. `fan_in` and `fan_out` count the terms of an output and the outputs of an input, for
// filters (o, c, kh, kw): c kh kw and o kh kw.
#pragma once
#include <felt/felt.hpp>
#include <cmath>

namespace felt {

// Normal of deviation sqrt(2 / fan): keeps the variance through relus, forward with fan_in, and
// that of gradients with fan_out. (He et al., "Delving deep into rectifiers", 2015.)
template <element T, std::size_t R>
auto he_normal(extents<R> const& e, index_t fan, std::uint64_t seed) {
    return static_cast<T>(std::sqrt(2. / static_cast<double>(fan))) * normal<T>(e, seed);
}

// Uniform in [-r, r), r = sqrt(6 / (fan_in + fan_out)). (Glorot and Bengio, "Understanding the
// difficulty of training deep feedforward neural networks", 2010.)
template <element T, std::size_t R>
auto glorot_uniform(extents<R> const& e, index_t fan_in, index_t fan_out, std::uint64_t seed) {
    auto const r = static_cast<T>(std::sqrt(6. / static_cast<double>(fan_in + fan_out)));
    return r * (T(2) * uniform<T>(e, seed) - T(1));
}

// Of filters (o, c, kh, kw).
inline index_t fan_in(extents<4> const& w) { return w[1] * w[2] * w[3]; }
inline index_t fan_out(extents<4> const& w) { return w[0] * w[2] * w[3]; }

}  // namespace felt

// SPDX-License-Identifier: BSD-3-Clause
//
// Initial weights, as expressions over the counter-based generator: the same numbers on every
// space. `fan_in` and `fan_out` count the terms of an output and the outputs of an input, for
// filters (o, c, kh, kw): c kh kw and o kh kw.
#pragma once
#include <felt/felt.hpp>
#include <cmath>
#include <vector>

namespace felt::inline FELT_ABI {

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

}  // namespace felt::inline FELT_ABI

namespace felt::inline FELT_ABI::nn {

// How a parameter begins. Of w (o, i, ..) fan_in is i.., fan_out is o times what follows i.
struct init {
    enum kind_t { equal, normal, truncated, uniform, he, glorot } kind = equal;
    double value = 0;
};
inline constexpr init zeros{};
inline constexpr init he{init::he};          // he_normal by fan_in
inline constexpr init glorot{init::glorot};  // glorot_uniform
constexpr init constant(double v) { return {init::equal, v}; }
constexpr init gaussian(double deviation) { return {init::normal, deviation}; }
// Normal, but 0 where that is beyond two deviations.
constexpr init truncated(double deviation) { return {init::truncated, deviation}; }
constexpr init uniform_in(double r) { return {init::uniform, r}; }  // [-r, r)

// Writes how a parameter begins; `to` has its elements in any order.
template <class T, class Space>
void write_initial(View<T, 1, Space> to, std::vector<index_t> const& e, init const& by,
                   std::uint64_t seed) {
    index_t const inner = e.size() > 1 ? to.size() / e[0] : to.size();
    index_t const outputs = e.size() > 1 ? inner / e[1] * e[0] : e[0];
    auto const v = static_cast<T>(by.value);
    switch (by.kind) {
        case init::equal:
            to = v;
            break;
        case init::normal:
            to = v * normal<T>(to.extents(), seed);
            break;
        case init::truncated: {
            auto const z = normal<T>(to.extents(), seed);
            to = v * where(abs(z) < T(2), z, T(0));
            break;
        }
        case init::uniform:
            to = v * (T(2) * uniform<T>(to.extents(), seed) - T(1));
            break;
        case init::he:
            to = he_normal<T>(to.extents(), inner, seed);
            break;
        case init::glorot:
            to = glorot_uniform<T>(to.extents(), inner, outputs, seed);
            break;
    }
}

}  // namespace felt::inline FELT_ABI::nn

// SPDX-License-Identifier: BSD-3-Clause
//
// The transforms of Winograd's algorithms F(2 x 2, 3 x 3) and F(4 x 4, 3 x 3): matrices B, G and A
// along one axis, with which
//
//     y = A^T ((G g) (B^T d))        M results y, 3 taps g, M + 2 elements d
//
// (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015). Elements are vectors
// of channels.
#pragma once
#include <felt/core/math_batch.hpp>

namespace felt::inline FELT_ABI::host {

template <int M>
struct winograd_transform;

template <>
struct winograd_transform<2> {
    template <class V>
    FELT_INLINE static void image(V const* d, int step, V* t, int to) {
        V const d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step];
        t[0] = d0 - d2;
        t[to] = d1 + d2;
        t[2 * to] = d2 - d1;
        t[3 * to] = d1 - d3;
    }
    template <class V>
    FELT_INLINE static void filter(V const* g, int step, V* u, int to) {
        V const half(0.5F), sum = half * (g[0] + g[2 * step]), mid = half * g[step];
        u[0] = g[0];
        u[to] = sum + mid;
        u[2 * to] = sum - mid;
        u[3 * to] = g[2 * step];
    }
    template <class V>
    FELT_INLINE static void result(V const* m, int step, V* y, int to) {
        V const m1 = m[step], m2 = m[2 * step];
        y[0] = m[0] + (m1 + m2);
        y[to] = (m1 - m2) - m[3 * step];
    }
};

// Polynomials are interpolated at 0, a, -a, b, -b and infinity. With 5/8 and 3/2, which are those
// of Nervana's neon, a sum of 576 products of normal numbers is off by 1.9e-5 in the mean, with 1
// and 2 by 4.1e-5, as a plain sum of floats by 1.0e-5.
template <>
struct winograd_transform<4> {
    static constexpr float a = 0.625F, b = 1.5F, a2 = a * a, b2 = b * b;

    template <class V>
    FELT_INLINE static void image(V const* d, int step, V* t, int to) {
        V const d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step];
        V const d5 = d[5 * step];
        V const all(a2 * b2), both(-(a2 + b2));
        V const far_even = math::madd(V(-b2), d2, d4), far_odd = V(a) * math::madd(V(-b2), d1, d3);
        V const near_even = math::madd(V(-a2), d2, d4),
                near_odd = V(b) * math::madd(V(-a2), d1, d3);
        t[0] = math::madd(all, d0, math::madd(both, d2, d4));
        t[to] = far_even + far_odd;
        t[2 * to] = far_even - far_odd;
        t[3 * to] = near_even + near_odd;
        t[4 * to] = near_even - near_odd;
        t[5 * to] = math::madd(all, d1, math::madd(both, d3, d5));
    }
    template <class V>
    FELT_INLINE static void filter(V const* g, int step, V* u, int to) {
        constexpr double at_a = 2. * a2 * (a2 - b2), at_b = 2. * b2 * (b2 - a2);
        V const g0 = g[0], g1 = g[step], g2 = g[2 * step];
        auto const share = [](double x) { return V(static_cast<float>(x)); };
        V const a_even = math::madd(share(1 / at_a), g0, share(a2 / at_a) * g2);
        V const b_even = math::madd(share(1 / at_b), g0, share(b2 / at_b) * g2);
        V const a_odd = share(a / at_a) * g1, b_odd = share(b / at_b) * g1;
        u[0] = share(1. / (a2 * b2)) * g0;
        u[to] = a_even + a_odd;
        u[2 * to] = a_even - a_odd;
        u[3 * to] = b_even + b_odd;
        u[4 * to] = b_even - b_odd;
        u[5 * to] = g2;
    }
    template <class V>
    FELT_INLINE static void result(V const* m, int step, V* y, int to) {
        V const a_even = m[step] + m[2 * step], a_odd = m[step] - m[2 * step];
        V const b_even = m[3 * step] + m[4 * step], b_odd = m[3 * step] - m[4 * step];
        y[0] = m[0] + (a_even + b_even);
        y[to] = math::madd(V(a), a_odd, V(b) * b_odd);
        y[2 * to] = math::madd(V(a2), a_even, V(b2) * b_even);
        y[3 * to] = math::madd(V(a2 * a), a_odd, math::madd(V(b2 * b), b_odd, m[5 * step]));
    }
};

// Both axes, one after the other. Elements, taps and results are in rows.
template <int M>
struct winograd_convolution {
    static constexpr int side = M + 2, most_taps = 3, points = side * side;
    using along = winograd_transform<M>;

    static constexpr int taps(int) { return most_taps; }
    static constexpr int results(int) { return M; }

    template <class V>
    FELT_INLINE static void image(V const* d, V* t) {
        both<side, side>(d, t, [](auto... x) { along::image(x...); });
    }
    template <class V>
    FELT_INLINE static void filter(V const* g, V* u) {
        both<most_taps, side>(g, u, [](auto... x) { along::filter(x...); });
    }
    template <class V>
    FELT_INLINE static void result(V const* m, V* y) {
        both<side, M>(m, y, [](auto... x) { along::result(x...); });
    }

private:
    // From x From become To x To.
    template <int From, int To, class V, class F>
    FELT_INLINE static void both(V const* x, V* y, F const& f) {
        V half[To * From];
        FELT_UNROLL_HOST
        for (int j = 0; j < From; ++j) f(x + j, From, half + j, From);
        FELT_UNROLL_HOST
        for (int i = 0; i < To; ++i) f(half + i * From, 1, y + i * To, 1);
    }
};

}  // namespace felt::inline FELT_ABI::host

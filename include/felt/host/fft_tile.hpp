// SPDX-License-Identifier: BSD-3-Clause
//
// Convolution of a tile by fast Fourier transforms (Mathieu, Henaff and LeCun, "Fast Training of
// Convolutional Networks through FFTs", 2013): the transform of 16 x 16 elements times the
// conjugate of that of the filter is that of 17 - r x 17 - s results, and others that are not
// wanted. Of the 256 numbers 4 are real and 126 complex, which take three multiplications each:
//
//     (a + i b) (c + i d) = a c - b d + i ((a + b) (c + d) - a c - b d)
//
// so that there are 382 products of numbers. Elements are vectors of channels.
#pragma once
#include <felt/core/math_batch.hpp>
#include <felt/expr/reduce.hpp>
#include <cmath>

namespace felt::inline FELT_ABI::host {

// 16 complex numbers, `step` apart, in their place: X[k] = sum over n of x[n] exp(-2 pi i k n /
// 16), as 4 x 4 transforms of 4 (Cooley and Tukey, 1965). With re and im exchanged it is 16 times
// the inverse.
template <class V>
[[gnu::noinline]] void fft_16(V* re, V* im, int step) {
    constexpr float c1 = 0.92387953F, s1 = 0.38268343F, r = 0.70710678F;  // of pi / 8 and pi / 4
    // exp(-2 pi i k n / 16) for k, n = 1 .. 3
    constexpr float real[3][3] = {{c1, r, s1}, {r, 0, -r}, {s1, -r, -c1}};
    constexpr float imag[3][3] = {{-s1, -r, -c1}, {-r, -1, -r}, {-c1, -r, s1}};
    V x[16], y[16];
    auto const four = [](V const* a, V const* b, V* to_a, V* to_b, int to) {
        V const a0 = a[0] + a[2], b0 = b[0] + b[2], a1 = a[0] - a[2], b1 = b[0] - b[2];
        V const a2 = a[1] + a[3], b2 = b[1] + b[3], a3 = a[1] - a[3], b3 = b[1] - b[3];
        to_a[0] = a0 + a2, to_b[0] = b0 + b2;
        to_a[to] = a1 + b3, to_b[to] = b1 - a3;
        to_a[2 * to] = a0 - a2, to_b[2 * to] = b0 - b2;
        to_a[3 * to] = a1 - b3, to_b[3 * to] = b1 + a3;
    };
    FELT_UNROLL_HOST
    for (int n = 0; n < 4; ++n) {
        V const a[4] = {re[n * step], re[(n + 4) * step], re[(n + 8) * step], re[(n + 12) * step]};
        V const b[4] = {im[n * step], im[(n + 4) * step], im[(n + 8) * step], im[(n + 12) * step]};
        four(a, b, x + n, y + n, 4);
    }
    FELT_UNROLL_HOST
    for (int k = 1; k < 4; ++k) {
        FELT_UNROLL_HOST
        for (int n = 1; n < 4; ++n) {
            V const c(real[k - 1][n - 1]), s(imag[k - 1][n - 1]);
            V const a = x[4 * k + n], b = y[4 * k + n];
            x[4 * k + n] = a * c - b * s;
            y[4 * k + n] = math::madd(a, s, b * c);
        }
    }
    FELT_UNROLL_HOST
    for (int k = 0; k < 4; ++k) four(x + 4 * k, y + 4 * k, re + k * step, im + k * step, 4 * step);
}

class fft_convolution {
public:
    static constexpr int side = 16, most_taps = 9, points = 382, elements = side * side;

    constexpr fft_convolution(int rows, int across) : taps_{rows, across} {}
    int taps(int axis) const { return taps_[axis]; }
    int results(int axis) const { return side + 1 - taps_[axis]; }

    template <class V>
    void image(V* d, V* t) const {
        V im[side * columns];
        transform(d, im, side);
        put(
            d, im, [&](int k, V const& a) { t[k] = a; },
            [&](int k, V const& a, V const& b) { t[k] = a, t[k + 1] = b, t[k + 2] = a + b; });
    }
    // Of taps in rows of taps(1).
    template <class V>
    void filter(V const* g, V* u) const {
        V d[elements], im[side * columns];
        for (V& x : d) x = V(0.F);
        V const share(1.F / 1024);  // inverses take 256, and each rows(..) twice its values
        for (int i = 0; i < taps_[0]; ++i)
            for (int j = 0; j < taps_[1]; ++j) d[i * side + j] = share * g[i * taps_[1] + j];
        transform(d, im, taps_[0]);
        put(
            d, im, [&](int k, V const& a) { u[k] = a; },
            [&](int k, V const& a, V const& b) { u[k] = a, u[k + 1] = -b, u[k + 2] = a - b; });
    }
    // Results in rows of results(1).
    template <class V>
    void result(V const* m, V* y) const {
        V re[elements], im[elements];
        take(m, re, im);
        // Columns 0 and 8 are of real numbers, and are one of complex numbers here.
        for (int k = 0; k < columns - 1; ++k) fft_16(im + k, re + k, side);
        for (int i = 0; i < results(0); i += 2) {
            V a[side], b[side];
            join_rows(re + i * side, im + i * side, a, b);
            fft_16(b, a, 1);
            for (int j = 0; j < results(1); ++j) {
                y[i * results(1) + j] = a[j];
                if (i + 1 < results(0)) y[(i + 1) * results(1) + j] = b[j];
            }
        }
    }

private:
    static constexpr int columns = side / 2 + 1;  // the others are their conjugates

    // Rows, of which `some` are not 0, then columns 0 .. 8, of which 0 and 8 are one: the real part
    // of the first and the imaginary part of the other are those of column 0.
    template <class V>
    static void transform(V* re, V* im, int some) {
        V a[side], b[side];
        for (int i = 0; i < side; i += 2) {
            if (i >= some) {
                for (int k = 0; k < columns; ++k)
                    im[i * columns + k] = im[(i + 1) * columns + k] = V(0.F);
                continue;
            }
            for (int j = 0; j < side; ++j) a[j] = re[i * side + j], b[j] = re[(i + 1) * side + j];
            fft_16(a, b, 1);
            for (int k = 0; k < columns; ++k) {
                int const back = (side - k) % side;
                re[i * side + k] = a[k] + a[back], im[i * columns + k] = b[k] - b[back];
                re[(i + 1) * side + k] = b[k] + b[back];
                im[(i + 1) * columns + k] = a[back] - a[k];
            }
        }
        for (int i = 0; i < side; ++i) im[i * columns] = re[i * side + columns - 1];
        V p[side], q[side];
        for (int k = 0; k < columns - 1; ++k) {
            for (int i = 0; i < side; ++i) p[i] = re[i * side + k], q[i] = im[i * columns + k];
            fft_16(p, q, 1);
            for (int i = 0; i < side; ++i) re[i * side + k] = p[i], im[i * columns + k] = q[i];
        }
    }

    // Numbers of the transform in their order: one(k, a) of the real ones, two(k, a, b).
    template <class V, class One, class Two>
    static void put(V const* re, V const* im, One const& one, Two const& two) {
        V const half(0.5F);
        auto const a = [&](int i) { return re[i * side]; };
        auto const b = [&](int i) { return im[i * columns]; };
        int k = 0;
        for (int i : {0, side / 2}) one(k++, a(i)), one(k++, b(i));
        for (int i = 1; i < side / 2; ++i) {  // columns 0 and 8
            int const o = side - i;
            two(k, half * (a(i) + a(o)), half * (b(i) - b(o))), k += 3;
            two(k, half * (b(i) + b(o)), half * (a(o) - a(i))), k += 3;
        }
        for (int i = 0; i < side; ++i) {
            for (int j = 1; j < columns - 1; ++j)
                two(k, re[i * side + j], im[i * columns + j]), k += 3;
        }
    }

    // From sums of products, in the same order, to the columns of the transform.
    template <class V>
    static void take(V const* m, V* re, V* im) {
        auto const two = [&](int k, V& a, V& b) {
            a = m[k] - m[k + 1];
            b = m[k + 2] - (m[k] + m[k + 1]);
        };
        int k = 0;
        for (int i : {0, side / 2}) re[i * side] = m[k], im[i * side] = m[k + 1], k += 2;
        for (int i = 1; i < side / 2; ++i) {  // x + i y of columns 0 and 8, and of their conjugates
            int const o = side - i;
            V xa, xb, ya, yb;
            two(k, xa, xb), two(k + 3, ya, yb), k += 6;
            re[i * side] = xa - yb, im[i * side] = xb + ya;
            re[o * side] = xa + yb, im[o * side] = ya - xb;
        }
        for (int i = 0; i < side; ++i) {
            for (int j = 1; j < columns - 1; ++j)
                two(k, re[i * side + j], im[i * side + j]), k += 3;
        }
    }

    // The transforms x and y of two rows of real numbers, their first 9 numbers, as x + i y.
    template <class V>
    static void join_rows(V const* re, V const* im, V* a, V* b) {
        // Row 0, real part and imaginary part of column 0: columns 0 and 8, which are real.
        a[0] = re[0], b[0] = re[side];
        a[side / 2] = im[0], b[side / 2] = im[side];
        for (int k = 1; k < columns - 1; ++k) {
            a[k] = re[k] - im[side + k], b[k] = im[k] + re[side + k];
            a[side - k] = re[k] + im[side + k], b[side - k] = re[side + k] - im[k];
        }
    }

    int taps_[2];
};

}  // namespace felt::inline FELT_ABI::host

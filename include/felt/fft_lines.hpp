// SPDX-License-Identifier: BSD-3-Clause
//
// Fourier transforms of the lines along one axis, on Eigen's FFT module. What runs on a line is a
// template of its element types alone.
#pragma once
#include <felt/felt.hpp>
#include <unsupported/Eigen/FFT>
#include <cmath>
#include <vector>

namespace felt::inline FELT_ABI {

// Who divides by n: the inverse transforms, those forward, or both by its root.
enum class fft_norm { backward, forward, ortho };

namespace detail {

// The lines of packed memory along one axis: element i of line k is at begin(k) + i * step.
struct fft_lines {
    index_t count = 1, length = 0, step = 1;

    template <std::size_t R>
    fft_lines(extents<R> const& e, std::size_t axis) : length(e[axis]) {
        for (std::size_t r = 0; r != R; ++r) {
            if (r != axis) count *= e[r];
            if (r > axis) step *= e[r];
        }
    }
    index_t begin(index_t k) const { return k / step * step * length + k % step; }
};

// A transform of n numbers, of which complex ones of a real line are n / 2 + 1.
struct fft_length {
    index_t n;
    bool inverse;
    double scale;
};

inline double fft_scale(fft_norm norm, bool inverse, index_t n) {
    auto const all = static_cast<double>(n);
    if (norm == fft_norm::ortho) return 1 / std::sqrt(all);
    return (norm == fft_norm::backward) == inverse ? 1 / all : 1;
}

// One line. What has no imaginary part, in a line that stands for a real one, is taken so.
template <class T>
void fft_line(Eigen::FFT<T>& f, fft_length const& by, std::complex<T>* x, std::complex<T>* y) {
    if (by.n == 1) *y = *x;
    else if (by.inverse) f.inv(y, x, by.n);
    else f.fwd(y, x, by.n);
}
template <class T>
void fft_line(Eigen::FFT<T>& f, fft_length const& by, T* x, std::complex<T>* y) {
    if (by.n == 1) *y = *x;
    else f.fwd(y, x, by.n);
}
template <class T>
void fft_line(Eigen::FFT<T>& f, fft_length const& by, std::complex<T>* x, T* y) {
    x[0] = x[0].real();
    if (by.n % 2 == 0) x[by.n / 2] = x[by.n / 2].real();
    if (by.n == 1) *y = x->real();
    else f.inv(y, x, by.n);
}

// All lines. Those of x that are too long are cut, too short ones go on with zeros.
template <class X, class Y>
void fft_all(X const* x, fft_lines const& from, Y* y, fft_lines const& to, fft_length const& by) {
    using T = real_of<X>;
    Eigen::FFT<T> f;
    f.SetFlag(Eigen::FFT<T>::Unscaled);
    f.SetFlag(Eigen::FFT<T>::HalfSpectrum);
    bool const half = is_complex<X> && !is_complex<Y>;
    index_t const length = half ? by.n / 2 + 1 : by.n, some = std::min(length, from.length);
    std::vector<X> in(static_cast<std::size_t>(length));
    std::vector<Y> out(static_cast<std::size_t>(to.length));
    auto const scale = static_cast<T>(by.scale);
    for (index_t k = 0; k < to.count; ++k) {
        X const* const p = x + from.begin(k);
        std::fill(in.begin(), in.end(), X(0));
        for (index_t i = 0; i < some; ++i) in[static_cast<std::size_t>(i)] = p[i * from.step];
        fft_line<T>(f, by, in.data(), out.data());
        Y* const q = y + to.begin(k);
        for (index_t i = 0; i < to.length; ++i) {
            q[i * to.step] = out[static_cast<std::size_t>(i)] * scale;
        }
    }
}

// The transform of x along an axis, as elements Y.
template <class Y, class X, std::size_t R>
Tensor<Y, R> fft_along(char const* name, Tensor<X, R> const& x, std::size_t axis, index_t n,
                       bool inverse, fft_norm norm) {
    auto e = x.extents();
    if (n < 1 || e[axis] < 1) {
        throw shape_error(std::string(name) + ": " + std::to_string(n) + " elements along axis " +
                          std::to_string(axis) + " of " + to_string(e));
    }
    e[axis] = is_complex<Y> && !is_complex<X> ? n / 2 + 1 : n;
    Tensor<Y, R> y(e, uninitialized);
    fft_all(x.data(), {x.extents(), axis}, y.data(), {e, axis},
            {n, inverse, fft_scale(norm, inverse, n)});
    return y;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI

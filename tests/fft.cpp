// SPDX-License-Identifier: BSD-3-Clause
//
// Fourier transforms against their sums in double.
#include <doctest/doctest.h>
#include <felt/fft.hpp>
#include <algorithm>
#include <complex>
#include <limits>
#include <string>

using felt::Tensor, felt::index_t, felt::fft_norm, felt::all_close;

namespace {

using wide = std::complex<double>;

// sum_i x[i] exp(-+ 2 pi i k / n), x with zeros after its end.
template <class X>
Tensor<wide, 1> plain(X const& x, index_t n, bool inverse = false) {
    Tensor<wide, 1> y({n});
    double const turn = (inverse ? 2 : -2) * 3.14159265358979323846 / static_cast<double>(n);
    for (index_t k = 0; k < n; ++k) {
        for (index_t i = 0; i < std::min(n, x.extent(0)); ++i) {
            y(k) += wide(x(i)) * std::polar(1.0, turn * static_cast<double>(i * k % n));
        }
    }
    return y;
}

template <class T>
Tensor<std::complex<T>, 1> numbers(index_t n) {
    return felt::complex(felt::normal<T>({n}, 1), felt::normal<T>({n}, 2));
}

// To some ulp of the largest result.
template <class T, class A, class B>
bool near(A const& a, B const& b) {
    double const eps = std::numeric_limits<T>::epsilon();
    if (a.extents() != b.extents()) return false;
    return a.extents().size() == 0 ||
           double(max(abs(a - b))) <= 32 * eps * (1 + double(max(abs(b))));
}

index_t const lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 30, 31, 64, 97, 100, 1000};

}  // namespace

TEST_CASE_TEMPLATE("a transform is the sum, for any length", T, float, double) {
    for (index_t n : lengths) {
        CAPTURE(n);
        auto const x = numbers<T>(n);
        auto const y = felt::fft(x);
        static_assert(std::is_same_v<decltype(y), Tensor<std::complex<T>, 1> const>);
        CHECK(near<T>(y, plain(x, n)));
        CHECK(near<T>(felt::ifft(x), Tensor<wide, 1>(plain(x, n, true) / double(n))));
        CHECK(near<T>(felt::ifft(y), x));
        CHECK(near<T>(felt::fft(real(x)), plain(real(x), n)));
    }
}

TEST_CASE_TEMPLATE("real lines have half a spectrum", T, float, double) {
    for (index_t n : lengths) {
        CAPTURE(n);
        Tensor<T, 1> const x = felt::normal<T>({n}, 3);
        auto const h = felt::rfft(x);
        CHECK(near<T>(h, slice(plain(x, n), felt::until(n / 2 + 1))));
        CHECK(near<T>(felt::irfft(h, {.n = n}), x));
        auto const s = felt::ihfft(x);
        CHECK(near<T>(s, Tensor<wide, 1>(conj(h) / double(n))));
        CHECK(near<T>(felt::hfft(s, {.n = n}), x));
    }
    Tensor<T, 1> const x = felt::normal<T>({10}, 3);
    CHECK(near<T>(felt::irfft(felt::rfft(x)), x));  // an even length is what is meant
    auto h = felt::rfft(x);
    imag(slice(h, felt::range(0, 6, 5))) += T(7);  // of no real line: left out
    CHECK(near<T>(felt::irfft(h), x));
    auto h8 = felt::rfft(slice(x, felt::until(8)));
    imag(slice(h8, felt::range(0, 5, 4))) += T(7);
    CHECK(near<T>(felt::irfft(h8), slice(x, felt::until(8))));
}

TEST_CASE("n cuts a line, or goes on with zeros") {
    auto const x = numbers<double>(12);
    for (index_t n : {1, 5, 11, 12, 13, 24}) {
        CHECK(near<double>(felt::fft(x, {.n = n}), plain(x, n)));
        CHECK(near<double>(felt::rfft(real(x), {.n = n}),
                           slice(plain(real(x), n), felt::until(n / 2 + 1))));
    }
    CHECK(felt::irfft(x, {.n = 30}).extent(0) == 30);
}

TEST_CASE("who divides by n") {
    auto const x = numbers<double>(9);
    auto const y = felt::fft(x), z = felt::ifft(x);
    CHECK(near<double>(felt::fft(x, {.norm = fft_norm::forward}), eval(y / 9.)));
    CHECK(near<double>(felt::ifft(x, {.norm = fft_norm::forward}), eval(z * 9.)));
    CHECK(near<double>(felt::fft(x, {.norm = fft_norm::ortho}), eval(y / 3.)));
    CHECK(near<double>(felt::ifft(x, {.norm = fft_norm::ortho}), eval(z * 3.)));
    Tensor<double, 1> const r = real(x);
    for (auto norm : {fft_norm::backward, fft_norm::forward, fft_norm::ortho}) {
        CHECK(near<double>(felt::irfft(felt::rfft(r, {.norm = norm}), {.n = 9, .norm = norm}), r));
        CHECK(near<double>(felt::hfft(felt::ihfft(r, {.norm = norm}), {.n = 9, .norm = norm}), r));
    }
}

TEST_CASE("transforms run along any axis of any layout, and of expressions") {
    using C = std::complex<double>;
    Tensor<C, 3, felt::Host, felt::ColMajor> x({4, 5, 6});
    x = felt::complex(felt::normal<double>({4, 5, 6}, 1), felt::normal<double>({4, 5, 6}, 2));
    auto const y = felt::fft<1>(x + C(0, 1)), last = felt::fft(transpose(x));
    for (index_t i = 0; i < 4; ++i) {
        for (index_t k = 0; k < 6; ++k) {
            Tensor<C, 1> const line = slice(x, i, felt::all(), k) + C(0, 1);
            CHECK(near<double>(slice(y, i, felt::all(), k), plain(line, 5)));
        }
    }
    CHECK(near<double>(slice(last, 3, 2, felt::all()), plain(slice(x, felt::all(), 2, 3), 4)));
    Tensor<int, 1> const n = felt::iota<int>(7);
    CHECK(near<double>(felt::fft(n), plain(n, 7)));
}

TEST_CASE("several axes, one after the other") {
    Tensor<double, 3> const x = felt::normal<double>({4, 5, 6}, 1);
    auto const all = felt::fft<0>(felt::fft<1>(felt::fft<2>(x)));
    CHECK(near<double>(felt::fftn(x), all));
    CHECK(near<double>(felt::fft2(x), felt::fft<1>(felt::fft<2>(x))));
    CHECK(near<double>(felt::fft2<0, 2>(x), felt::fft<0>(felt::fft<2>(x))));
    CHECK(near<double>(real(felt::ifftn(all)), x));
    CHECK(near<double>(real(felt::ifft2<0, 1>(felt::fftn<1, 0>(x))), x));
    CHECK(near<double>(felt::rfftn(x), slice(all, felt::all(), felt::all(), felt::until(4))));
    CHECK(near<double>(felt::irfftn(felt::rfftn(x)), x));
    CHECK(near<double>(felt::irfftn<2, 1>(felt::rfftn<2, 1>(x), {.n = 5}), x));
    CHECK(near<double>(felt::fftn(x, fft_norm::forward), eval(all / 120.)));
}

TEST_CASE("frequencies, and zero in the middle") {
    Tensor<double, 1> const even = felt::fftfreq(4), odd = felt::fftfreq(5, 0.1);
    Tensor<float, 1> const half = felt::rfftfreq<float>(5, 0.5f);
    CHECK(all_close(even, Tensor<double, 1>::of({0, 0.25, -0.5, -0.25})));
    CHECK(all_close(odd, Tensor<double, 1>::of({0, 2, 4, -4, -2})));
    CHECK(all_close(half, Tensor<float, 1>::of({0, 0.4f, 0.8f})));
    CHECK(all_close(felt::fftshift(even), Tensor<double, 1>::of({-0.5, -0.25, 0, 0.25})));
    CHECK(all_close(felt::fftshift(odd), Tensor<double, 1>::of({-4, -2, 0, 2, 4})));
    CHECK(all_close(felt::ifftshift(felt::fftshift(odd)), odd));
    Tensor<float, 2> const x = felt::uniform<float>({3, 4}, 1);
    CHECK(all_close(felt::fftshift<0>(x), felt::roll<0>(x, 1)));
    CHECK(all_close(felt::fftshift(x), felt::roll<0, 1>(x, 1, 2)));
    CHECK(all_close(felt::ifftshift(felt::fftshift(x)), x));
}

TEST_CASE("a transform of nothing says so; of nothing else there is nothing") {
    Tensor<float, 2> const x({3, 0});
    CHECK_THROWS_WITH_AS(felt::fft(x), "fft: 0 elements along axis 1 of (3, 0)", felt::shape_error);
    CHECK_THROWS_WITH_AS(felt::irfft(Tensor<float, 1>({1})),
                         "irfft: 0 elements along axis 0 of (1)", felt::shape_error);
    CHECK_THROWS_AS(felt::fft<0>(x, {.n = -2}), felt::shape_error);
    CHECK(felt::fft<0>(x).extents() == x.extents());
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/fft_tile.hpp>
#include <complex>
#include <random>
#include <vector>

using felt::host::fft_16;
using felt::host::fft_convolution;

TEST_CASE("transforms of 16 complex numbers, and back") {
    std::mt19937 draw(1);
    std::normal_distribution<double> normal;
    double re[48], im[48];
    std::complex<double> x[16];
    for (int n = 0; n < 16; ++n)
        re[3 * n] = normal(draw), im[3 * n] = normal(draw), x[n] = {re[3 * n], im[3 * n]};
    fft_16(re, im, 3);
    for (int k = 0; k < 16; ++k) {
        std::complex<double> want;
        for (int n = 0; n < 16; ++n)
            want += x[n] * std::polar(1., -2 * 3.14159265358979323846 * k * n / 16);
        CHECK(std::abs(want - std::complex<double>(re[3 * k], im[3 * k])) < 1e-6);
    }
    fft_16(im, re, 3);
    for (int n = 0; n < 16; ++n)
        CHECK(std::abs(x[n] - std::complex<double>(re[3 * n], im[3 * n]) / 16.) < 1e-6);
}

TEST_CASE("a tile by filters of any taps") {
    std::mt19937 draw(2);
    std::normal_distribution<double> normal;
    for (int rows = 1; rows <= fft_convolution::most_taps; ++rows) {
        int const across = rows % 4 + 2;
        fft_convolution const by(rows, across);
        std::vector<double> d(256), g(static_cast<std::size_t>(rows * across)), t(382), u(382),
            y(256);
        for (double& v : d) v = normal(draw);
        for (double& v : g) v = normal(draw);
        auto const copy = d;
        by.image(d.data(), t.data());
        by.filter(g.data(), u.data());
        for (std::size_t k = 0; k < 382; ++k) t[k] *= u[k];
        by.result(t.data(), y.data());
        double most = 0;
        for (int i = 0; i < by.results(0); ++i) {
            for (int j = 0; j < by.results(1); ++j) {
                double want = 0;
                for (int r = 0; r < rows; ++r)
                    for (int s = 0; s < across; ++s)
                        want += copy[static_cast<std::size_t>((i + r) * 16 + j + s)] *
                                g[static_cast<std::size_t>(r * across + s)];
                most = std::max(
                    most, std::abs(want - y[static_cast<std::size_t>(i * by.results(1) + j)]));
            }
        }
        CAPTURE(rows);
        CHECK(most < 1e-5);
    }
}

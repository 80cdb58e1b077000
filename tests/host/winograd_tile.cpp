// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/winograd_tile.hpp>
#include <random>

using namespace felt::host;

namespace {

// Along one axis: A^T ((G g) (B^T d)) of numbers.
template <int M>
void by_winograd(double const* d, double const* g, double* y) {
    using F = winograd_transform<M>;
    double t[M + 2], u[M + 2];
    F::image(d, 1, t, 1);
    F::filter(g, 1, u, 1);
    for (int p = 0; p < M + 2; ++p) t[p] *= u[p];
    F::result(t, 1, y, 1);
}

template <int M>
void check_axis() {
    std::mt19937 draw(M);
    std::normal_distribution<double> normal;
    for (int times = 0; times < 100; ++times) {
        double d[M + 2], g[3], y[M];
        for (double& x : d) x = normal(draw);
        for (double& x : g) x = normal(draw);
        by_winograd<M>(d, g, y);
        for (int i = 0; i < M; ++i) {
            double const want = d[i] * g[0] + d[i + 1] * g[1] + d[i + 2] * g[2];
            CHECK(std::abs(y[i] - want) < 1e-6);  // sixths are floats
        }
    }
}

}  // namespace

TEST_CASE("the transforms make results of windows of 3, with steps between elements") {
    check_axis<2>();
    check_axis<4>();
    double const d[12] = {1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0};
    double t[8] = {};
    winograd_transform<2>::image(d, 2, t, 2);
    CHECK(t[0] == 1 - 3);
    CHECK(t[2] == 2 + 3);
    CHECK(t[4] == 3 - 2);
    CHECK(t[6] == 2 - 4);
}

TEST_CASE("tiles of both axes make results of windows of 3 x 3") {
    std::mt19937 draw(5);
    std::normal_distribution<double> normal;
    using by = winograd_convolution<4>;
    double d[36], g[9], t[36], u[36], y[16];
    for (double& x : d) x = normal(draw);
    for (double& x : g) x = normal(draw);
    by::image(d, t);
    by::filter(g, u);
    for (int p = 0; p < by::points; ++p) t[p] *= u[p];
    by::result(t, y);
    for (int i = 0; i < by::results(0); ++i) {
        for (int j = 0; j < by::results(1); ++j) {
            double want = 0;
            for (int r = 0; r < by::taps(0); ++r)
                for (int s = 0; s < by::taps(1); ++s) want += d[(i + r) * 6 + j + s] * g[3 * r + s];
            CHECK(std::abs(y[4 * i + j] - want) < 1e-5);
        }
    }
}

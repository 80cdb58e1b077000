// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn/initial.hpp>
#include <cmath>

TEST_CASE("He's deviation, and the same numbers for a seed") {
    felt::extents<4> const e{{64, 32, 3, 3}};
    CHECK(felt::fan_in(e) == 288);
    CHECK(felt::fan_out(e) == 576);
    felt::Tensor<double, 4> w, again;
    w = felt::he_normal<double>(e, felt::fan_in(e), 1);
    again = felt::he_normal<double>(e, felt::fan_in(e), 1);
    CHECK(felt::all_close(w, again, 0, 0));
    double const mean = felt::mean(w), square = felt::mean(felt::square(w));
    CHECK(std::abs(mean) < 0.002);
    CHECK(square == doctest::Approx(2. / 288).epsilon(0.03));
}

TEST_CASE("Glorot's range") {
    felt::extents<2> const e{{300, 200}};
    felt::Tensor<float, 2> w;
    w = felt::glorot_uniform<float>(e, 300, 200, 3);
    float const r = std::sqrt(6.f / 500), least = felt::min(w), most = felt::max(w);
    CHECK(least >= -r);
    CHECK(most < r);
    CHECK(least < -0.99f * r);
    CHECK(most > 0.99f * r);
}

TEST_CASE("a truncated start is the normal one, but 0 beyond two deviations") {
    felt::Tensor<double, 1> plain({500}), cut({500});
    felt::nn::write_initial(felt::view(plain), {500}, felt::nn::gaussian(0.1), 3);
    felt::nn::write_initial(felt::view(cut), {500}, felt::nn::truncated(0.1), 3);
    CHECK(bool(felt::all(cut == where(abs(plain) < 0.2, plain, 0.))));
    CHECK(double(max(abs(cut))) > 0.15);
    CHECK(double(max(abs(plain))) > 0.2);
}

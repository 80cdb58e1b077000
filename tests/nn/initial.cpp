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

// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/clip.hpp>
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>

TEST_CASE("a gradient that is too long is made as long as the limit") {
    auto g = felt::Tensor<double, 1>::of({3, -4, 12});
    CHECK(felt::clip_by_norm(g, 6.5) == 13);
    CHECK(g(0) == 1.5);
    CHECK(g(1) == -2);
    CHECK(g(2) == 6);
}

TEST_CASE("a gradient that is short enough stays as it is, bit for bit") {
    auto g = felt::Tensor<float, 1>::of({0.3f, -0.4f});
    CHECK(felt::clip_by_norm(g, 0.6) == doctest::Approx(0.5));
    CHECK(g(0) == 0.3f);
    CHECK(g(1) == -0.4f);
    felt::Tensor<float, 1> zero({5});
    CHECK(felt::clip_by_norm(zero, 1) == 0);
    CHECK(zero(4) == 0);
}

TEST_CASE("clipping where no element can be read") {
    felt::Tensor<double, 1, test::remote> g({100});
    g = felt::iota<double>(100);
    double const norm = felt::clip_by_norm(g, 1);
    CHECK(norm * norm == doctest::Approx(328350));
    CHECK(double(sum(square(g))) == doctest::Approx(1));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::Tensor;

TEST_CASE("scatter_add adds slices in the order of their indices") {
    Tensor<float, 2> x({5, 3});
    x = felt::iota<float>({5, 3});
    auto const to = Tensor<int, 1>::of({1, 3, 1, 0, 1});
    Tensor<float, 2> y = felt::scatter_add<0>({4, 3}, to, x * 2.0F);
    auto const expected = Tensor<float, 2>::of({{18, 20, 22}, {36, 42, 48}, {0, 0, 0}, {6, 8, 10}});
    CHECK(felt::all_close(y, expected));
}

TEST_CASE("scatter_add along the last axis, into rows and columns") {
    auto const x = Tensor<double, 2>::of({{1, 2, 3}, {4, 5, 6}});
    auto const to = Tensor<felt::index_t, 1>::of({2, 2, 0});
    auto const expected = Tensor<double, 2>::of({{3, 0, 3}, {6, 0, 9}});
    Tensor<double, 2> y = felt::scatter_add<1>({2, 3}, to, x);
    CHECK(felt::all_close(y, expected));
    Tensor<double, 2, felt::Host, felt::ColMajor> z = felt::scatter_add<-1>({2, 3}, to, x);
    CHECK(felt::all_close(z, expected));
}

TEST_CASE("scatter_add of nothing is zero") {
    Tensor<float, 2> x({0, 3});
    Tensor<int, 1> to({0});
    Tensor<float, 2> y = felt::scatter_add<0>({2, 3}, to, x);
    CHECK(felt::all_close(y, Tensor<float, 2>({2, 3})));
}

TEST_CASE("scatter_add is the transpose of gather") {
    Tensor<double, 2> x({7, 5}), y({11, 5});
    x = felt::uniform<double>({7, 5}, 1);
    y = felt::uniform<double>({11, 5}, 2);
    auto const i = Tensor<int, 1>::of({3, 0, 6, 6, 2, 3, 3, 1, 0, 5, 4});
    double const a = felt::sum(felt::gather<0>(x, i) * y);
    double const b = felt::sum(x * felt::scatter_add<0>(x.extents(), i, y));
    CHECK(a == doctest::Approx(b).epsilon(1e-12));
}

TEST_CASE("scatter_add refuses an index outside before anything is written") {
    Tensor<float, 2> x({2, 3}), y({4, 3});
    y = 7.0F;
    auto const bad = Tensor<int, 1>::of({1, 4});
    CHECK_THROWS_WITH_AS(y = felt::scatter_add<0>({4, 3}, bad, x),
                         "scatter_add: index 4 is outside axis 0 of extent 4", felt::shape_error);
    CHECK(felt::all_close(y, 7.0F + Tensor<float, 2>({4, 3})));
    CHECK_THROWS_AS((y = felt::scatter_add<0>({4, 3}, Tensor<int, 1>::of({1}), x)),
                    felt::shape_error);
}

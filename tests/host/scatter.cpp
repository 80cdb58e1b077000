// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::Tensor;

TEST_CASE("scatter_add of an expression, inside an expression, equals a plain loop") {
    felt::index_t const rows = 37, columns = 67, classes = 11;
    Tensor<float, 2> x({rows, columns}), y({classes, columns});
    x = felt::normal<float>({rows, columns}, 5);
    Tensor<int, 1> to({rows});
    for (felt::index_t i = 0; i < rows; ++i) to(i) = static_cast<int>(i * 7 % classes);
    y = 1.0F - felt::scatter_add<0>({classes, columns}, to, felt::abs(x));
    Tensor<double, 2> plain({classes, columns});
    plain = 1.0;
    for (felt::index_t i = 0; i < rows; ++i) {
        for (felt::index_t j = 0; j < columns; ++j) plain(to(i), j) -= std::abs(x(i, j));
    }
    CHECK(felt::all_close(y, plain, 1e-5, 1e-5));
}

TEST_CASE("slices are added along every axis of three, in every layout of the operand") {
    felt::index_t const m = 5, n = 18, p = 35;
    Tensor<float, 3> x({m, n, p});
    x = felt::floor(felt::uniform<float>({m, n, p}, 6) * 9.F);
    Tensor<float, 3, felt::Host, felt::ColMajor> columns({m, n, p});
    columns = x;
    Tensor<int, 1> a({m}), b({n}), c({p});
    a = felt::cast<int>(felt::uniform<float>({m}, 1) * 3.F);
    b = felt::cast<int>(felt::uniform<float>({n}, 2) * 4.F);
    c = felt::cast<int>(felt::uniform<float>({p}, 3) * 70.F);
    Tensor<float, 3> by_a({3, n, p}), by_b({m, 4, p}), by_c({m, n, 70});
    for (felt::index_t i = 0; i < m; ++i) {
        for (felt::index_t j = 0; j < n; ++j) {
            for (felt::index_t k = 0; k < p; ++k) {
                by_a(a(i), j, k) += x(i, j, k);
                by_b(i, b(j), k) += x(i, j, k);
                by_c(i, j, c(k)) += x(i, j, k);
            }
        }
    }
    auto check = [&](auto const& of) {
        CHECK(felt::all_close(felt::scatter_add<0>({3, n, p}, a, of), by_a, 0, 0));
        CHECK(felt::all_close(felt::scatter_add<1>({m, 4, p}, b, of), by_b, 0, 0));
        CHECK(felt::all_close(felt::scatter_add<2>({m, n, 70}, c, of), by_c, 0, 0));
    };
    check(x);
    check(columns);
    check(x * 1.F);
}

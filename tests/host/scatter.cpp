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

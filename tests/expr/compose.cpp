// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/compose.hpp>

using felt::index_t;
using felt::Tensor;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

auto const x = numbered<Tensor<float, 2>>({7, 37});
auto const a = values(x);

double sum_exp_of_row(index_t i) {
    double sum = 0;
    for (index_t j = 0; j < 37; ++j) sum += std::exp(a(i, j));
    return sum;
}
double sum_exp_of_column(index_t j) {
    double sum = 0;
    for (index_t i = 0; i < 7; ++i) sum += std::exp(a(i, j));
    return sum;
}

}  // namespace

TEST_CASE("softmax is exp over the sum of exp along an axis") {
    CHECK(values(felt::softmax<1>(x)) ==
          near(computed({7, 37},
                        [](auto at) { return std::exp(a(at[0], at[1])) / sum_exp_of_row(at[0]); }),
               1e-6));
    CHECK(
        values(felt::softmax<0>(x)) ==
        near(computed({7, 37},
                      [](auto at) { return std::exp(a(at[0], at[1])) / sum_exp_of_column(at[1]); }),
             1e-6));
}

TEST_CASE("logsumexp and log_softmax are their logarithms") {
    CHECK(values(felt::logsumexp<1>(x)) ==
          near(computed({7}, [](auto at) { return std::log(sum_exp_of_row(at[0])); }), 1e-6));
    CHECK(
        values(felt::log_softmax<-2>(x)) ==
        near(computed({7, 37},
                      [](auto at) { return a(at[0], at[1]) - std::log(sum_exp_of_column(at[1])); }),
             1e-6));
    CHECK(values(x - felt::logsumexp<0>(x, felt::keepdims)) ==
          near(values(felt::log_softmax<0>(x)), 1e-6));
}

TEST_CASE("softmax of large numbers does not overflow") {
    auto const large = Tensor<float, 1>::of({1000, 1000, -1000});
    CHECK(values(felt::softmax<0>(large)) == plain{{3}, {0.5, 0.5, 0}});
    CHECK(values(felt::logsumexp<0>(large)) == plain{{}, {1000 + std::log(2.0)}, 1e-6});
    CHECK(values(felt::log_softmax<0>(large)) ==
          plain{{3}, {-std::log(2.0), -std::log(2.0), -2000 - std::log(2.0)}, 1e-6});
}

TEST_CASE("logsumexp of infinities") {
    double const inf = INFINITY;
    auto const rows = Tensor<double, 2>::of({{inf, 1, -inf}, {-inf, -inf, -inf}, {-inf, 2, -inf}});
    CHECK(values(felt::logsumexp<1>(rows)) == plain{{3}, {inf, -inf, 2}});
    Tensor<double, 2> const wrong = felt::logsumexp<0>(rows + NAN, felt::keepdims);
    for (int j : {0, 1, 2}) CHECK(std::isnan(wrong(0, j)));
}

TEST_CASE("all_close allows an absolute and a relative error, and no NaN") {
    auto const y = Tensor<double, 1>::of({1, 100, 0});
    CHECK(all_close(y, y));
    CHECK(all_close(y + 1e-9, y));
    CHECK_FALSE(all_close(y + 1e-4, y));
    CHECK(all_close(y * (1 + 1e-6), y));
    CHECK(all_close(y + 0.1, y, 0, 0.11));
    CHECK_FALSE(all_close(y * 0 / (y * 0), y));
    CHECK(all_close(felt::cast<float>(y), y));
    CHECK(all_close(y * 0, 0));
    CHECK_THROWS_AS(all_close(y, Tensor<double, 1>({2})), felt::shape_error);
}

TEST_CASE_TEMPLATE("to an infinity nothing but itself is close", T, float, double) {
    T const infinite = std::numeric_limits<T>::infinity(), largest = std::numeric_limits<T>::max();
    auto const y = Tensor<T, 1>::of({1, infinite, -infinite, largest});
    CHECK(all_close(y, y));
    CHECK(all_close(y, y, 0, 0));
    for (T other : {T(1), largest, -infinite, std::numeric_limits<T>::quiet_NaN()}) {
        auto const z = Tensor<T, 1>::of({1, other, -infinite, largest});
        CHECK_FALSE(all_close(z, y));
        CHECK_FALSE(all_close(y, z));
        CHECK_FALSE(all_close(z, y, 0, 0));
    }
    using C = std::complex<double>;
    CHECK_FALSE(all_close(Tensor<C, 1>::of({C(1, 0)}), Tensor<C, 1>::of({C(0, double(infinite))})));
}

TEST_CASE("one_hot has a one where the label is") {
    auto const labels = Tensor<int, 1>::of({2, 0, 3});
    CHECK(values(felt::one_hot<float>(labels, 3)) == plain{{3, 3}, {0, 0, 1, 1, 0, 0, 0, 0, 0}});
    auto const e = felt::one_hot<double>(Tensor<std::uint8_t, 2>::of({{1}, {0}}), 2);
    CHECK(values(e) == plain{{2, 1, 2}, {0, 1, 1, 0}});
}

TEST_CASE("compositions of temporary tensors keep them") {
    auto e = felt::softmax<1>(numbered<Tensor<float, 2>>({7, 37}));
    CHECK(values(e) == values(felt::softmax<1>(x)));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// The study's operations against what its table says of them, by plain loops in double, over
// extents that are no multiple of anything.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <support/study.hpp>
#include <functional>

namespace {

using felt::index_t;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;
using vector = felt::Tensor<double, 1>;
using matrix = felt::Tensor<double, 2>;
using slices = felt::Tensor<double, 3>;
using images = felt::Tensor<double, 4>;
using labels = felt::Tensor<int, 1>;

constexpr double rounding = 1e-12;

double logistic(double v) { return 1 / (1 + std::exp(-v)); }

// sum over i < n of f(i).
template <class F>
double total(index_t n, F f) {
    double sum = 0;
    for (index_t i = 0; i < n; ++i) sum += f(i);
    return sum;
}

// (m, k) (k, n), given element by element.
template <class A, class B>
plain product(index_t m, index_t n, index_t k, A a, B b) {
    return computed({m, n}, [&](index_t const* at) {
        return total(k, [&](index_t l) { return a(at[0], l) * b(l, at[1]); });
    });
}

struct half_sum {
    FELT_FN auto operator()(auto a, auto b) const {
        return decltype(a)((a + b) * decltype(a)(0.5));
    }
};

}  // namespace

TEST_CASE("dimensions are counted from the inside, rows first") {
    images const x({5, 4, 2, 3});
    CHECK(study::size(x) == felt::extents<4>{{2, 3, 4, 5}});
    CHECK(study::size(x, 1) == 2);
    CHECK(study::size(x, 2) == 3);
    CHECK(study::size(x, 4) == 5);
    CHECK(study::size(slices({7, 2, 3}), 0) == 7);
    CHECK(study::size(vector({6}), 1) == 6);
    CHECK(study::size(matrix({2, 3})) == felt::extents<2>{{2, 3}});

    auto const z = study::zeros<double>({2, 3, 4, 5});
    CHECK(values(z) == computed({5, 4, 2, 3}, [](auto) { return 0.0; }));

    auto const flat = numbered<vector>({24});
    auto const cube = study::load_array(flat, {2, 3, 4});
    auto const expected =
        computed({4, 2, 3}, [](auto at) { return test::number((at[0] * 2 + at[1]) * 3 + at[2]); });
    CHECK(values(cube) == expected);
    CHECK(values(study::reshape(flat, {2, 3, 4})) == expected);
    CHECK(values(study::reshape(cube, {6, 4})) ==
          computed({6, 4}, [](auto at) { return test::number(at[0] * 4 + at[1]); }));
}

TEST_CASE("views of a vector of parameters share its memory") {
    vector theta({2 * 3 * 4 + 10});
    auto [filters, next] = study::get_array_view(theta, 0, {2, 3, 4});
    auto [bias, end] = study::get_array_view(theta, next, {5, 2});
    CHECK(end == theta.size());
    filters = 1;
    bias = 2;
    CHECK(theta(23) == 1);
    CHECK(theta(24) == 2);
    CHECK(filters.extents() == felt::extents<3>{{4, 2, 3}});
    CHECK(bias.extents() == felt::extents<2>{{5, 2}});
}

TEST_CASE("filters are filled in place, mini-batches are gathered") {
    slices w({20, 50, 50});
    study::filter_init_randn(w, 1);
    CHECK(static_cast<double>(mean(w)) == doctest::Approx(0).epsilon(0.002));
    CHECK(std::sqrt(static_cast<double>(felt::var(w))) == doctest::Approx(0.1).epsilon(0.02));
    study::filter_init_rand(w, {-3.0, 5.0}, 2);
    CHECK(static_cast<double>(min(w)) >= -3);
    CHECK(static_cast<double>(max(w)) < 5);
    CHECK(static_cast<double>(mean(w)) == doctest::Approx(1).epsilon(0.05));
    CHECK(static_cast<double>(max(w)) > 4.9);

    auto const all_x = numbered<slices>({7, 3, 5});
    auto const all_y = labels::of({0, 1, 2, 3, 4, 5, 6});
    auto const rp = labels::of({6, 0, 3});
    slices x({3, 3, 5});
    labels y({3});
    study::extract_random_minibatch(x, y, all_x, all_y, rp);
    CHECK(values(y) == plain{{3}, {6, 0, 3}});
    plain const from = values(all_x);
    CHECK(values(x) == computed({3, 3, 5}, [&](auto at) { return from(rp(at[0]), at[1], at[2]); }));
}

TEST_CASE("functions of arrays") {
    auto const a = numbered<matrix>({5, 7}), b = numbered<matrix>({5, 1}, 3);
    plain const p = values(a), q = values(b);
    auto const each = [](auto f) { return computed({5, 7}, f); };
    CHECK(values(study::bsxfun(half_sum{}, a, b)) ==
          each([&](auto at) { return (p(at[0], at[1]) + q(at[0], 0)) / 2; }));
    CHECK(values(study::arrayfun(std::negate<>{}, a)) ==
          each([&](auto at) { return -p(at[0], at[1]); }));
    CHECK(values(study::plus(a, b)) ==
          each([&](auto at) { return p(at[0], at[1]) + q(at[0], 0); }));
    CHECK(values(study::minus(a, b)) ==
          each([&](auto at) { return p(at[0], at[1]) - q(at[0], 0); }));
    CHECK(values(study::multiply(a, b)) ==
          each([&](auto at) { return p(at[0], at[1]) * q(at[0], 0); }));
    CHECK(values(study::scalar_multiply(3.0, a)) ==
          each([&](auto at) { return 3 * p(at[0], at[1]); }));
    CHECK(values(study::scalar_minus(3.0, a)) ==
          each([&](auto at) { return 3 - p(at[0], at[1]); }));
    CHECK(values(study::scalar_plus(3.0, a)) == each([&](auto at) { return 3 + p(at[0], at[1]); }));
    CHECK(values(study::soft_threshold(a)) ==
          near(each([&](auto at) { return logistic(p(at[0], at[1])); }), rounding));
    CHECK(values(study::sigmoid_gradient(a)) ==
          each([&](auto at) { return p(at[0], at[1]) * (1 - p(at[0], at[1])); }));
}

TEST_CASE("sums along the study's dimensions") {
    auto const a = numbered<images>({2, 3, 4, 5});
    plain const p = values(a);
    CHECK(values(study::reducefun<1>(std::plus<>{}, a)) == computed({2, 3, 5}, [&](auto at) {
              return total(4, [&](index_t i) { return p(at[0], at[1], i, at[2]); });
          }));
    CHECK(values(study::reducefun<4>(std::plus<>{}, a)) == computed({3, 4, 5}, [&](auto at) {
              return total(2, [&](index_t i) { return p(i, at[0], at[1], at[2]); });
          }));
    auto const m = numbered<matrix>({5, 7});
    plain const q = values(m);
    CHECK(values(study::sum_by_column(m)) ==
          computed({7}, [&](auto at) { return total(5, [&](index_t i) { return q(i, at[0]); }); }));
    CHECK(values(study::sum_by_row(m)) ==
          computed({5}, [&](auto at) { return total(7, [&](index_t j) { return q(at[0], j); }); }));
    double const all = total(35, [&](index_t i) { return q.values[static_cast<std::size_t>(i)]; });
    CHECK(static_cast<double>(study::matrix_sum(m)) == doctest::Approx(all));
    CHECK(static_cast<double>(study::vector_sum(felt::reshape(m, {35}))) == doctest::Approx(all));
    CHECK(static_cast<double>(study::matrix_elemwise_multiply(m, m)) ==
          doctest::Approx(total(35, [&](index_t i) {
              double const v = q.values[static_cast<std::size_t>(i)];
              return v * v;
          })));
}

TEST_CASE("products of matrices, and of matrices with images") {
    auto const a = numbered<matrix>({5, 7}), b = numbered<matrix>({5, 3}, 2);
    auto const c = numbered<matrix>({4, 7}, 4), bias = numbered<matrix>({5, 1}, 6);
    plain const p = values(a), q = values(b), r = values(c), s = values(bias);
    CHECK(values(study::matrix_transpose_matrix_multiply(a, b)) ==
          product(7, 3, 5, [&](auto i, auto l) { return p(l, i); }, q));
    CHECK(values(study::matrix_matrix_transpose_multiply(a, c)) ==
          product(5, 4, 7, p, [&](auto l, auto j) { return r(j, l); }));
    plain expected = product(5, 4, 7, p, [&](auto l, auto j) { return r(j, l); });
    for (std::size_t i = 0; i < 20; ++i) expected.values[i] += s.values[i / 4];
    CHECK(values(study::filter_multiply(a, bias, transpose(c))) == expected);

    auto const x = numbered<images>({6, 2, 3, 5});
    plain const rows{{6, 30}, values(x).values};
    auto const w = numbered<matrix>({4, 30}, 5), d = numbered<matrix>({4, 6}, 8);
    plain const v = values(w), e = values(d);
    CHECK(values(study::matrix_matrix4D_multiply(w, x)) ==
          product(4, 6, 30, v, [&](auto l, auto j) { return rows(j, l); }));
    CHECK(values(study::matrix_matrix4D_transpose_multiply(d, x)) == product(4, 30, 6, e, rows));
    auto const back = values(study::matrix_matrix_transpose_multiply_to_4D(w, d, {3, 5, 2, 6}));
    CHECK(back.extents == std::vector<index_t>{6, 2, 3, 5});
    CHECK(plain{{6, 30}, back.values} ==
          product(6, 30, 4, [&](auto i, auto l) { return e(l, i); }, v));
}

TEST_CASE("labels as bit vectors, and the row of the largest") {
    auto const l = labels::of({2, 0, 4, 2});
    auto const bits = study::bit_numbers_to_bit_vectors<double>(5, l);
    CHECK(values(bits) == computed({5, 4}, [&](auto at) { return at[0] == l(at[1]) ? 1.0 : 0.0; }));
    CHECK(values(study::argmax_by_column(bits)) == plain{{4}, {2, 0, 4, 2}});
}

TEST_CASE("softmax, costs, and what goes back") {
    auto const z = numbered<matrix>({5, 6});
    plain const p = values(z);
    auto const probability = [&](index_t i, index_t j) {
        return std::exp(p(i, j)) / total(5, [&](index_t k) { return std::exp(p(k, j)); });
    };
    matrix const probs = study::softmax(z);
    CHECK(values(probs) ==
          near(computed({5, 6}, [&](auto at) { return probability(at[0], at[1]); }), rounding));
    auto const l = labels::of({2, 0, 4, 2, 1, 3});
    auto const y = study::bit_numbers_to_bit_vectors<double>(5, l);
    double const cost = total(6, [&](index_t j) { return -std::log(probability(l(j), j)) / 6; });
    CHECK(static_cast<double>(study::softmax_cost(probs, y)) == doctest::Approx(cost));
    auto const large = felt::eval(z * 1000.0);  // where the study's own form gives NaN
    CHECK(std::isfinite(static_cast<double>(study::matrix_sum(study::softmax(large)))));

    auto const t = numbered<matrix>({5, 6}, 3), w = numbered<matrix>({5, 4}, 8);
    auto const act = numbered<matrix>({4, 6}, 1);
    plain const target = values(t), weight = values(w), a = values(act);
    CHECK(static_cast<double>(study::squared_error(t, z)) == doctest::Approx(total(30, [&](auto k) {
              double const e = target(k / 6, k % 6) - p(k / 6, k % 6);
              return e * e / 12;
          })));
    auto const [dw, db] = study::gradient_calculate(z, act);
    CHECK(values(dw) ==
          near(product(5, 4, 6, p, [&](auto n, auto j) { return a(j, n) / 6; }), rounding));
    CHECK(values(db) ==
          near(computed({5, 1},
                        [&](auto at) { return total(6, [&](auto n) { return p(at[0], n) / 6; }); }),
               rounding));
    auto const x = numbered<images>({6, 1, 2, 2});
    auto const [dw4, db4] = study::gradient_calculate(z, x);
    plain const rows = values(x);
    CHECK(values(dw4) ==
          near(product(5, 4, 6, p, [&](auto n, auto j) { return rows(n, 0, j / 2, j % 2) / 6; }),
               rounding));
    CHECK(values(db4) == values(db));
    auto const back = product(4, 6, 5, [&](auto i, auto k) { return weight(k, i); }, p);
    CHECK(values(study::delta_propagate(z, w)) == near(back, rounding));
    auto const slope = [](auto const& v) { return study::sigmoid_gradient(v); };
    CHECK(values(study::delta_propagate(z, w, slope, act)) ==
          near(computed({4, 6},
                        [&](auto at) {
                            double const v = a(at[0], at[1]);
                            return back(at[0], at[1]) * v * (1 - v);
                        }),
               rounding));
}

TEST_CASE("numerical gradients") {
    auto const theta = vector::of({4, 10});
    auto const h = [](vector const& x) { return x(0) * x(0) + 3 * x(0) * x(1); };
    CHECK(values(study::compute_numerical_gradient(h, theta)) == near(plain{{2}, {38, 12}}, 1e-8));
}

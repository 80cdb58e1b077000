// SPDX-License-Identifier: BSD-3-Clause
//
// A program of nvcc whose statements run on the host: every group of public names, against plain
// loops. No GPU takes part.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <felt/felt.hpp>
#include <felt/nn/lbfgs.hpp>
#include <doctest/doctest.h>
#include <tests/support/plain.hpp>
#include <cmath>
#include <sstream>

namespace {

using felt::index_t;
using test::computed;
using test::near;
using test::values;
using matrix = felt::Tensor<float, 2>;
using vector = felt::Tensor<float, 1>;

// Awkward extents: every loop has a rest.
constexpr index_t rows = 13, columns = 37, inner = 19;

matrix left() { return test::numbered<matrix>({rows, inner}); }
matrix right() { return test::numbered<matrix>({inner, columns}, 5); }
matrix wide(index_t first = 0) { return test::numbered<matrix>({rows, columns}, first); }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double product_at(matrix const& a, matrix const& b, index_t i, index_t j) {
    double total = 0;
    for (index_t k = 0; k < a.extent(1); ++k) total += double(a(i, k)) * double(b(k, j));
    return total;
}

// A functor of a user, for kernels too.
struct halve {
    template <class T>
    FELT_FN T operator()(T x) const {
        return x * T(0.5);
    }
};
// One of numbers on the host alone: plans run it element by element.
struct on_host_only {
    float operator()(float x) const { return std::fmod(x, 2.F); }
};

}  // namespace

TEST_CASE("map: functions of elements, broadcast") {
    matrix const x = wide(), z = wide(3);
    vector const v = test::numbered<vector>({columns});
    auto const each = [&](auto f) {
        return computed({rows, columns}, [&](index_t const* at) {
            return f(double(x(at[0], at[1])), double(z(at[0], at[1])), double(v(at[1])));
        });
    };
    matrix y;
    y = x * 2 + z / 4 - v;
    CHECK(values(y) == each([](auto a, auto b, auto c) { return a * 2 + b / 4 - c; }));
    y = sigmoid(x) + exp(-abs(z)) * tanh(v);
    auto const smooth = [](auto a, auto b, auto c) {
        return logistic(a) + std::exp(-std::abs(b)) * std::tanh(c);
    };
    CHECK(values(y) == near(each(smooth), 1e-5));
    y = log(square(x) + 1) + log1p(abs(z)) + sqrt(abs(v)) + erf(x) + gelu(v) + pow(abs(x), 1.5);
    auto const more = [](auto a, auto b, auto c) {
        return std::log(a * a + 1) + std::log1p(std::abs(b)) + std::sqrt(std::abs(c)) +
               std::erf(a) + c / 2 * (1 + std::erf(c / std::sqrt(2.))) + std::pow(std::abs(a), 1.5);
    };
    CHECK(values(y) == near(each(more), 1e-5));
    y = where(x > z && !(v == 0), maximum(x, v), clip(z, -1, 1)) + relu(x) + floor(z) + sign(v) +
        soft_threshold(x, 1) + minimum(x, z);
    auto const pieces = [](double a, double b, double c) {
        return (a > b && c != 0 ? std::max(a, c) : std::clamp(b, -1., 1.)) + std::max(a, 0.) +
               std::floor(b) + (c > 0) - (c < 0) + std::copysign(std::max(std::abs(a) - 1, 0.), a) +
               std::min(a, b);
    };
    CHECK(values(y) == near(each(pieces), 1e-5));
    y = map(halve{}, x) + map(on_host_only{}, z);
    CHECK(values(y) == each([](auto a, auto b, auto) { return a / 2 + std::fmod(b, 2.); }));
    y = x, y += z, y -= v, y *= 2, y /= 4;
    CHECK(values(y) == each([](auto a, auto b, auto c) { return (a + b - c) / 2; }));
    auto const quotient = each([](auto a, auto, auto) { return std::trunc(a * 4 / 3) != 0; });
    CHECK(values(cast<bool>(cast<int>(x * 4) / 3)) == quotient);
}

TEST_CASE("view: the same elements by other indices, read and written") {
    matrix const x = wide();
    auto const back = computed({columns, rows}, [&](auto at) { return x(at[1], at[0]); });
    CHECK(values(transpose(x)) == back);
    CHECK(values(felt::permute<1, 0>(x + 1)) == values(transpose(x) + 1));
    CHECK(values(reshape(x + 0, {-1})) ==
          computed({rows * columns}, [&](auto at) { return x(at[0] / columns, at[0] % columns); }));
    CHECK(values(slice(x, felt::range(1, -1, 3), 2)) ==
          computed({4}, [&](auto at) { return x(1 + 3 * at[0], 2); }));
    CHECK(values(felt::flip<1>(x)) ==
          computed({rows, columns}, [&](auto at) { return x(at[0], columns - 1 - at[1]); }));
    CHECK(values(rot180(x * 2)) == values(felt::flip<0, 1>(x) * 2));
    CHECK(values(pad(x, {{1, 0}, {2, 3}}, 9)) == computed({rows + 1, columns + 5}, [&](auto at) {
              index_t const i = at[0] - 1, j = at[1] - 2;
              return i >= 0 && j >= 0 && j < columns ? x(i, j) : 9.F;
          }));
    CHECK(values(upsample(x, {2, 3})) ==
          computed({2 * rows, 3 * columns}, [&](auto at) { return x(at[0] / 2, at[1] / 3); }));
    CHECK(values(windows(x, {3, 2}, {.stride = {2, 1}})) ==
          computed({6, 36, 3, 2}, [&](auto at) { return x(2 * at[0] + at[2], at[1] + at[3]); }));
    auto const at = felt::Tensor<int, 1>::of({4, 0, 4});
    CHECK(values(felt::gather<1>(x, at)) ==
          computed({rows, 3}, [&](auto i) { return x(i[0], at(i[1])); }));
    CHECK(values(felt::concat<0>(x, x * 2)) == computed({2 * rows, columns}, [&](auto i) {
              return x(i[0] % rows, i[1]) * (i[0] < rows ? 1 : 2);
          }));
    auto const three = slice(x, felt::range(0, 3), felt::all());
    CHECK(values(felt::scatter_add<0>({5, columns}, at, three)) ==
          computed({5, columns}, [&](auto i) {
              return i[0] == 0 ? x(1, i[1]) : i[0] == 4 ? x(0, i[1]) + x(2, i[1]) : 0.F;
          }));
    matrix y({rows, columns});
    slice(y, felt::all(), felt::range(3, 7)) = slice(x, felt::all(), felt::range(0, 4));
    CHECK(values(y) == computed({rows, columns}, [&](auto i) {
              return i[1] >= 3 && i[1] < 7 ? x(i[0], i[1] - 3) : 0.F;
          }));
    felt::view<felt::ColMajor>(y.data(), {columns, rows}) = transpose(x);
    CHECK(values(y) == values(x));
}

TEST_CASE("reduce: over some axes and over all") {
    matrix const x = wide();
    auto const over_columns = [&](double start, auto f) {
        return computed({rows}, [&](auto at) {
            double total = start;
            for (index_t j = 0; j < columns; ++j) total = f(total, double(x(at[0], j)));
            return total;
        });
    };
    auto const total = over_columns(0, [](double a, double b) { return a + b; });
    CHECK(values(felt::sum<1>(x)) == total);
    CHECK(values(felt::mean<-1>(x) * columns) == near(total, 1e-5));
    auto const largest = over_columns(-99, [](double a, double b) { return std::max(a, b); });
    auto const smallest = over_columns(99, [](double a, double b) { return std::min(a, b); });
    CHECK(values(felt::max<1>(x)) == largest);
    CHECK(values(felt::min<1>(x)) == smallest);
    CHECK(values(felt::prod<1>(sign(x) * 2)) ==
          over_columns(1, [](double a, double b) { return a * 2 * ((b > 0) - (b < 0)); }));
    auto const most = felt::eval(felt::argmax<1>(x)), least = felt::eval(felt::argmin<1>(x));
    for (index_t i = 0; i < rows; ++i) {
        float const *const begin = &x(i, 0), *const end = begin + columns;
        CHECK(most(i) == std::max_element(begin, end) - begin);
        CHECK(least(i) == std::min_element(begin, end) - begin);
    }
    CHECK(bool(felt::any(x > 4)));
    CHECK(!bool(felt::all(x > 4)));
    auto const soft = felt::eval(felt::softmax<0>(x));
    CHECK(values(felt::sum<0>(soft)) == near(computed({columns}, [](auto) { return 1; }), 1e-5));
    CHECK(values(felt::log_softmax<0>(x)) == near(values(log(soft)), 1e-4));
    CHECK(values(felt::logsumexp<0>(x)) == near(values(log(felt::sum<0>(exp(x)))), 1e-4));
    float const sum_of_squares = sum(square(x)), length = norm2(x), variance = felt::var(x);
    CHECK(double(length) == doctest::Approx(std::sqrt(double(sum_of_squares))));
    float const middle = mean(x), spread = mean(square(x - middle));
    CHECK(double(variance) == doctest::Approx(double(spread)));
}

TEST_CASE("contract: products, alone and with what stands around them") {
    matrix const a = left(), b = right(), c = wide(7);
    auto const plain =
        computed({rows, columns}, [&](auto at) { return product_at(a, b, at[0], at[1]); });
    CHECK(values(matmul(a, b)) == near(plain, 1e-5));
    CHECK(values(felt::einsum<"ik,kj->ji">(a, b)) == near(values(transpose(matmul(a, b))), 1e-5));
    CHECK(values(felt::einsum<"ik->k">(a)) == values(felt::sum<0>(a)));
    matrix y = sigmoid(matmul(a, relu(b)) + c) * 2;
    matrix const positive = relu(b);
    CHECK(values(y) == near(computed({rows, columns},
                                     [&](auto at) {
                                         double const x = product_at(a, positive, at[0], at[1]);
                                         return 2 * logistic(x + double(c(at[0], at[1])));
                                     }),
                            1e-5));
    vector const u = test::numbered<vector>({5}), v = test::numbered<vector>({5}, 3);
    float const inner_product = dot(u, v), expected = sum(u * v);
    CHECK(inner_product == expected);
    CHECK(values(outer(u, v)) == computed({5, 5}, [&](auto at) { return u(at[0]) * v(at[1]); }));
    auto const small = felt::Tensor<double, 2>::of({{1, 2}, {3, 4}});
    CHECK(values(kron(small, small)) == computed({4, 4}, [&](auto at) {
              return small(at[0] / 2, at[1] / 2) * small(at[0] % 2, at[1] % 2);
          }));
    CHECK(values(matmul(small, transpose(small))) == test::plain{{2, 2}, {5, 11, 11, 25}});
}

TEST_CASE("fill: tensors that are computed") {
    CHECK(values(felt::zeros<float>({3, 4}) + felt::full({4}, 2)) ==
          computed({3, 4}, [](auto) { return 2; }));
    CHECK(values(felt::iota<int>({3, 40})) ==
          computed({3, 40}, [](auto at) { return 40 * at[0] + at[1]; }));
    felt::Tensor<double, 2> const u = felt::uniform<double>({50, 41}, 7);
    felt::Tensor<double, 2> const n = felt::normal<double>({50, 41}, 7);
    felt::uniform_stream<double> const uniform{7};
    felt::normal_stream<double> const normal{7};
    CHECK(values(u) == computed({50, 41}, [&](auto i) { return uniform.at(41 * i[0] + i[1]); }));
    CHECK(values(n) ==
          near(computed({50, 41}, [&](auto i) { return normal.at(41 * i[0] + i[1]); }), 1e-14));
    auto const labels = felt::Tensor<int, 1>::of({2, 0});
    CHECK(values(felt::one_hot<float>(labels, 3)) == test::plain{{2, 3}, {0, 0, 1, 1, 0, 0}});
}

TEST_CASE("run: groups, plans, unfused") {
    matrix const x = wide(), z = wide(4);
    matrix c = x, h, other;
    felt::fuse(assign(c, c * 0.5F + z), assign(h, z * tanh(c)));
    CHECK(values(c) == values(x * 0.5F + z));
    CHECK(values(h) == near(values(z * tanh(x * 0.5F + z)), 1e-5));

    auto const centred = matmul(left(), right()) - mean<1>(matmul(left(), right()), felt::keepdims);
    matrix y({rows, columns});
    run(felt::unfused, assign(y, centred), assign(other, y + 1));
    CHECK(values(y) == near(values(centred), 1e-4));
    CHECK(values(other) == values(y + 1));

    auto const s = assign(y, centred);
    auto const plan = explain(s);
    CHECK(plan.intermediates().empty());
    CHECK(plan.flops() > 2 * rows * columns * inner);
    CHECK(plan.bytes() < plan.bytes_unfused());
    std::ostringstream text;
    text << plan;
    CHECK(text.str().find("one pass over (13, 37)") != std::string::npos);
    static_assert(felt::fully_fused<std::remove_cvref_t<decltype(centred)>>);

    auto const before = felt::allocations();
    noalias(y) = sigmoid(matmul(left(), right()));
    CHECK(felt::allocations().tensors - before.tensors == 2);  // the operands'
    CHECK(all_close(y, sigmoid(matmul(left(), right()))));
}

TEST_CASE("errors: what is thrown says why") {
    matrix y({2, 3}), x({3, 2});
    CHECK(test::message([&] { y = x; }) == "assign: (3, 2) does not fit (2, 3)");
    CHECK(test::message([&] { y = x + y; }).find("(3, 2)") != std::string::npos);
}

TEST_CASE("nn: an optimiser finds the minimum") {
    felt::Tensor<double, 1> const goal = felt::iota<double>({20});
    felt::lbfgs<double> optimiser(felt::Tensor<double, 1>({20}));
    auto const cost = [&](felt::Tensor<double, 1> const& x, felt::Tensor<double, 1>& gradient) {
        auto const weight = felt::iota<double>({20}) + 1;
        gradient = weight * (x - goal);
        double const value = sum(weight * square(x - goal)) / 2;
        return value;
    };
    while (optimiser.iteration() < 200 && optimiser.step(cost)) {
    }
    CHECK(all_close(optimiser.x(), goal, 1e-4, 1e-4));
}

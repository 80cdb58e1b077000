// SPDX-License-Identifier: BSD-3-Clause
//
// Factors are multiplied again, solutions put in: what remains is rounding. Products are plain
// loops in double.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/linalg.hpp>
#include <vector>

using felt::Tensor, felt::index_t, felt::norm_order;
using test::message, test::near, test::plain, test::values;

namespace {

template <class T>
constexpr double eps = std::numeric_limits<T>::epsilon();

// sum_k a(i, k) b(k, j), of plain matrices.
plain times(plain const& a, plain const& b) {
    plain y{{a.extents[0], b.extents[1]}, {}};
    for (index_t i = 0; i < a.extents[0]; ++i) {
        for (index_t j = 0; j < b.extents[1]; ++j) {
            double sum = 0;
            for (index_t k = 0; k < a.extents[1]; ++k) sum += a(i, k) * b(k, j);
            y.values.push_back(sum);
        }
    }
    return y;
}

plain flipped(plain const& a) {
    plain y{{a.extents[1], a.extents[0]}, {}};
    for (index_t j = 0; j < a.extents[1]; ++j) {
        for (index_t i = 0; i < a.extents[0]; ++i) y.values.push_back(a(i, j));
    }
    return y;
}

plain identity(index_t n) {
    plain y{{n, n}, std::vector<double>(static_cast<std::size_t>(n * n))};
    for (index_t i = 0; i < n; ++i) y.values[static_cast<std::size_t>(i * n + i)] = 1;
    return y;
}

template <class V>
plain diagonal(V const& s) {
    plain y = identity(s.extent(0));
    for (index_t i = 0; i < s.extent(0); ++i) {
        y.values[static_cast<std::size_t>(i * s.extent(0) + i)] = static_cast<double>(s(i));
    }
    return y;
}

template <class T>
Tensor<T, 2> some(index_t m, index_t n, unsigned seed = 1) {
    return felt::normal<T>({m, n}, seed);
}

// Symmetric, with eigenvalues from 1.
template <class T>
Tensor<T, 2> positive(index_t n) {
    Tensor<T, 2> const a = some<T>(n, n, 7);
    Tensor<T, 2> y = matmul(transpose(a), a) / static_cast<T>(n + 1);
    for (index_t i = 0; i < n; ++i) y(i, i) += 1;
    return y;
}

// f with views of matrices of m x n: by rows, by columns, with gaps, backwards and transposed.
template <class T, class F>
void in_layouts(index_t m, index_t n, F f) {
    using matrix = felt::View<T const, 2>;
    auto const a = some<T>(m, n);
    auto const wide = some<T>(2 * m + 1, 3 * n + 1), other = some<T>(n, m);
    matrix const apart(wide.data() + 1, a.extents(), {{2 * (3 * n + 1), 3}});
    f(matrix(a.data(), a.extents(), {{n, 1}}));
    f(matrix(a.data(), a.extents(), {{1, m}}));
    f(apart);
    f(matrix(flip<0>(apart)));
    f(matrix(transpose(view(other))));
}

index_t const sizes[] = {0, 1, 2, 3, 7, 19};

}  // namespace

TEST_CASE_TEMPLATE("solve and inv undo the product", T, float, double) {
    for (index_t n : sizes) {
        in_layouts<T>(n, n, [&](auto const& a) {
            double const slack = 5000 * eps<T> * static_cast<double>(n + 1);
            plain const pa = values(a);
            auto const b = some<T>(n, 3, 5);
            CHECK(times(pa, values(felt::solve(a, b))) == near(values(b), slack));
            CHECK(times(pa, values(felt::inv(a))) == near(identity(n), slack));
            Tensor<T, 1> const v = slice(b, felt::all(), 1);
            plain x = values(felt::solve(a, v));
            x.extents = {n, 1};
            plain pv = values(v);
            pv.extents = {n, 1};
            CHECK(times(pa, x) == near(pv, slack));
        });
    }
}

TEST_CASE("known answers") {
    auto const a = Tensor<double, 2>::of({{2, 1}, {1, 3}});
    CHECK(values(felt::solve(a, Tensor<double, 1>::of({3, 5}))) == near({{2}, {0.8, 1.4}}, 1e-14));
    CHECK(felt::det(a) == doctest::Approx(5));
    CHECK(felt::det(Tensor<int, 2>::of({{0, 1}, {1, 0}})) == -1);
    CHECK(felt::det(Tensor<float, 2>::of({{1, 2}, {2, 4}})) == 0);
    CHECK(felt::det(Tensor<float, 2>()) == 1);
    CHECK(felt::slogdet(Tensor<double, 2>::of({{0, 2}, {3, 0}})).sign == -1);
    CHECK(felt::slogdet(Tensor<double, 2>::of({{0, 2}, {3, 0}})).logabsdet ==
          doctest::Approx(std::log(6)));
    CHECK(felt::slogdet(Tensor<double, 2>::of({{1, 1}, {1, 1}})).sign == 0);
    CHECK(felt::slogdet(Tensor<double, 2>::of({{1, 1}, {1, 1}})).logabsdet == -test::infinity);
    CHECK(values(felt::eigvalsh(a)) ==
          near({{2}, {(5 - std::sqrt(5)) / 2, (5 + std::sqrt(5)) / 2}}, 1e-14));
    CHECK(values(felt::matrix_power(a, 3)) == near({{2, 2}, {15, 20, 20, 35}}, 1e-12));
    CHECK(values(felt::matrix_power(a, 0)) == identity(2));
    CHECK(values(felt::matrix_power(a, -2)) == near({{2, 2}, {.4, -.2, -.2, .2}}, 1e-12));
}

TEST_CASE("expressions are evaluated first, and other layouts read where they are") {
    auto const a = some<float>(5, 5);
    Tensor<float, 2, felt::Host, felt::ColMajor> const columns = a;
    CHECK(values(felt::inv(columns)) == values(felt::inv(a)));
    CHECK(values(felt::inv(2.f * a)) == near(values(felt::eval(felt::inv(a) / 2.f)), 1e-4));
}

TEST_CASE("determinants multiply") {
    for (index_t n : sizes) {
        auto const a = some<double>(n, n, 1), b = some<double>(n, n, 2);
        double const both = felt::det(felt::matmul(a, b));
        CHECK(both == doctest::Approx(felt::det(a) * felt::det(b)));
        auto const [sign, log] = felt::slogdet(a);
        CHECK(sign * std::exp(log) == doctest::Approx(felt::det(a)));
    }
}

TEST_CASE_TEMPLATE("cholesky reads one triangle", T, float, double) {
    for (index_t n : sizes) {
        auto a = positive<T>(n);
        plain const whole = values(a);
        auto b = a;
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = i + 1; j < n; ++j)
                a(i, j) = b(j, i) = std::numeric_limits<T>::quiet_NaN();
        }
        plain const l = values(felt::cholesky(a)), u = values(felt::cholesky(b, true));
        CHECK(times(l, flipped(l)) == near(whole, 50 * eps<T>));
        CHECK(u == near(flipped(l), 50 * eps<T>));
        for (index_t i = 0; i + 1 < n; ++i) CHECK(l(i, i + 1) == 0);
    }
}

TEST_CASE_TEMPLATE("q r and u s vh are the matrix, with orthonormal columns", T, float, double) {
    for (index_t m : sizes) {
        for (index_t n : {index_t{0}, index_t{1}, index_t{5}, index_t{19}}) {
            in_layouts<T>(m, n, [&](auto const& a) {
                plain const pa = values(a);
                for (auto how : {felt::factors::reduced, felt::factors::complete}) {
                    index_t const inner = how == felt::factors::complete ? m : std::min(m, n);
                    auto const f = felt::qr(a, how);
                    plain const q = values(f.q), r = values(f.r);
                    CHECK(times(q, r) == near(pa, 300 * eps<T>));
                    CHECK(times(flipped(q), q) == near(identity(inner), 300 * eps<T>));
                    CHECK(q.extents == std::vector<index_t>{m, inner});
                    for (index_t i = 0; i < inner; ++i) {
                        for (index_t j = 0; j < std::min(i, n); ++j) CHECK(r(i, j) == 0);
                    }
                }
                auto const f = felt::svd(a, felt::factors::reduced);
                plain const u = values(f.u), vh = values(f.vh);
                CHECK(times(times(u, diagonal(f.s)), vh) == near(pa, 500 * eps<T>));
                CHECK(times(flipped(u), u) == near(identity(std::min(m, n)), 500 * eps<T>));
                CHECK(values(felt::svdvals(a)) == near(values(f.s), 500 * eps<T>));
                for (index_t i = 0; i + 1 < f.s.size(); ++i) CHECK(f.s(i) >= f.s(i + 1));
                auto const whole = felt::svd(a);
                CHECK(times(values(whole.u), flipped(values(whole.u))) ==
                      near(identity(m), 500 * eps<T>));
                CHECK(times(values(whole.vh), flipped(values(whole.vh))) ==
                      near(identity(n), 500 * eps<T>));
            });
        }
    }
}

TEST_CASE_TEMPLATE("eigenvectors are only stretched", T, float, double) {
    for (index_t n : sizes) {
        auto const a = positive<T>(n);
        auto const [w, v] = felt::eigh(a);
        CHECK(times(values(a), values(v)) == near(times(values(v), diagonal(w)), 500 * eps<T>));
        CHECK(times(flipped(values(v)), values(v)) == near(identity(n), 500 * eps<T>));
        CHECK(values(felt::eigvalsh(a)) == near(values(w), 500 * eps<T>));
        for (index_t i = 0; i + 1 < n; ++i) CHECK(w(i) <= w(i + 1));
    }
}

TEST_CASE("least squares leave a residual that the columns do not see") {
    auto const a = some<double>(17, 5);
    auto const b = some<double>(17, 3, 2);
    auto const f = felt::lstsq(a, b);
    Tensor<double, 2> const r = matmul(a, f.x) - b;
    CHECK(times(flipped(values(a)), values(r)) == near({{5, 3}, std::vector<double>(15)}, 1e-12));
    CHECK(f.rank == 5);
    CHECK(values(f.s) == near(values(felt::svdvals(a)), 1e-12));
    Tensor<double, 1> const x = felt::lstsq(a, slice(b, felt::all(), 0)).x;
    CHECK(values(x) == near(values(felt::eval(slice(f.x, felt::all(), 0))), 1e-12));
    auto const low = Tensor<double, 2>::of({{1, 2}, {2, 4}});
    CHECK(felt::matrix_rank(low) == 1);
    CHECK(felt::matrix_rank(some<float>(7, 3)) == 3);
    CHECK(felt::matrix_rank(Tensor<float, 2>({3, 4})) == 0);
    CHECK(felt::matrix_rank(Tensor<float, 2>({0, 4})) == 0);
    CHECK(felt::matrix_rank(Tensor<double, 2>::of({{1, 0}, {0, 1e-3}}), 0.01) == 1);
    CHECK(values(felt::pinv(low)) == near({{2, 2}, {.04, .08, .08, .16}}, 1e-14));
    CHECK(times(values(felt::pinv(a)), values(a)) == near(identity(5), 1e-12));
    CHECK(values(felt::pinv(Tensor<float, 2>({0, 3}))).extents == std::vector<index_t>{3, 0});
}

TEST_CASE("matrix norms") {
    auto const a = Tensor<double, 2>::of({{1, -2}, {3, 4}});
    CHECK(felt::matrix_norm(a) == doctest::Approx(std::sqrt(30)));
    CHECK(felt::matrix_norm(a, norm_order::one) == 6);
    CHECK(felt::matrix_norm(a, norm_order::minus_one) == 4);
    CHECK(felt::matrix_norm(a, norm_order::inf) == 7);
    CHECK(felt::matrix_norm(a, norm_order::minus_inf) == 3);
    auto const s = felt::svdvals(a);
    CHECK(felt::matrix_norm(a, norm_order::two) == doctest::Approx(s(0)));
    CHECK(felt::matrix_norm(a, norm_order::minus_two) == doctest::Approx(s(1)));
    CHECK(felt::matrix_norm(a, norm_order::nuc) == doctest::Approx(s(0) + s(1)));
    CHECK(felt::matrix_norm(Tensor<float, 2>({2, 0})) == 0);
    CHECK(std::isnan(felt::matrix_norm(a * test::not_a_number, norm_order::one)));
}

TEST_CASE("leading axes count matrices, and broadcast") {
    Tensor<double, 4> const a = felt::normal<double>({2, 3, 4, 4}, 1);
    Tensor<double, 3> const b = felt::normal<double>({3, 4, 2}, 2);
    Tensor<double, 4> const x = felt::solve(a, b);
    CHECK(felt::all_close(matmul(a, x), b, 1e-9, 1e-9));
    Tensor<double, 3> const one = felt::solve(slice(a, 0, 0, felt::all(), felt::all()), b);
    CHECK(felt::all_close(matmul(slice(a, 0, 0, felt::all(), felt::all()), one), b, 1e-9, 1e-9));
    Tensor<double, 3> const v = felt::solve(a, Tensor<double, 1>::of({1, 2, 3, 4}));
    CHECK(v.extents() == felt::extents<3>{{2, 3, 4}});
    Tensor<double, 2> const d = felt::det(a);
    Tensor<double, 4> const f = felt::svd(a).u;
    auto const last = slice(a, 1, 2, felt::all(), felt::all());
    CHECK(d(1, 2) == doctest::Approx(felt::det(last)));
    CHECK(values(felt::svdvals(a))(1, 2, 3) == doctest::Approx(felt::svdvals(last)(3)));
    CHECK(felt::all_close(felt::inv(felt::inv(a)), a, 1e-6, 1e-6));
    CHECK(felt::matrix_rank(a)(0, 1) == 4);
    CHECK(felt::det(Tensor<float, 3>({0, 2, 2})).size() == 0);
    Tensor<double, 3> const r = felt::normal<double>({3, 5, 4}, 9);
    auto const l = felt::lstsq(r, felt::normal<double>({3, 5}, 10));
    CHECK(l.x.extents() == felt::extents<2>{{3, 4}});
    CHECK(l.rank(2) == 4);
}

TEST_CASE("errors name the function, the extents and the reason") {
    Tensor<float, 2> const a({2, 3}), zero({3, 3});
    CHECK(message([&] { (void)felt::inv(a); }) == "inv: (2, 3) are no square matrices");
    CHECK(message([&] { (void)felt::solve(zero, Tensor<float, 1>({4})); }) ==
          "solve: (3, 3) and (4): 3 is not 4");
    CHECK(message([&] {
              (void)felt::solve(Tensor<float, 3>({2, 3, 3}), Tensor<float, 3>({4, 3, 1}));
          }) == "solve: shapes (2, 3, 3) and (4, 3, 1) do not broadcast");
    CHECK(message([&] { (void)felt::lstsq(a, Tensor<float, 1>({3})); }) == "lstsq: (2, 3) and (3)");
    CHECK_THROWS_AS((void)felt::inv(a), felt::shape_error);
    CHECK(message([&] { (void)felt::inv(zero); }) ==
          "inv: the matrix (3, 3) is singular: pivot 0 is 0");
    CHECK(message([&] { (void)felt::cholesky(-1 * positive<float>(3)); }) ==
          "cholesky: the matrix (3, 3) is not positive definite");
    CHECK(message([&] { (void)felt::svd(a / 0); }) == "svd: the matrix (2, 3) is not finite");
    CHECK(message([&] { (void)felt::eigh(zero / 0); }) == "eigh: the matrix (3, 3) is not finite");
    CHECK_THROWS_AS((void)felt::eigh(zero / 0), felt::linalg_error);
    CHECK_THROWS_AS((void)felt::matrix_power(zero, -1), felt::error);
    CHECK(values(felt::inv(Tensor<double, 2>::of({{test::not_a_number}})))(0, 0) !=
          values(felt::inv(Tensor<double, 2>::of({{test::not_a_number}})))(0, 0));
}

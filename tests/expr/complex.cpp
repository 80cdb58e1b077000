// SPDX-License-Identifier: BSD-3-Clause
//
// Complex elements against loops over std::complex<double>.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

using felt::Tensor, felt::index_t, felt::value_of;

namespace {

using wide = std::complex<double>;

template <class C, class Layout = felt::RowMajor>
Tensor<C, 2, felt::Host, Layout> numbers(index_t m, index_t n, unsigned seed) {
    using T = felt::real_of<C>;
    Tensor<C, 2, felt::Host, Layout> z({m, n});
    z = felt::complex(felt::normal<T>({m, n}, seed), felt::normal<T>({m, n}, seed + 1));
    return z;
}

template <class T>
bool near(T x, wide y, double times = 1) {
    double const eps = std::numeric_limits<felt::real_of<T>>::epsilon();
    return std::abs(wide(x) - y) <= times * 16 * eps * (1 + std::abs(y));
}

// f of the elements of z and w as the elements of y.
template <class Y, class Z, class W, class F>
void expect(Y const& y, Z const& z, W const& w, F const& f) {
    for (index_t i = 0; i < z.extent(0); ++i) {
        for (index_t j = 0; j < z.extent(1); ++j)
            CHECK(near(y(i, j), f(wide(z(i, j)), wide(w(i, j)))));
    }
}

template <class T, class E, class Z, class W, class F>
void runs_as(E const& e, Z const& z, W const& w, F const& f) {
    Tensor<T, 2> y, alone;
    y = e;
    expect(y, z, w, f);
    alone.reset(e.extents());
    run(felt::unfused, assign(alone, e));
    expect(alone, z, w, f);
    Tensor<T, 2, felt::Host, felt::ColMajor> turned(e.extents());
    turned = e;
    expect(turned, z, w, f);
}

}  // namespace

TEST_CASE_TEMPLATE("arithmetic of complex numbers", T, float, double) {
    using C = std::complex<T>;
    for (index_t n : {1, 2, 7, 16, 17, 33}) {
        auto const z = numbers<C>(3, n, 1);
        auto const w = numbers<C, felt::ColMajor>(3, n, 3);
        runs_as<C>(z + w, z, w, [](auto a, auto b) { return a + b; });
        runs_as<C>(z - w, z, w, [](auto a, auto b) { return a - b; });
        runs_as<C>(z * w, z, w, [](auto a, auto b) { return a * b; });
        runs_as<C>(z / w, z, w, [](auto a, auto b) { return a / b; });
        runs_as<C>(-z, z, w, [](auto a, auto) { return -a; });
        runs_as<C>(square(z), z, w, [](auto a, auto) { return a * a; });
        runs_as<C>(reciprocal(z), z, w, [](auto a, auto) { return 1. / a; });
        runs_as<C>(conj(z) * C(0, 2), z, w, [](auto a, auto) { return std::conj(a) * wide(0, 2); });
        runs_as<C>(2 * z + 1, z, w, [](auto a, auto) { return 2. * a + 1.; });
        runs_as<C>(where(real(z) > T(0), z, w), z, w,
                   [](auto a, auto b) { return a.real() > 0 ? a : b; });
    }
}

TEST_CASE_TEMPLATE("functions of complex numbers", T, float, double) {
    using C = std::complex<T>;
    auto const z = numbers<C>(5, 7, 1);
    auto const w = numbers<C>(5, 7, 3);
    runs_as<T>(abs(z), z, w, [](auto a, auto) { return std::abs(a); });
    runs_as<T>(angle(z), z, w, [](auto a, auto) { return std::arg(a); });
    runs_as<T>(real(z + w), z, w, [](auto a, auto b) { return std::real(a + b); });
    runs_as<T>(imag(z + w), z, w, [](auto a, auto b) { return std::imag(a + b); });
    runs_as<C>(exp(z), z, w, [](auto a, auto) { return std::exp(a); });
    runs_as<C>(log(z), z, w, [](auto a, auto) { return std::log(a); });
    runs_as<C>(sqrt(z), z, w, [](auto a, auto) { return std::sqrt(a); });
    runs_as<C>(sin(z), z, w, [](auto a, auto) { return std::sin(a); });
    runs_as<C>(cos(z), z, w, [](auto a, auto) { return std::cos(a); });
    runs_as<C>(tan(z), z, w, [](auto a, auto) { return std::tan(a); });
    runs_as<C>(sinh(z), z, w, [](auto a, auto) { return std::sinh(a); });
    runs_as<C>(cosh(z), z, w, [](auto a, auto) { return std::cosh(a); });
    runs_as<C>(tanh(z), z, w, [](auto a, auto) { return std::tanh(a); });
    runs_as<C>(pow(z, w), z, w, [](auto a, auto b) { return std::pow(a, b); });
    runs_as<C>(pow(z, 3), z, w, [](auto a, auto) { return a * a * a; });
}

TEST_CASE("real and complex numbers meet") {
    using F = std::complex<float>;
    using D = std::complex<double>;
    Tensor<float, 1> x({3});
    Tensor<double, 1> d({3});
    Tensor<int, 1> n({3});
    Tensor<F, 1> z({3});
    CHECK(std::is_same_v<value_of<decltype(z + x)>, F>);
    CHECK(std::is_same_v<value_of<decltype(z + d)>, D>);
    CHECK(std::is_same_v<value_of<decltype(z + n)>, F>);
    CHECK(std::is_same_v<value_of<decltype(z * 2.0)>, F>);
    CHECK(std::is_same_v<value_of<decltype(x * D(0, 1))>, F>);
    CHECK(std::is_same_v<value_of<decltype(n * F(0, 1))>, F>);
    CHECK(std::is_same_v<value_of<decltype(abs(z))>, float>);
    CHECK(std::is_same_v<value_of<decltype(felt::complex(n, d))>, D>);
    CHECK_FALSE(felt::converts_without_narrowing<F, float>);
    CHECK_FALSE(felt::converts_without_narrowing<D, F>);
    CHECK(felt::converts_without_narrowing<float, D>);
    x = 2.f;
    z = x;
    CHECK(z(2) == F(2, 0));
    z = F(1, 2);
    z *= x;
    CHECK(z(1) == F(2, 4));
    z += 1;
    CHECK(z(0) == F(3, 4));
    Tensor<bool, 1> same = z == F(3, 4), other = z != F(3, 4);
    CHECK((same(0) && !other(1)));
    CHECK(bool(all(z != 0)));
    CHECK(bool(any(cast<bool>(z))));
    Tensor<F, 1> from = cast<F>(same) + cast<F>(n);
    CHECK(from(0) == F(1, 0));
}

TEST_CASE("the parts of memory are memory") {
    using C = std::complex<double>;
    auto z = numbers<C>(4, 5, 1);
    auto const before = z;
    imag(z) = 0.;
    CHECK(bool(all(imag(z) == 0.)));
    CHECK(all_close(real(z), real(before)));
    real(slice(z, felt::all(), felt::range(1, 5, 2))) += 1.;
    CHECK(z(2, 3) == C(before(2, 3).real() + 1, 0));
    CHECK(z(2, 2).real() == before(2, 2).real());
    CHECK(std::is_same_v<decltype(real(transpose(before))), felt::View<double const, 2>>);
    real(z) = imag(before);
    imag(z) = real(before);  // the parts exchanged
    CHECK(z(3, 1) == C(before(3, 1).imag(), before(3, 1).real()));
    z = felt::complex(imag(z), real(z));  // reads by other indices what it writes
    CHECK(z(3, 1) == before(3, 1));
    Tensor<C, 1> v({6});
    v = felt::complex(felt::iota<double>(6), 0);
    slice(v, felt::range(0, 6, 2)) = felt::complex(real(slice(v, felt::until(3))), 1);
    for (int i = 0; i < 3; ++i) CHECK(v(2 * i) == C(i, 1));
    CHECK(all_close(real(numbers<C>(4, 5, 1)), real(before)));  // of a temporary
}

TEST_CASE_TEMPLATE("sums, products and means of complex numbers", T, float, double) {
    using C = std::complex<T>;
    for (index_t m : {0, 1, 2, 15, 33}) {
        for (index_t n : {0, 1, 3, 8, 31, 130}) {
            auto const z = numbers<C>(m, n, 5);
            wide total = 0;
            std::vector<wide> columns(static_cast<std::size_t>(n)),
                rows(static_cast<std::size_t>(m));
            for (index_t i = 0; i < m; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    total += wide(z(i, j));
                    columns[static_cast<std::size_t>(j)] += wide(z(i, j));
                    rows[static_cast<std::size_t>(i)] += wide(z(i, j));
                }
            }
            C const all = sum(z), turned = sum(transpose(z) + T(0));
            CHECK(near(all, total, 8));
            CHECK(near(turned, total, 8));
            Tensor<C, 1> const c = sum<0>(z), r = sum<1>(z);
            for (index_t j = 0; j < n; ++j)
                CHECK(near(c(j), columns[static_cast<std::size_t>(j)], 4));
            for (index_t i = 0; i < m; ++i) CHECK(near(r(i), rows[static_cast<std::size_t>(i)], 8));
            if (m * n > 0) CHECK(near(C(mean(z)), total / double(m * n), 8));
        }
    }
    Tensor<C, 1> const z = Tensor<C, 1>::of({C(1, 2), C(0, 1), C(3, -1)});
    CHECK(C(prod(z)) == C(-5, 5));
    CHECK(C(prod(slice(z, felt::until(0)))) == C(1, 0));
    CHECK(near(T(var(z)), 28. / 9));  // of |z - mean|^2
    CHECK(near(T(norm2(z)), 4.));
}

TEST_CASE("long sums of complex numbers carry what they round") {
    using C = std::complex<float>;
    Tensor<C, 2> z({1000000, 1});
    z = C(0.1f, -0.1f);
    Tensor<C, 1> const columns = sum<0>(z);
    C const all = sum(z);
    CHECK(std::abs(columns(0) - C(100000, -100000)) < 1);
    CHECK(std::abs(all - C(100000, -100000)) < 1);
}

namespace {
template <class A, class B>
wide plain_product(A const& a, B const& b, index_t i, index_t j) {
    wide y = 0;
    for (index_t k = 0; k < a.extent(1); ++k) y += wide(a(i, k)) * wide(b(k, j));
    return y;
}
}  // namespace

TEST_CASE_TEMPLATE("products of complex matrices", T, float, double) {
    using C = std::complex<T>;
    for (index_t m : {1, 5, 33}) {
        for (index_t k : {0, 1, 17}) {
            for (index_t n : {1, 16, 35}) {
                auto const a = numbers<C>(m, k, 1);
                auto const b = numbers<C, felt::ColMajor>(k, n, 3);
                Tensor<T, 2> const x = real(b);
                Tensor<C, 2> const both = matmul(a, b), right = matmul(a, x);
                Tensor<C, 2> const left = matmul(transpose(x), transpose(a));
                Tensor<C, 2> const nested = matmul(conj(a) * T(2), b + C(0, 1));
                Tensor<C, 2> const a2 = conj(a) * T(2), b2 = b + C(0, 1);
                for (index_t i = 0; i < m; ++i) {
                    for (index_t j = 0; j < n; ++j) {
                        CHECK(near(both(i, j), plain_product(a, b, i, j), 4));
                        CHECK(near(right(i, j), plain_product(a, x, i, j), 4));
                        CHECK(near(left(j, i), plain_product(a, x, i, j), 4));
                        CHECK(near(nested(i, j), plain_product(a2, b2, i, j), 8));
                    }
                }
            }
        }
    }
}

TEST_CASE("vectors, and letters") {
    using C = std::complex<double>;
    auto const a = numbers<C>(4, 4, 1), b = numbers<C>(4, 4, 3);
    auto const u = slice(a, 1, felt::all()), v = slice(b, felt::all(), 2);
    wide expected = 0;
    for (index_t i = 0; i < 4; ++i) expected += u(i) * v(i);
    CHECK(near(C(dot(u, v)), expected));
    CHECK(near(C(felt::einsum<"ij,ij->">(a, b)), C(sum(a * b))));
    CHECK(all_close(outer(u, v), expand_dims<1>(u) * expand_dims<0>(v)));
    CHECK(all_close(felt::einsum<"ik,jk->ij">(a, b), matmul(a, transpose(b))));
    CHECK(all_close(matmul(matmul(a, b), a), matmul(a, matmul(b, a))));
    CHECK(near(C(trace(a)), C(felt::einsum<"ii->">(a))));
}

TEST_CASE("nothing is written beside a product") {
    using C = std::complex<float>;
    auto const a = numbers<C>(200, 150, 1), b = numbers<C>(150, 300, 3);
    Tensor<C, 2> y({200, 300});
    auto const plan = explain(assign(y, matmul(a, b) + C(1, 0)));
    CHECK(plan.intermediates().empty());
    auto const before = felt::allocations();
    y = matmul(a, b) + C(1, 0);
    CHECK(felt::allocations().tensors == before.tensors);
}

TEST_CASE("views of complex numbers") {
    using C = std::complex<double>;
    auto const z = numbers<C>(5, 6, 1);
    Tensor<C, 2> const turned = transpose(z), back = felt::flip<1>(z);
    Tensor<C, 2> const rolled = felt::roll<1>(z, 2), padded = pad(z, {{1, 1}, {0, 2}});
    Tensor<C, 1> const flat = reshape(transpose(z), {30});
    Tensor<C, 2> const twice = felt::concat<0>(z, z),
                       taken = felt::gather<0>(z, Tensor<int, 1>::of({4, 0}));
    for (index_t i = 0; i < 5; ++i) {
        for (index_t j = 0; j < 6; ++j) {
            CHECK(turned(j, i) == z(i, j));
            CHECK(back(i, 5 - j) == z(i, j));
            CHECK(rolled(i, (j + 2) % 6) == z(i, j));
            CHECK(padded(i + 1, j) == z(i, j));
            CHECK(flat(j * 5 + i) == z(i, j));
            CHECK(twice(i + 5, j) == z(i, j));
        }
    }
    CHECK(padded(0, 0) == C(0, 0));
    CHECK(taken(0, 3) == z(4, 3));
    Tensor<C, 2> const up = felt::upsample(z, {2, 3});
    CHECK(up(9, 17) == z(4, 5));
}

TEST_CASE_TEMPLATE("logic of comparisons of complex numbers is logic", T, float, double) {
    using Z = std::complex<T>;
    for (index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) {
        CAPTURE(n);
        Tensor<Z, 1> x({n}), y({n});
        for (index_t i = 0; i < n; ++i) {
            x(i) = Z(T(i % 3), T(i % 2));
            y(i) = i % 5 == 0 ? Z(std::numeric_limits<T>::quiet_NaN(), 1) : Z(T(i % 3), 1);
        }
        auto const check = [&](auto const& e, auto f) {
            auto const r = eval(e);
            for (index_t i = 0; i < n; ++i) CHECK((r(i) != 0) == f(x(i) == y(i), x(i) == Z(0)));
        };
        auto const a = x == y;
        auto const b = x == Z(0);
        check(a, [](bool p, bool) { return p; });
        check(!a, [](bool p, bool) { return !p; });
        check(x != y, [](bool p, bool) { return !p; });
        check(!(x != y), [](bool p, bool) { return p; });
        check(a && b, [](bool p, bool q) { return p && q; });
        check(a || !b, [](bool p, bool q) { return p || !q; });
        check(~a & b, [](bool p, bool q) { return !p && q; });
        check(a ^ b, [](bool p, bool q) { return p != q; });
        check(logical_xor(a, b), [](bool p, bool q) { return p != q; });
        check(a == b, [](bool p, bool q) { return p == q; });
        check(where(a, b, !b), [](bool p, bool q) { return p ? q : !q; });
        check(where(a && b, T(1), T(0)), [](bool p, bool q) { return p && q; });
        CHECK(index_t(sum(!a)) == n - index_t(sum(a)));
        CHECK(bool(any(!a)) == (index_t(sum(a)) != n));
        CHECK(index_t(argmax(a)) == index_t(argmax(Tensor<bool, 1>(a))));
    }
}

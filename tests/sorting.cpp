// SPDX-License-Identifier: BSD-3-Clause
//
// Each function against std::'s algorithms on plain arrays, line by line; NumPy's conventions as
// literal answers.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/sorting.hpp>
#include <complex>
#include <functional>
#include <map>
#include <numeric>

using felt::index_t, felt::Tensor, felt::sort_order, felt::side;
using test::computed, test::message, test::near, test::plain, test::values;

namespace {

constexpr double qnan = test::not_a_number, inf = test::infinity;

bool less(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

using line = std::vector<double>;

// f of every line of x along an axis, each as long as f makes it.
plain along(plain const& x, std::size_t axis, std::function<line(line)> const& f) {
    index_t outer = 1, inner = 1;
    for (std::size_t r = 0; r < x.extents.size(); ++r) {
        if (r < axis) outer *= x.extents[r];
        if (r > axis) inner *= x.extents[r];
    }
    index_t const n = x.extents[axis];
    plain y = x;
    index_t const k = y.extents[axis] =
        static_cast<index_t>(f(line(static_cast<std::size_t>(n))).size());
    y.values.assign(static_cast<std::size_t>(outer * k * inner), 0);
    for (index_t o = 0; o < outer; ++o) {
        for (index_t i = 0; i < inner; ++i) {
            line one;
            for (index_t j = 0; j < n; ++j) {
                one.push_back(x.values[static_cast<std::size_t>((o * n + j) * inner + i)]);
            }
            one = f(one);
            for (index_t j = 0; j < k; ++j) {
                y.values[static_cast<std::size_t>((o * k + j) * inner + i)] =
                    one[static_cast<std::size_t>(j)];
            }
        }
    }
    return y;
}

line places(line const& x, bool descending) {
    line p(x.size());
    std::iota(p.begin(), p.end(), 0.0);
    std::stable_sort(p.begin(), p.end(), [&](double a, double b) {
        double const u = x[static_cast<std::size_t>(a)], v = x[static_cast<std::size_t>(b)];
        return descending ? less(v, u) : less(u, v);
    });
    return p;
}

line sorted(line const& x, bool descending = false) {
    line y;
    for (double p : places(x, descending)) y.push_back(x[static_cast<std::size_t>(p)]);
    return y;
}

line first(line x, std::size_t k) {
    x.resize(k);
    return x;
}

double linear(line x, double q) {
    x = sorted(x);
    if (std::isnan(x.back())) return qnan;
    double const h = q * static_cast<double>(x.size() - 1);
    auto const i = static_cast<std::size_t>(h);
    double const part = h - std::floor(h);
    return part == 0 ? x[i] : (1 - part) * x[i] + part * x[i + 1];
}

// Few distinct numbers, some of them NaN and infinite if T has them.
template <class T>
Tensor<T, 3> numbers(felt::extents<3> const& e) {
    Tensor<T, 3> x = cast<T>(felt::randint(e, 0, 9, 3));
    if constexpr (std::is_floating_point_v<T>) {
        x = where(felt::uniform<T>(e, 4) < T(0.1), static_cast<T>(qnan), x);
        x = where(felt::uniform<T>(e, 5) < T(0.1), static_cast<T>(-inf), x);
    }
    return x;
}

// f(x, its values) for x as a tensor of either layout, a view with gaps, backwards, an expression.
template <class T, class F>
void in_layouts(felt::extents<3> const& e, F f) {
    auto const x = numbers<T>(e);
    auto const a = values(x);
    f(x, a);
    f(Tensor<T, 3, felt::Host, felt::ColMajor>(x), a);
    Tensor<T, 3> wide({2 * e[0] + 1, e[1], 3 * e[2] + 1});
    auto const gaps =
        slice(wide, felt::range(1, 2 * e[0] + 1, 2), felt::all(), felt::range(1, 3 * e[2] + 1, 3));
    Tensor<T, 3> turned = felt::flip<0, 2>(x);
    f(felt::flip<0, 2>(felt::view(turned)), a);
    if (a.values.empty()) return;
    auto into = gaps;
    into = x;
    f(gaps, a);
    f(cast<T>(where(felt::ones<int>(e) == 1, x, x)), a);
}

index_t const lengths[] = {0, 1, 2, 7, 17, 31};

}  // namespace

TEST_CASE("NaN is sorted last, and first if descending; equal elements stay in order") {
    auto const x = Tensor<double, 1>::of({3, qnan, -inf, 0, inf, 3, qnan, -1});
    CHECK(values(felt::sort(x)) == plain{{8}, {-inf, -1, 0, 3, 3, inf, qnan, qnan}});
    CHECK(values(felt::sort(x, sort_order::descending)) ==
          plain{{8}, {qnan, qnan, inf, 3, 3, 0, -1, -inf}});
    CHECK(values(felt::argsort(x)) == plain{{8}, {2, 7, 3, 0, 5, 4, 1, 6}});
    CHECK(values(felt::argsort(x, sort_order::descending)) == plain{{8}, {1, 6, 4, 0, 5, 3, 7, 2}});
    auto const zeros = felt::sort(Tensor<float, 1>::of({0.f, -0.f, -1.f, -0.f, 0.f}));
    CHECK(std::signbit(zeros(1)) == false);
    CHECK(std::signbit(zeros(2)) == true);
    auto const m = Tensor<int, 2>::of({{3, 1, 2}, {0, 9, -4}});
    CHECK(values(felt::sort(m)) == plain{{2, 3}, {1, 2, 3, -4, 0, 9}});
    CHECK(values(felt::sort<0>(m)) == plain{{2, 3}, {0, 1, -4, 3, 9, 2}});
    CHECK(values(felt::sort(Tensor<bool, 1>::of({true, false, true}))) == plain{{3}, {0, 1, 1}});
}

TEST_CASE_TEMPLATE("sort, argsort and topk along each axis, in any layout", T, float, int) {
    auto const check = [&]<int A>(std::integral_constant<int, A>, auto const& x, plain const& a) {
        std::size_t const k = std::min<std::size_t>(3, static_cast<std::size_t>(a.extents[A]));
        auto const most = felt::topk<A>(x, static_cast<index_t>(k));
        CHECK(values(felt::sort<A>(x)) == along(a, A, [](line v) { return sorted(v); }));
        CHECK(values(felt::sort<A - 3>(x, sort_order::descending)) ==
              along(a, A, [](line v) { return sorted(v, true); }));
        CHECK(values(felt::argsort<A>(x)) == along(a, A, [](line v) { return places(v, false); }));
        CHECK(values(felt::argsort<A>(x, sort_order::descending)) ==
              along(a, A, [](line v) { return places(v, true); }));
        CHECK(values(most.values) ==
              along(a, A, [&](line v) { return first(sorted(v, true), k); }));
        CHECK(values(most.indices) ==
              along(a, A, [&](line v) { return first(places(v, true), k); }));
    };
    for (index_t n : lengths) {
        in_layouts<T>({{5, n, 3}}, [&](auto const& x, plain const& a) {
            check(std::integral_constant<int, 0>{}, x, a);
            check(std::integral_constant<int, 1>{}, x, a);
            check(std::integral_constant<int, 2>{}, x, a);
        });
    }
}

TEST_CASE("topk takes the first of equals, or the smallest, and no more than there are") {
    auto const x = Tensor<float, 1>::of({2, 5, 1, 5, 2});
    auto const [most, at] = felt::topk(x, 3);
    CHECK(values(most) == plain{{3}, {5, 5, 2}});
    CHECK(values(at) == plain{{3}, {1, 3, 0}});
    CHECK(values(felt::topk(x, 2, sort_order::ascending).indices) == plain{{2}, {2, 0}});
    CHECK(felt::topk(x, 0).values.size() == 0);
    CHECK(message([&] { (void)felt::topk(x, 6); }) == "topk: 6 along axis 0 of (5)");
    CHECK_THROWS_AS((void)felt::topk(x, -1), felt::shape_error);
}

TEST_CASE("long rows are sorted, too, and equals stay in order") {
    for (index_t n : {16, 32, 33, 100, 1009}) {
        Tensor<double, 1> const x = cast<double>(felt::randint({n}, 0, 50, 6));
        auto const a = values(x);
        CHECK(values(felt::sort(x)) == plain{{n}, sorted(a.values)});
        CHECK(values(felt::argsort(x)) == plain{{n}, places(a.values, false)});
        CHECK(values(felt::argsort(x, sort_order::descending)) ==
              plain{{n}, places(a.values, true)});
    }
}

TEST_CASE("rows are the same for any number of threads") {
    Tensor<float, 2> const x = felt::normal<float>({700, 131}, 1);
    auto const one = felt::sort(x);
    felt::threads(3);
    CHECK(values(felt::sort(x)) == values(one));
    CHECK(values(felt::topk<0>(x, 2).values) ==
          values(slice(felt::sort<0>(x, sort_order::descending), felt::range(0, 2), felt::all())));
    felt::threads(1);
}

TEST_CASE("quantile goes linearly between elements") {
    auto const x = Tensor<int, 1>::of({7, 1, 3, 4});
    CHECK(felt::median(x) == 3.5);
    CHECK(felt::quantile(x, 0) == 1);
    CHECK(felt::quantile(x, 1) == 7);
    CHECK(felt::quantile(x, 0.25) == 2.5);
    CHECK(felt::median(Tensor<float, 1>::of({2, 9, 4})) == 4);
    CHECK(std::isnan(felt::median(Tensor<double, 1>::of({2, qnan, 4}))));
    CHECK(felt::median(Tensor<double, 1>::of({inf, inf})) == inf);
    CHECK(felt::quantile(Tensor<double, 1>::of({1, inf}), 0) == 1);
    CHECK(felt::quantile(Tensor<double, 1>::of({1, inf}), 0.75) == inf);
    CHECK(felt::median(Tensor<double, 0>()) == 0);
}

TEST_CASE_TEMPLATE("quantile and median along each axis, in any layout", T, double, int) {
    auto const check = [&]<int A>(std::integral_constant<int, A>, auto const& x, plain a) {
        for (double q : {0.0, 0.1, 0.5, 0.77, 1.0}) {
            plain expected = along(a, A, [&](line v) { return line{linear(v, q)}; });
            expected.extents.erase(expected.extents.begin() + A);
            CHECK(values(felt::quantile<A>(x, q)) == near(expected, 1e-14));
        }
        CHECK(values(felt::median<A>(x)) == values(felt::quantile<A>(x, 0.5)));
    };
    for (index_t n : {1, 2, 7, 16}) {
        in_layouts<T>({{5, n, 3}}, [&](auto const& x, plain const& a) {
            check(std::integral_constant<int, 0>{}, x, a);
            check(std::integral_constant<int, 1>{}, x, a);
            check(std::integral_constant<int, 2>{}, x, a);
        });
    }
}

TEST_CASE("a quantile of nothing, or beside 0 and 1, is an error") {
    Tensor<float, 2> const x({3, 0});
    CHECK(message([&] { (void)felt::median(x); }) == "median: no elements of (3, 0)");
    CHECK(message([&] { (void)felt::quantile<1>(x, 0.5); }) == "quantile: no elements of (3, 0)");
    CHECK(felt::quantile<0>(x, 0.5).extents() == felt::extents<1>{{0}});
    CHECK_THROWS_AS((void)felt::quantile(x, 1.01), felt::error);
    CHECK_THROWS_AS((void)felt::quantile(x, -0.01), felt::error);
    CHECK_THROWS_AS((void)felt::quantile(x, qnan), felt::error);
}

TEST_CASE("searchsorted finds the first or the last place") {
    auto const s = Tensor<int, 1>::of({1, 2, 2, 5});
    auto const v = Tensor<float, 2>::of({{2, 2.5f, 0}, {9, 5, 1}});
    CHECK(values(felt::searchsorted(s, v)) == plain{{2, 3}, {1, 3, 0, 4, 3, 0}});
    CHECK(values(felt::searchsorted(s, v + 0.f, side::right)) == plain{{2, 3}, {3, 3, 0, 4, 4, 1}});
    CHECK(values(felt::searchsorted(Tensor<float, 1>({0}), v)) == values(felt::zeros<int>({2, 3})));
    auto const with_qnan = Tensor<double, 1>::of({1, inf, qnan});
    CHECK(values(felt::searchsorted(with_qnan, Tensor<double, 1>::of({qnan, inf}))) ==
          plain{{2}, {2, 1}});
    if (FELT_CHECKED) {
        CHECK(message([&] { (void)felt::searchsorted(Tensor<int, 1>::of({2, 1}), v); }) ==
              "searchsorted: the vector (2) is not in order");
    }
    in_layouts<float>({{5, 17, 3}}, [&](auto const& x, plain const& a) {
        auto const from = sorted(first(a.values, 60));
        Tensor<float, 1> t({60});
        std::copy(from.begin(), from.end(), t.data());
        auto const expected = computed(a.extents, [&](auto at) {
            return static_cast<double>(
                std::upper_bound(from.begin(), from.end(), a(at[0], at[1], at[2]), less) -
                from.begin());
        });
        CHECK(values(felt::searchsorted(t, x, side::right)) == expected);
    });
}

TEST_CASE("isin asks whether elements are among others; NaN is not") {
    auto const x = Tensor<double, 2>::of({{1, qnan}, {4, -0.0}});
    CHECK(values(felt::isin(x, Tensor<int, 1>::of({4, 0, 4}))) == plain{{2, 2}, {0, 0, 1, 1}});
    CHECK(values(felt::isin(x, x)) == plain{{2, 2}, {1, 0, 1, 1}});
    CHECK(values(felt::isin(x, Tensor<float, 1>({0}))) == plain{{2, 2}, {0, 0, 0, 0}});
    CHECK(values(felt::isin(felt::iota<int>(4), felt::iota<int>({2, 1}) + 1)) ==
          plain{{4}, {0, 1, 1, 0}});
}

TEST_CASE("histogram counts what lies in its bins, whose last has both ends") {
    auto const x = Tensor<double, 2>::of({{0, 1, 1.5, 4}, {-1, 4.01, qnan, 3}});
    auto const [counts, edges] = felt::histogram(x, 4, 0, 4);
    CHECK(values(counts) == plain{{4}, {1, 2, 0, 2}});
    CHECK(values(edges) == plain{{5}, {0, 1, 2, 3, 4}});
    CHECK(values(felt::histogram(Tensor<int, 1>({0}), 2, 0, 1).counts) == plain{{2}, {0, 0}});
    Tensor<float, 1> const u = felt::uniform<float>({1009}, 1);
    auto const h = felt::histogram(2.f * u, 7, 0.25, 1.5);
    CHECK(values(h.counts) == computed({7}, [&](auto at) {
              return static_cast<double>(std::count_if(u.begin(), u.end(), [&](float v) {
                  return 2 * v >= h.edges(at[0]) &&
                         (2 * v < h.edges(at[0] + 1) || (at[0] == 6 && 2 * v == 1.5));
              }));
          }));
    CHECK_THROWS_AS((void)felt::histogram(x, 0, 0, 1), felt::error);
    CHECK_THROWS_AS((void)felt::histogram(x, 2, 1, 1), felt::error);
    CHECK_THROWS_AS((void)felt::histogram(x, 2, 0, inf), felt::error);
}

TEST_CASE("nonzero and argwhere list indices in row-major order") {
    auto const x = Tensor<float, 2>::of({{0, 3, 0}, {static_cast<float>(qnan), 0, -1}});
    auto const [i, j] = felt::nonzero(x);
    CHECK(values(i) == plain{{3}, {0, 1, 1}});
    CHECK(values(j) == plain{{3}, {1, 0, 2}});
    CHECK(values(felt::argwhere(x > 1)) == plain{{1, 2}, {0, 1}});
    CHECK(values(felt::argwhere(Tensor<int, 2>({2, 0}))) == plain{{0, 2}, {}});
    CHECK(felt::argwhere(Tensor<int, 0>()).extents() == felt::extents<2>{{0, 0}});
    in_layouts<int>({{5, 7, 3}}, [&](auto const& y, plain const& a) {
        plain expected{{0, 3}, {}};
        computed(a.extents, [&](auto at) {
            if (a(at[0], at[1], at[2]) != 0) {
                ++expected.extents[0];
                for (int r = 0; r < 3; ++r) expected.values.push_back(static_cast<double>(at[r]));
            }
            return 0.0;
        });
        CHECK(values(felt::argwhere(y)) == expected);
    });
}

TEST_CASE("masked_select and compress keep what a condition has") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(felt::masked_select(x, x % 2 == 0)) == plain{{3}, {2, 4, 6}});
    CHECK(values(felt::masked_select(x, Tensor<bool, 1>::of({true, false, true}))) ==
          plain{{4}, {1, 3, 4, 6}});
    CHECK(values(felt::masked_select(x * 2, x > 9)) == plain{{0}, {}});
    CHECK_THROWS_AS((void)felt::masked_select(x, Tensor<bool, 1>({2})), felt::shape_error);
    auto const c = Tensor<bool, 1>::of({true, false, true});
    CHECK(values(felt::compress<1>(c, x)) == plain{{2, 2}, {1, 3, 4, 6}});
    CHECK(values(felt::compress<0>(felt::iota<int>(2), x + 1)) == plain{{1, 3}, {5, 6, 7}});
    CHECK(values(felt::compress<0>(Tensor<bool, 1>({2}), x)) == plain{{0, 3}, {}});
    CHECK(message([&] { (void)felt::compress<0>(c, x); }) ==
          "compress: a condition of (3) for axis 0 of (2, 3)");
    in_layouts<int>({{5, 7, 3}}, [&](auto const& y, plain const& a) {
        plain expected{{0}, {}};
        for (double v : a.values) {
            if (v > 4) ++expected.extents[0], expected.values.push_back(v);
        }
        CHECK(values(felt::masked_select(y, y > 4)) == expected);
    });
}

TEST_CASE("unique values rise; each NaN is one of its own") {
    auto const x = Tensor<double, 2>::of({{3, 1, qnan}, {1, qnan, 3}});
    CHECK(values(felt::unique(x)) == plain{{4}, {1, 3, qnan, qnan}});
    auto const [v, first_at, inverse, counts] = felt::unique_all(x);
    CHECK(values(v) == plain{{4}, {1, 3, qnan, qnan}});
    CHECK(values(first_at) == plain{{4}, {1, 0, 2, 4}});
    CHECK(values(inverse) == plain{{2, 3}, {1, 0, 2, 0, 3, 1}});
    CHECK(values(counts) == plain{{4}, {2, 2, 1, 1}});
    CHECK(felt::unique(Tensor<float, 1>({0})).size() == 0);
    CHECK(felt::unique_all(Tensor<float, 2>({0, 3})).counts.size() == 0);
    CHECK(values(felt::unique(x > 2)) == plain{{2}, {0, 1}});
    in_layouts<int>({{5, 7, 3}}, [&](auto const& y, plain const& a) {
        std::map<double, double> count;
        for (double e : a.values) ++count[e];
        auto const c = felt::unique_counts(y);
        auto const i = felt::unique_inverse(y);
        REQUIRE(c.values.size() == static_cast<index_t>(count.size()));
        for (index_t k = 0; k < c.values.size(); ++k) {
            CHECK(static_cast<double>(c.counts(k)) == count[c.values(k)]);
        }
        CHECK(values(felt::unique(y)) == values(c.values));
        CHECK(values(felt::gather<0>(i.values, flatten(i.inverse_indices))) ==
              plain{{static_cast<index_t>(a.values.size())}, a.values});
    });
}

TEST_CASE("complex numbers are selected, and a temporary is gone when the results are there") {
    using C = std::complex<float>;
    auto const make = [] { return Tensor<C, 1>::of({C(0, 0), C(0, 2), C(3, 0), C(4, 5)}); };
    CHECK(values(nonzero(make())[0]) == plain{{3}, {1, 2, 3}});
    CHECK(values(argwhere(make() == 0)) == plain{{1, 1}, {0}});
    CHECK(values(imag(masked_select(make(), real(make()) > 0))) == plain{{2}, {0, 5}});
    auto const mask = Tensor<bool, 1>::of({false, true, false, true});
    CHECK(values(real(felt::compress<0>(mask, make() * 2))) == plain{{2}, {0, 8}});
    auto const [most, where] = topk(real(make()) + imag(make()), 2);
    CHECK(values(most) == plain{{2}, {9, 3}});
    CHECK(values(where) == plain{{2}, {3, 2}});
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using plain::array;
using plain::shape;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);

// Shapes with extents 0, 1, around the width of a vector, and primes.
shape const awkward[] = {{1, 1, 1}, {2, 3, 5},   {3, 17, 1},  {1, 2, 67},  {31, 2, 16}, {5, 16, 33},
                         {4, 1, 7}, {65, 3, 15}, {2, 101, 3}, {1, 64, 32}, {7, 0, 3},   {0, 4, 5}};

// Positions along the reduced axes in row-major order; `better` says that x beats y.
template <class F>
array first_of(array const& x, unsigned mask, F&& better) {
    array best = plain::fold(x, mask, NAN, [&](double& to, double&, double v, double) {
        if (std::isnan(to) || better(v, to)) to = v;
    });
    array out(best.e, -1), count(best.e, 0);
    plain::each(x.e, [&](shape const& i) {
        shape to;
        for (std::size_t r = 0; r < i.size(); ++r) {
            if ((mask >> r & 1U) == 0) to.push_back(i[r]);
        }
        std::size_t const o = plain::position(out.e, to);
        if (out.v[o] < 0 && x.v[plain::position(x.e, i)] == best.v[o]) out.v[o] = count.v[o];
        count.v[o] += 1;
    });
    return out;
}

struct folds {
    static array sum(array const& x, unsigned mask) { return plain::sum(x, mask); }
    static array max(array const& x, unsigned mask) { return plain::max(x, mask); }
    static array min(array const& x, unsigned mask) {
        return plain::fold(x, mask, INFINITY,
                           [](double& to, double&, double v, double) { to = std::min(to, v); });
    }
    static array prod(array const& x, unsigned mask) {
        return plain::fold(x, mask, 1, [](double& to, double&, double v, double) { to *= v; });
    }
    static array any(array const& x, unsigned mask) {
        return plain::fold(x, mask, 0,
                           [](double& to, double&, double v, double) { to = to != 0 || v != 0; });
    }
    static array all(array const& x, unsigned mask) {
        return plain::fold(x, mask, 1,
                           [](double& to, double&, double v, double) { to = to != 0 && v != 0; });
    }
    static array argmax(array const& x, unsigned mask) {
        return first_of(x, mask, [](double a, double b) { return a > b; });
    }
    static array argmin(array const& x, unsigned mask) {
        return first_of(x, mask, [](double a, double b) { return a < b; });
    }
};

// A reduction of Felt's beside its plain loop.
template <class F>
struct reduction {
    char const* name;
    array (*plainly)(array const&, unsigned);
    F of;
};
reduction const sum{
    "sum", folds::sum, []<int... A>(auto const& x) { return felt::sum<A...>(x); }  // namespace
};
reduction const max{"max", folds::max, []<int... A>(auto const& x) { return felt::max<A...>(x); }};
reduction const min{"min", folds::min, []<int... A>(auto const& x) { return felt::min<A...>(x); }};
reduction const prod{"prod", folds::prod,
                     []<int... A>(auto const& x) { return felt::prod<A...>(x); }};
reduction const any{"any", folds::any, []<int... A>(auto const& x) { return felt::any<A...>(x); }};
reduction const all{"all", folds::all, []<int... A>(auto const& x) { return felt::all<A...>(x); }};
reduction const argmax{"argmax", folds::argmax,
                       []<int... A>(auto const& x) { return felt::argmax<A...>(x); }};
reduction const argmin{"argmin", folds::argmin,
                       []<int... A>(auto const& x) { return felt::argmin<A...>(x); }};

template <class T>
array numbers(shape const& e, dice& d, bool product) {
    array x = test::whole_numbers(e, d, product ? 1 : 3);
    for (double& v : x.v) {
        if (product && v == 0) v = 1;
        if (std::is_same_v<T, bool>) v = v > 2;
        else if (std::is_unsigned_v<T>) v = std::fabs(v);
    }
    return x;
}

template <class T, class To, int... Axes, class F>
void check(reduction<F> const& r) {
    unsigned const mask = sizeof...(Axes) == 0 ? 7 : ((1U << Axes) | ... | 0U);
    constexpr std::size_t kept = sizeof...(Axes) == 0 ? 0 : 3 - sizeof...(Axes);
    dice d(21 + mask);
    for (shape const& e : awkward) {
        for (int o = 0; o < orders; ++o) {
            array const x = numbers<T>(e, d, r.name == prod.name);
            array const expected = r.plainly(x, mask);
            field<T, 3> fx(x, static_cast<order>(o));
            field<To, kept> fy(expected.e, static_cast<order>(d.between(0, orders - 1)));
            INFO(r.name << " mask " << mask << " of " << felt::to_string(e.data(), 3) << " "
                        << name_of(static_cast<order>(o)));
            try {
                fy.view() = r.of.template operator()<Axes...>(fx.view());
            } catch (felt::shape_error const&) {
                CHECK(plain::size(e) == 0);
                continue;
            }
            CHECK(test::difference(fy.get(), expected, 0) == "");
            CHECK(fy.guards_hold());
        }
    }
}

template <class T, class To, class F>
void check_some_axes(reduction<F> const& r) {
    check<T, To>(r);
    check<T, To, 0>(r);
    check<T, To, 2>(r);
}

}  // namespace

TEST_CASE("reductions of two by three") {
    auto const x = felt::Tensor<float, 2>::of({{1, 5, 3}, {4, 2, 6}});
    float const total = felt::sum(x);
    CHECK(total == 21);
    felt::Tensor<float, 1> const columns = felt::sum<0>(x), rows = felt::max<1>(x);
    CHECK(columns(0) == 5);
    CHECK(columns(1) == 7);
    CHECK(rows(0) == 5);
    CHECK(rows(1) == 6);
    felt::Tensor<index_t, 1> const where = felt::argmax<1>(x);
    CHECK(where(0) == 1);
    CHECK(where(1) == 2);
    felt::Tensor<double, 0> const mean = felt::mean(felt::cast<int>(x));
    CHECK(mean() == 3.5);
}

TEST_CASE("a tensor of rank 0 is its own sum") {
    felt::Tensor<float, 0> x, y;
    x() = 7;
    y = felt::sum(x) + 1.f;
    CHECK(y() == 8);
}

TEST_CASE("sums over every choice of axes") {
    check<float, float>(sum);
    check<float, float, 0>(sum);
    check<float, float, 1>(sum);
    check<float, float, 2>(sum);
    check<float, float, 0, 1>(sum);
    check<float, float, 0, 2>(sum);
    check<float, float, 1, 2>(sum);
}

TEST_CASE("maxima over every choice of axes, and the positions of the first") {
    check<float, float, 1>(max);
    check<float, float, 1, 2>(max);
    check<float, index_t>(argmax);
    check<float, index_t, 0>(argmax);
    check<float, index_t, 1>(argmax);
    check<float, index_t, 2>(argmax);
    check<float, index_t, 0, 2>(argmax);
}

TEST_CASE("rows meet in fours, in memory and computed, whatever is left over") {
    for (felt::index_t n : {1, 3, 4, 5, 8, 130}) {
        for (felt::index_t width : {1, 15, 513, 2100}) {
            felt::Tensor<float, 2> x({n, width});
            x = felt::floor(felt::uniform<float>({n, width}, 3) * 9 - 4);
            felt::Tensor<float, 1> const y = felt::sum<0>(x), z = felt::sum<0>(x * 3 + 1);
            for (felt::index_t j = 0; j < width; ++j) {
                float total = 0;
                for (felt::index_t i = 0; i < n; ++i) total += x(i, j);
                REQUIRE(y(j) == total);
                REQUIRE(z(j) == 3 * total + static_cast<float>(n));
            }
        }
    }
}

TEST_CASE("the other reductions of floating numbers") {
    check_some_axes<float, float>(min);
    check_some_axes<double, double>(prod);
    check<double, index_t>(argmin);
    check<double, index_t, 1>(argmin);
    check<float, bool>(any);
    check<float, bool, 1>(all);
}

TEST_CASE("reductions of integers and of bool") {
    check_some_axes<int, index_t>(sum);
    check<std::uint8_t, index_t, 2>(sum);
    check<int, int, 0>(max);
    check<std::int16_t, std::int16_t, 1>(min);
    check<int, index_t, 2>(argmax);
    check_some_axes<bool, bool>(any);
    check_some_axes<bool, bool>(all);
    check<bool, bool, 1>(max);
    check_some_axes<bool, bool>(min);
    check<bool, index_t, 0>(sum);
    check<bool, index_t, 2>(argmax);
}

TEST_CASE("a long row is summed exactly where whole numbers allow it, and its error stays small") {
    index_t const n = 100003;
    dice d(31);
    array x = test::whole_numbers({n}, d);
    for (order o : {order::rows, order::steps, order::flipped}) {
        field<float, 1> f(x, o);
        float const total = felt::sum(f.view() * 2.f);
        CHECK(total == 2 * plain::sum(x, 1).v[0]);
    }
    array const tenths(shape{n}, 0.1);
    field<float, 1> f(tenths, order::rows);
    float const total = felt::sum(f.view());
    double const exact = static_cast<double>(n) * static_cast<double>(0.1F);
    CHECK(total == doctest::Approx(exact).epsilon(1e-6));
    felt::Tensor<float, 2> wide({3, n});
    wide = felt::view(f.data(), {1, n});
    felt::Tensor<float, 1> const sums = felt::sum<1>(wide);
    for (index_t i = 0; i < 3; ++i) CHECK(sums(i) == doctest::Approx(exact).epsilon(1e-6));
}

TEST_CASE("NaN wins maxima and minima and their positions") {
    for (index_t at : {0, 1, 15, 16, 40, 66}) {
        felt::Tensor<float, 1> x({67});
        x = felt::iota<float>(67);
        x(at) = NAN;
        x(66) = NAN;
        float const hi = felt::max(x), lo = felt::min(x);
        CHECK(std::isnan(hi));
        CHECK(std::isnan(lo));
        index_t const first = felt::argmax(x), low = felt::argmin(x);
        CHECK(first == at);
        CHECK(low == at);
    }
}

TEST_CASE("positions of numbers of every size") {
    check<double, index_t, 1>(argmax);
    check<std::int64_t, index_t, 0>(argmax);
    check<std::int64_t, index_t, 2>(argmin);
    check<std::int16_t, index_t, 1, 2>(argmax);
    check<std::uint8_t, index_t, 0>(argmax);
    check<std::uint8_t, index_t>(argmin);
    check<bool, index_t, 0, 1>(argmax);
}

TEST_CASE("positions in several blocks, in every order of loops, NaN among ties") {
    dice d(35);
    shape const e{37, 129, 65};
    array x = test::whole_numbers(e, d, 3);
    for (int o = 0; o < orders; ++o) {
        field<float, 3> f(x, static_cast<order>(o));
        auto v = f.view();
        auto check_axes = [&]<int... Axes>(std::integer_sequence<int, Axes...>) {
            unsigned const mask = ((1U << Axes) | ...);
            field<index_t, 3 - sizeof...(Axes)> where(argmax.plainly(x, mask).e, order::rows);
            where.view() = felt::argmax<Axes...>(v);
            CHECK(test::difference(where.get(), argmax.plainly(x, mask), 0) == "");
        };
        check_axes(std::integer_sequence<int, 0>{});
        check_axes(std::integer_sequence<int, 0, 1>{});
        check_axes(std::integer_sequence<int, 0, 2>{});
        check_axes(std::integer_sequence<int, 1, 2>{});
        v(20, 100, 33) = v(20, 101, 3) = v(21, 0, 0) = NAN;
        index_t const first = felt::argmax(v);
        felt::Tensor<index_t, 1> const low = felt::argmin<0, 1>(v);
        CHECK(first == (20 * 129 + 100) * 65 + 33);
        CHECK(low(3) == 20 * 129 + 101);
    }
}

TEST_CASE("positions are found strip by strip in a group") {
    index_t const m = 3001, n = 70;
    felt::Tensor<float, 2> x({m, n}), y({m, n});
    x = felt::floor(felt::uniform<float>({m, n}, 7) * 500.f);
    felt::Tensor<index_t, 1> down({n}), right({m});
    felt::Tensor<float, 1> top({n});
    auto const a = assign(y, x * 2.f);
    auto const b = assign(down, felt::argmax<0>(y));
    auto const c = assign(top, felt::max<0>(y));
    auto const d = assign(right, felt::argmin<1>(y));
    CHECK(explain(a, b, c, d).passes().size() == 1);
    felt::fuse(a, b, c, d);
    for (index_t j = 0; j < n; ++j) {
        index_t best = 0;
        for (index_t i = 0; i < m; ++i) best = x(i, j) > x(best, j) ? i : best;
        CHECK(down(j) == best);
        CHECK(top(j) == 2 * x(best, j));
    }
    for (index_t i = 0; i < m; ++i) {
        index_t best = 0;
        for (index_t j = 0; j < n; ++j) best = x(i, j) < x(i, best) ? j : best;
        CHECK(right(i) == best);
    }
}

TEST_CASE("infinities are the largest and the smallest") {
    float const inf = std::numeric_limits<float>::infinity();
    auto const x = felt::Tensor<float, 2>::of({{-inf, -inf}, {inf, 0}});
    felt::Tensor<float, 1> const hi = felt::max<1>(x), lo = felt::min<0>(x);
    CHECK(hi(0) == -inf);
    CHECK(hi(1) == inf);
    CHECK(lo(1) == -inf);
    felt::Tensor<index_t, 1> const where = felt::argmax<1>(x);
    CHECK(where(0) == 0);
}

TEST_CASE("over nothing: 0, 1, NaN, true, false, or an error") {
    felt::Tensor<float, 2> const x({3, 0});
    felt::Tensor<float, 1> const sums = felt::sum<1>(x), products = felt::prod<1>(x);
    felt::Tensor<float, 1> const means = felt::mean<1>(x);
    felt::Tensor<bool, 1> const alls = felt::all<1>(x), anys = felt::any<1>(x);
    for (index_t i = 0; i < 3; ++i) {
        CHECK(sums(i) == 0);
        CHECK(products(i) == 1);
        CHECK(std::isnan(means(i)));
        CHECK(alls(i));
        CHECK_FALSE(anys(i));
    }
    CHECK_THROWS_AS((void)felt::max<1>(x), felt::shape_error);
    CHECK_THROWS_AS((void)felt::argmin(x), felt::shape_error);
}

TEST_CASE("a reduction inside a reduction, and one that is read along its own axis") {
    dice d(33);
    for (shape const& e : {shape{5, 70}, shape{70, 5}, shape{33, 1}}) {
        array const x = test::whole_numbers(e, d, 3, 0.25);
        array const mean0 =
            plain::multiply(plain::sum(x, 1), array({}, 1.0 / static_cast<double>(e[0])));
        array const centred = plain::add(x, plain::multiply(mean0, array({}, -1)));
        array const expected = plain::sum(plain::multiply(centred, centred), 2);
        for (int o = 0; o < orders; ++o) {
            field<float, 2> fx(x, static_cast<order>(o));
            felt::Tensor<float, 1> const y =
                felt::sum<1>(square(fx.view() - felt::mean<0>(fx.view())));
            field<float, 1> fy(expected, order::rows);
            fy.view() = y;
            CHECK(test::difference(fy.get(), expected, 1.2e-7) == "");
        }
    }
}

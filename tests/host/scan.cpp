// SPDX-License-Identifier: BSD-3-Clause
//
// Scans are what a plain loop gives, whatever stands around them, in whatever memory and by however
// many threads. Numbers are small integers, so that they are exact.
#include "tests/differential/memory.hpp"
#include "tests/support/by_host.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <functional>

using felt::index_t;
using felt::Tensor;
using test::field;
using test::order;
using matrix = Tensor<double, 2>;

namespace {

matrix numbers(index_t m, index_t n, int seed) {
    matrix x({m, n});
    x = floor(felt::uniform<double>({m, n}, static_cast<std::uint64_t>(seed)) * 9.0) - 4.0;
    return x;
}

template <class X>
matrix by_hand(X const& of, int axis) {
    matrix x = of;
    for (index_t i = 0; i < x.extent(0); ++i) {
        for (index_t j = 0; j < x.extent(1); ++j) {
            if (axis == 0 && i > 0) x(i, j) += x(i - 1, j);
            if (axis == 1 && j > 0) x(i, j) += x(i, j - 1);
        }
    }
    return x;
}

template <class X, class Y>
bool same(X const& x, Y const& y) {
    return felt::all_close(x, y, 0, 0);
}

// By e, fused and unfused, into memory that holds something else.
template <class E>
bool gives(E const& e, matrix const& want) {
    matrix y(want.extents());
    y = -77.0;
    y = e;
    bool const fused = same(y, want);
    y = -77.0;
    run(felt::unfused, assign(y, e));
    return fused && same(y, want);
}

// f(m, n) for shapes of awkward extents, and those of which a box does not fit.
template <class F>
void over_shapes(F const& f) {
    for (index_t m : {1, 2, 7, 33, 131}) {
        for (index_t n : {1, 3, 8, 17, 65, 700}) {
            if (test::by_host || (m < 100 && n < 100)) f(m, n);
        }
    }
    f(0, 5), f(5, 0);
    if (test::by_host) f(3, 4099), f(4099, 3), f(2000, 300);
}

}  // namespace

TEST_CASE("a scan inside of an expression, and expressions inside of it") {
    over_shapes([](index_t m, index_t n) {
        CAPTURE(m);
        CAPTURE(n);
        auto const x = numbers(m, n, 1), w = numbers(m, n, 2);
        auto const down = by_hand(x, 0), along = by_hand(x, 1);
        CHECK(gives(cumsum<0>(x), down));
        CHECK(gives(cumsum<1>(x), along));
        CHECK(gives(cumsum<0>(x * 2.0 + w) * w, eval(by_hand(x * 2.0 + w, 0) * w)));
        CHECK(gives(cumsum<1>(x * 2.0 + w) * w, eval(by_hand(x * 2.0 + w, 1) * w)));
        CHECK(gives(cumsum<0>(cumsum<1>(x)), by_hand(along, 0)));
        CHECK(gives(cumsum<1>(w * cumsum<1>(x)) - x, eval(by_hand(w * along, 1) - x)));
        CHECK(gives(x - cumsum<0>(x) + cumsum<1>(x), eval(x - down + along)));
        CHECK(gives(exclusive_scan<0>(std::plus<>{}, x, 2.0), eval(down - x + 2.0)));
        CHECK(gives(exclusive_scan<1>(std::plus<>{}, x, 2.0), eval(along - x + 2.0)));
        if (m > 0 && n > 0) {
            CHECK(gives(cumsum<0>(x) / max<0>(abs(cumsum<0>(x)) + 1.0, felt::keepdims),
                        eval(down / max<0>(abs(down) + 1.0, felt::keepdims))));
        }
    });
}

TEST_CASE("under views, and over views") {
    over_shapes([](index_t m, index_t n) {
        CAPTURE(m);
        CAPTURE(n);
        auto const x = numbers(m, n, 3);
        auto const down = by_hand(x, 0), along = by_hand(x, 1);
        CHECK(gives(flip<1>(cumsum<1>(flip<1>(x))), eval(flip<1>(by_hand(flip<1>(x), 1)))));
        CHECK(gives(flip<0>(cumsum<0>(flip<0>(x))), eval(flip<0>(by_hand(flip<0>(x), 0)))));
        CHECK(gives(transpose(cumsum<0>(x)), eval(transpose(down))));
        CHECK(gives(cumsum<0>(transpose(x)), eval(transpose(along))));
        CHECK(gives(pad(cumsum<1>(x), {{1, 0}, {2, 3}}, 9.0),
                    eval(pad(along, {{1, 0}, {2, 3}}, 9.0))));
        auto const part = [&](auto const& y) {
            return slice(y, felt::range(m / 3, m), felt::range(n / 4, n - n / 4));
        };
        CHECK(gives(part(cumsum<0>(x)), eval(part(down))));
        CHECK(gives(part(cumsum<1>(x * 1.0)), eval(part(along))));
        CHECK(gives(reshape(cumsum<1>(x), {n, m}), eval(reshape(along, {n, m}))));
        CHECK(gives(concat<0>(cumsum<1>(x), x), eval(concat<0>(along, x))));
    });
}

TEST_CASE("sums and products of scans, and scans of products") {
    over_shapes([](index_t m, index_t n) {
        CAPTURE(m);
        CAPTURE(n);
        auto const x = numbers(m, n, 4), w = numbers(m, n, 5);
        auto const down = by_hand(x, 0), along = by_hand(x, 1);
        CHECK(double(sum(cumsum<0>(x))) == double(sum(down)));
        CHECK(double(sum(cumsum<1>(x))) == double(sum(along)));
        CHECK(same(eval(sum<0>(cumsum<0>(x) * w)), eval(sum<0>(down * w))));
        CHECK(same(eval(sum<1>(cumsum<0>(x) * w)), eval(sum<1>(down * w))));
        CHECK(same(eval(sum<0>(cumsum<1>(x) * w)), eval(sum<0>(along * w))));
        CHECK(same(eval(sum<1>(cumsum<1>(x) * w)), eval(sum<1>(along * w))));
        if (m > 131 || n > 131) return;
        auto const a = numbers(m, m, 6);
        CHECK(gives(cumsum<0>(matmul(a, x)), by_hand(matmul(a, x), 0)));
        CHECK(gives(cumsum<1>(matmul(a, x)), by_hand(matmul(a, x), 1)));
        CHECK(gives(matmul(a, cumsum<0>(x)), eval(matmul(a, down))));
        CHECK(gives(matmul(a, cumsum<1>(x)), eval(matmul(a, along))));
        CHECK(gives(matmul(cumsum<1>(a), x), eval(matmul(by_hand(a, 1), x))));
        CHECK(gives(cumsum<1>(x - sum<1>(x, felt::keepdims)),
                    by_hand(x - sum<1>(x, felt::keepdims), 1)));
    });
}

TEST_CASE("in every layout of operand and destination, and in place") {
    test::dice d(7);
    for (plain::shape const& e : {plain::shape{1, 1}, {7, 19}, {64, 33}, {130, 257}}) {
        for (int from = 0; from < static_cast<int>(order::count); ++from) {
            for (int to = 0; to < static_cast<int>(order::count); ++to) {
                CAPTURE(from);
                CAPTURE(to);
                auto const values = test::whole_numbers(e, d, 2);
                field<double, 2> x(values, order(from)), y(values, order(to));
                matrix const start = x.view();
                y.view() = cumsum<0>(x.view());
                CHECK(same(y.view(), by_hand(start, 0)));
                y.view() = cumsum<1>(x.view()) * 2.0;
                CHECK(same(y.view(), eval(2.0 * by_hand(start, 1))));
                y.view() = x.view();
                y.view() = cumsum<1>(y.view());
                CHECK(same(y.view(), by_hand(start, 1)));
                y.view() += cumsum<0>(y.view());
                CHECK(same(y.view(), eval(by_hand(start, 1) + by_hand(by_hand(start, 1), 0))));
                CHECK((x.guards_hold() && y.guards_hold()));
            }
        }
    }
}

TEST_CASE("an axis longer than scratch takes no memory but the destination") {
    index_t const n = test::by_host ? 700001 : 70001;
    Tensor<double, 1> x({n}), y({n});
    x = felt::cast<double>(felt::iota<index_t>(n) % 7) - 3.0;
    CHECK(explain(assign(y, cumsum(x) * 2.0)).intermediates().empty());
    auto const before = felt::allocations();
    y = cumsum(x) * 2.0;
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
    double all = 0;
    bool equal = true;
    for (index_t i = 0; i < n; ++i) equal = equal && y(i) == 2 * (all += x(i));
    CHECK(equal);
    // What reads the destination too goes on from block to block.
    CHECK(explain(assign(y, cumsum(x) + y)).intermediates().empty());
    y = cumsum(x) - y / 2.0;
    CHECK(double(max(abs(y))) == 0);
    y = x;
    y = cumsum(y);
    CHECK(y(n - 1) == all);
    matrix wide({3, n}), out({3, n});
    wide = expand_dims<0>(x) * 1.0 + 0.0 * wide;
    out = cumsum<0>(cumsum<1>(wide));
    CHECK(out(2, n - 1) == 3 * all);
    CHECK(double(sum(cumsum<1>(wide))) == 3 * double(sum(cumsum(x))));
}

TEST_CASE("a long axis goes on from block to block, or is computed first, which the plan says") {
    index_t const n = test::by_host ? 400001 : 40001;
    for (int axis : {0, 1}) {
        matrix x = axis == 0 ? numbers(n, 3, 1) : numbers(3, n, 1);
        matrix w = axis == 0 ? numbers(n, 3, 2) : numbers(3, n, 2);
        matrix const all = by_hand(x, axis), back = by_hand(flip<0, 1>(x), axis);
        matrix y(x.extents());
        auto const check = [&](auto const& e, auto const& want, std::size_t intermediates) {
            y = 0.0;
            auto const plan = explain(assign(y, e));
            if (test::by_host) CHECK(plan.intermediates().size() == intermediates);
            y = e;
            CHECK(same(y, eval(want)));
        };
        auto const scans = [&]<int A>(std::integral_constant<int, A>) {
            check(cumsum<A>(x) * w, all * w, 0);
            check(w - cumsum<A>(x * 2.0), w - 2.0 * all, 0);
            check(cumsum<A>(x) * w + cumsum<A>(flip<0, 1>(x)), all * w + back, 0);
            check(flip<A>(cumsum<A>(x)) * w, flip<A>(all) * w, 1);
            check(cumsum<A>(cumsum<A>(x) * w) + w, by_hand(all * w, A) + w, 1);
            // From the middle on, and columns that are read again.
            auto const part = [&](auto const& of) {
                return slice(of, felt::range(of.extents()[0] / 3, of.extents()[0]),
                             felt::range(of.extents()[1] / 3, of.extents()[1]));
            };
            matrix z = part(w) * part(cumsum<A>(x * 1.0));
            CHECK(same(z, eval(part(w) * part(all))));
            CHECK(same(eval(sum<A>(cumsum<A>(x) * w)), eval(sum<A>(all * w))));
        };
        if (axis == 0) scans(std::integral_constant<int, 0>{});
        else scans(std::integral_constant<int, 1>{});
    }
}

TEST_CASE("the same bits for any number of threads, and for any memory") {
    Tensor<float, 2> x({777, 1111}), one({777, 1111}), y({777, 1111});
    Tensor<float, 2, felt::Host, felt::ColMajor> c({777, 1111}), z({777, 1111});
    x = felt::normal<float>(x.extents(), 5);
    c = x;
    auto const check = [&](auto const& f) {
        felt::threads(1);
        one = f(x);
        for (int n : {2, 3, 5}) {
            felt::threads(n);
            y = f(x);
            z = f(c);
            CHECK(same(y, one));
            CHECK(same(z, one));
        }
        felt::threads(1);
    };
    check([](auto const& a) { return cumsum<0>(a) * 3.F; });
    check([](auto const& a) { return cumsum<1>(a) * 3.F; });
    check([](auto const& a) { return cumsum<0>(a) + cumsum<1>(exp(a)); });
    check([](auto const& a) { return cummax<1>(cumsum<0>(a)); });
    // What a batch rounds otherwise than a number.
    check([](auto const& a) { return felt::logcumsumexp<0>(a); });
    check([](auto const& a) { return felt::logcumsumexp<1>(a); });
}

TEST_CASE("in a group a scan reads what is complete") {
    over_shapes([](index_t m, index_t n) {
        auto const x = numbers(m, n, 8), w = numbers(m, n, 9);
        for (int axis : {0, 1}) {
            matrix y({m, n}), z({m, n});
            if (axis == 0) felt::fuse(assign(y, x * 2.0), assign(z, cumsum<0>(y) * w));
            else felt::fuse(assign(y, x * 2.0), assign(z, cumsum<1>(y) * w));
            CHECK(same(z, eval(by_hand(x * 2.0, axis) * w)));
            if (axis == 0) felt::fuse(assign(z, cumsum<0>(y)), assign(y, z - y));
            else felt::fuse(assign(z, cumsum<1>(y)), assign(y, z - y));
            CHECK(same(y, eval(by_hand(x * 2.0, axis) - x * 2.0)));
        }
    });
}

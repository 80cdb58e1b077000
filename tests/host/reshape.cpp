// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <atomic>

using felt::index_t;
using plain::array;
using plain::shape;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);

template <class E>
void check_value(E const& e, array const& expected) {
    for (order o : {order::rows, order::columns, order::steps}) {
        field<float, E::rank> y(expected.e, o);
        y.view() = e;
        CHECK(test::difference(y.get(), expected, 0) == "");
        CHECK(y.guards_hold());
    }
}

}  // namespace

TEST_CASE("reshape keeps the row-major order of elements") {
    auto const x = felt::Tensor<float, 2, felt::Host, felt::ColMajor>::of({{1, 2, 3}, {4, 5, 6}});
    felt::Tensor<float, 2> const y = reshape(x, {3, 2});
    CHECK(y(0, 1) == 2);
    CHECK(y(1, 0) == 3);
    CHECK(y(1, 1) == 4);
    CHECK(y(2, 0) == 5);
}

TEST_CASE("reshape of strided memory, merging and splitting and neither") {
    dice d(61);
    for (int o = 0; o < orders; ++o) {
        array const x = test::whole_numbers({6, 10, 7}, d);
        field<float, 3> f(x, static_cast<order>(o));
        check_value(reshape(f.view(), {60, 7}), plain::reshape(x, {60, 7}));
        check_value(reshape(f.view(), {6, 70}), plain::reshape(x, {6, 70}));
        check_value(reshape(f.view(), {4, 105}), plain::reshape(x, {4, 105}));
        check_value(reshape(f.view(), {-1}), plain::reshape(x, {420}));
        check_value(reshape(f.view(), {3, 2, 35, 2}), plain::reshape(x, {3, 2, 35, 2}));
    }
}

TEST_CASE("reshape of what is computed along another axis than the last one, piece by piece") {
    dice d(93);
    for (shape const& e : {shape{300, 200}, shape{7, 300, 20}, shape{130, 1, 90}, shape{2, 700}}) {
        array const x = test::whole_numbers(e, d);
        index_t const n = plain::size(e);
        auto const check = [&](auto const& view) {
            array const turned = plain::transpose(plain::multiply(x, x));
            check_value(reshape(transpose(view * view), {n}), plain::reshape(turned, {n}));
            check_value(reshape(transpose(view * view), {2, n / 2}) + 1.f,
                        plain::add(plain::reshape(turned, {2, n / 2}), array({}, 1)));
            check_value(transpose(reshape(transpose(view * view), {n / 4, 4})),
                        plain::transpose(plain::reshape(turned, {n / 4, 4})));
        };
        for (order o : {order::rows, order::columns}) {
            if (e.size() == 2) check(field<float, 2>(x, o).view());
            else check(field<float, 3>(x, o).view());
        }
    }
}

TEST_CASE("reshape of expressions, products and reductions") {
    dice d(62);
    for (int o = 0; o < orders; ++o) {
        array const x = test::whole_numbers({12, 35}, d), g = plain::matmul(x, plain::transpose(x));
        field<float, 2> f(x, static_cast<order>(o));
        auto const v = f.view();
        check_value(reshape(v + v, {5, 84}), plain::reshape(plain::add(x, x), {5, 84}));
        check_value(transpose(reshape(v * v, {84, 5})),
                    plain::transpose(plain::reshape(plain::multiply(x, x), {84, 5})));
        check_value(reshape(matmul(v, transpose(v)), {3, 4, 12}), plain::reshape(g, {3, 4, 12}));
        check_value(felt::sum<1>(reshape(v * v, {20, 21})),
                    plain::sum(plain::reshape(plain::multiply(x, x), {20, 21}), 2));
        check_value(matmul(reshape(v, {35, 12}), v), plain::matmul(plain::reshape(x, {35, 12}), x));
    }
}

TEST_CASE("the elements of a reshape number the same") {
    felt::Tensor<float, 2> const x({3, 4});
    CHECK_THROWS_AS((void)reshape(x + 1.f, {5, 2}), felt::shape_error);
    CHECK_THROWS_AS((void)reshape(x + 1.f, {5, -1}), felt::shape_error);
}

TEST_CASE("nothing can be reshaped") {
    felt::Tensor<float, 2> const x({3, 0});
    felt::Tensor<float, 1> const y = reshape(x + 1.f, {0});
    CHECK(y.size() == 0);
}

namespace {

struct counted {
    static inline std::atomic<index_t> elements = 0;
    float operator()(float x) const {
        ++elements;
        return x;
    }
};

}  // namespace

TEST_CASE("a source larger than scratch is gone through once, piece by piece") {
    index_t const m = 3200, n = 320;
    felt::Tensor<float, 2> x({m, n}), y({n, m});
    felt::Tensor<float, 3> z({64, 50, n});
    x = felt::iota<float>({m, n});
    auto const seen = [](auto const& s) {
        CHECK(felt::explain(s).fused());
        counted::elements = 0;
        run(felt::fused, s);
        return counted::elements.load();
    };
    auto const e = felt::map(counted{}, x);
    CHECK(seen(assign(y, reshape(e, {n, m}))) == m * n);
    index_t wrong = 0;
    for (index_t i = 0; i < m * n; ++i) wrong += y.data()[i] != static_cast<float>(i);
    CHECK(wrong == 0);
    CHECK(seen(assign(z, reshape(e, {64, 50, n}) * 2)) == m * n);
    for (index_t i = 0; i < m * n; ++i) wrong += z.data()[i] != static_cast<float>(2 * i);
    CHECK(wrong == 0);
    y = -1.f;
    CHECK(seen(assign(y, reshape(felt::map(counted{}, z), {n, m}) / 2)) == m * n);
    for (index_t i = 0; i < m * n; ++i) wrong += y.data()[i] != static_cast<float>(i);
    CHECK(wrong == 0);
}

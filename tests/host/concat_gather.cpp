// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include "tests/support/by_host.hpp"
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

order any_order(dice& d) { return static_cast<order>(d.between(0, orders - 1)); }

template <class E>
void check_value(E const& e, array const& expected, order o) {
    field<float, E::rank> y(expected.e, o);
    y.view() = e;
    INFO(name_of(o));
    CHECK(test::difference(y.get(), expected, 0) == "");
    CHECK(y.guards_hold());
}

}  // namespace

TEST_CASE("concat puts one after the other, gather picks") {
    auto const x = felt::Tensor<float, 2>::of({{1, 2}, {3, 4}});
    auto const y = felt::Tensor<float, 2>::of({{5}, {6}});
    felt::Tensor<float, 2> const both = felt::concat<1>(x, y);
    CHECK(both(0, 2) == 5);
    CHECK(both(1, 0) == 3);
    auto const indices = felt::Tensor<int, 1>::of({1, 1, 0});
    felt::Tensor<float, 2> const picked = felt::gather<0>(x, indices);
    CHECK(picked(0, 0) == 3);
    CHECK(picked(1, 1) == 4);
    CHECK(picked(2, 1) == 2);
}

TEST_CASE("concat of tensors, expressions and products along both axes") {
    dice d(51);
    for (shape const& e : {shape{3, 17}, shape{16, 16}, shape{40, 5}, shape{0, 4}}) {
        for (int o = 0; o < orders; ++o) {
            array const a = test::whole_numbers(e, d), b = test::whole_numbers({5, e[1]}, d);
            array const c = test::whole_numbers({e[0], 33}, d);
            field<float, 2> fa(a, static_cast<order>(o)), fb(b, any_order(d)), fc(c, any_order(d));
            auto const x = fa.view(), y = fb.view(), z = fc.view();
            check_value(felt::concat<0>(x, y), plain::concat(a, b, 0), any_order(d));
            check_value(felt::concat<1>(x * x, z) + 1.f,
                        plain::add(plain::concat(plain::multiply(a, a), c, 1), array({}, 1)),
                        any_order(d));
            check_value(felt::concat<0>(y, matmul(transpose(z), x)),
                        plain::concat(b, plain::matmul(plain::transpose(c), a), 0), any_order(d));
        }
    }
}

TEST_CASE("gather from tensors, expressions and products along both axes") {
    dice d(52);
    for (shape const& e : {shape{3, 17}, shape{16, 16}, shape{40, 5}}) {
        for (int o = 0; o < orders; ++o) {
            array const a = test::whole_numbers(e, d);
            array rows(shape{19}), columns(shape{35});
            for (double& v : rows.v) v = static_cast<double>(d.between(0, e[0] - 1));
            for (double& v : columns.v) v = static_cast<double>(d.between(0, e[1] - 1));
            field<float, 2> fa(a, static_cast<order>(o));
            field<int, 1> fr(rows, order::steps);
            field<index_t, 1> fc(columns, order::rows);
            auto const x = fa.view();
            auto const at = fr.view();
            check_value(felt::gather<0>(x, at), plain::gather(a, 0, rows), any_order(d));
            check_value(felt::gather<1>(x + x, fc.view()),
                        plain::gather(plain::add(a, a), 1, columns), any_order(d));
            array const gram = plain::matmul(a, plain::transpose(a));
            check_value(
                transpose(felt::gather<0>(matmul(x, transpose(x)), at)) * 2.f,
                plain::multiply(plain::transpose(plain::gather(gram, 0, rows)), array({}, 2)),
                any_order(d));
        }
    }
}

TEST_CASE("gather by indices that are computed") {
    dice d(53);
    array const a = test::whole_numbers({30, 20}, d);
    field<float, 2> fa(a, order::columns);
    array rows(shape{15});
    for (index_t i = 0; i < 15; ++i)
        rows.v[static_cast<std::size_t>(i)] = static_cast<double>(29 - 2 * i);
    check_value(felt::gather<0>(fa.view(), 29 - 2 * felt::iota(15)), plain::gather(a, 0, rows),
                order::rows);
}

TEST_CASE("indices are looked through where they lie, or a piece at a time") {
    index_t const n = 20000;
    felt::Tensor<int, 1> at({n}), y({n});
    auto const x = felt::Tensor<int, 1>::of({5, 6});
    auto const bytes_of = [&](auto const& indices) {
        auto const before = felt::allocations().bytes;
        y = felt::gather<0>(x, indices);
        return felt::allocations().bytes - before;
    };
    auto const in_place = bytes_of(at), of_slice = bytes_of(slice(at, felt::range(0, n)));
    auto const in_pieces = bytes_of(at + 1);  // one after the other
    if (test::by_host) {
        CHECK(in_place == 0);
        CHECK(of_slice == 0);
        CHECK(in_pieces == n * index_t{sizeof(int)});
    }
    CHECK(y(n - 1) == 6);
    at(n - 1) = 1;
    CHECK_THROWS_AS(y = felt::gather<0>(x, at + 1), felt::shape_error);
    CHECK_THROWS_AS(y = felt::gather<0>(x, felt::flip<0>(at) * 2), felt::shape_error);
}

TEST_CASE("an index outside throws before anything is written") {
    auto const x = felt::Tensor<float, 2>::of({{1, 2}, {3, 4}});
    felt::Tensor<float, 2> y({2, 2});
    y = 5.f;
    for (int wrong : {2, -1}) {
        auto const indices = felt::Tensor<int, 1>::of({0, wrong});
        CHECK_THROWS_AS(y = felt::gather<0>(x, indices), felt::shape_error);
        CHECK_THROWS_AS(y = felt::gather<1>(x, indices) + 1.f, felt::shape_error);
        CHECK(y(0, 0) == 5);
    }
}

TEST_CASE("gather along the lanes and across, of more indices than one piece") {
    for (index_t n : {1, 16, 255, 256, 257, 700}) {
        felt::Tensor<float, 2> x({5, 67}), y({5, n});
        x = felt::iota<float>({5, 67});
        felt::Tensor<int, 1> which({n});
        for (index_t j = 0; j < n; ++j) which(j) = static_cast<int>(j * 29 % 67);
        y = felt::gather<1>(x, which);
        felt::Tensor<float, 2> z({n, 5}), sums({5, n});
        z = felt::gather<0>(transpose(x), which) + 1.f;
        sums = felt::gather<1>(x * x, which) - felt::gather<1>(x, felt::zeros<int>({n}));
        for (index_t i = 0; i < 5; ++i) {
            for (index_t j = 0; j < n; ++j) {
                CHECK(y(i, j) == x(i, which(j)));
                CHECK(z(j, i) == x(i, which(j)) + 1);
                CHECK(sums(i, j) == x(i, which(j)) * x(i, which(j)) - x(i, 0));
            }
        }
    }
}

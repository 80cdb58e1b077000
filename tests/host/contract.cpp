// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using plain::array;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);
constexpr index_t tile_rows = felt::host::tile<float>::mr;
constexpr index_t tile_columns = felt::host::tile<float>::nr;

order any_order(dice& d) { return static_cast<order>(d.between(0, orders - 1)); }

std::string case_name(plain::shape const& mnk, order a, order b, order c) {
    return felt::to_string(mnk.data(), 3) + " " + name_of(a) + " " + name_of(b) + " " + name_of(c);
}

// c = a b in the layouts given; whole numbers, so there is nothing to round.
template <class T>
void check_product(plain::shape const& mnk, order oa, order ob, order oc, dice& d) {
    array const a = test::whole_numbers({mnk[0], mnk[2]}, d);
    array const b = test::whole_numbers({mnk[2], mnk[1]}, d);
    field<T, 2> fa(a, oa), fb(b, ob), fc({mnk[0], mnk[1]}, oc);
    fc.view() = matmul(fa.view(), fb.view());
    INFO(case_name(mnk, oa, ob, oc));
    CHECK(test::difference(fc.get(), plain::matmul(a, b), 0) == "");
    CHECK(fc.guards_hold());
}

}  // namespace

TEST_CASE("a product of two by two") {
    auto const a = felt::Tensor<float, 2>::of({{1, 2}, {3, 4}});
    auto const b = felt::Tensor<float, 2>::of({{5, 6}, {7, 8}});
    felt::Tensor<float, 2> const c = matmul(a, b);
    CHECK(c(0, 0) == 19);
    CHECK(c(0, 1) == 22);
    CHECK(c(1, 0) == 43);
    CHECK(c(1, 1) == 50);
}

TEST_CASE("dot and outer of three") {
    auto const a = felt::Tensor<double, 1>::of({1, 2, 3});
    auto const b = felt::Tensor<double, 1>::of({4, 5, 6});
    double const d = dot(a, b);
    CHECK(d == 32);
    felt::Tensor<double, 2> const c = outer(a, b);
    CHECK(c(2, 0) == 12);
    CHECK(c(0, 2) == 6);
}

TEST_CASE("products of awkward extents") {
    dice d(2);
    for (index_t m : {index_t{0}, index_t{1}, index_t{2}, tile_rows - 1, tile_rows, tile_rows + 1,
                      index_t{37}}) {
        for (index_t n : {index_t{0}, index_t{1}, index_t{3}, tile_columns - 1, tile_columns,
                          tile_columns + 1, index_t{71}}) {
            for (index_t k : {0, 1, 2, 255, 256, 257, 1000}) {
                check_product<float>({m, n, k}, any_order(d), any_order(d), any_order(d), d);
            }
        }
    }
}

TEST_CASE("products in all layouts of a, b and c") {
    dice d(3);
    for (int i = 0; i < orders * orders * orders; ++i) {
        auto const a = static_cast<order>(i % orders), b = static_cast<order>(i / orders % orders);
        auto const c = static_cast<order>(i / orders / orders);
        check_product<float>({tile_rows + 5, tile_columns + 3, 19}, a, b, c, d);
    }
}

TEST_CASE("products larger than what is packed at a time") {
    dice d(4);
    check_product<float>({401, 19, 300}, order::rows, order::rows, order::rows, d);
    check_product<float>({19, 1601, 300}, order::columns, order::rows, order::steps, d);
    check_product<float>({173, 790, 259}, order::columns, order::columns, order::columns, d);
}

TEST_CASE("chunks of columns that are no whole tiles, over several pieces of the shared axis") {
    dice d(15);
    array const w = test::whole_numbers({18, 148}, d), x = test::whole_numbers({148, 415}, d);
    field<float, 2> fw(w, order::flipped_last), fx(x, order::steps), fy({18, 208}, order::steps);
    auto const every_second = felt::range(0, 415, 2);
    fy.view() = slice(matmul(fw.view(), fx.view() + 0.f), felt::all(), every_second);
    array const y = plain::slice(plain::matmul(w, x), {0, 0}, {1, 2}, {18, 208});
    CHECK(test::difference(fy.get(), y, 0) == "");
    CHECK(fy.guards_hold());
    for (index_t columns : {50, 1000}) {
        array const a = test::whole_numbers({3, 520}, d),
                    b = test::whole_numbers({520, 16, columns}, d);
        field<float, 2> fa(a, order::rows);
        field<float, 3> fb(b, order::rows), fc({3, 16, columns}, order::rows);
        fc.view() = felt::einsum<"ik,khw->ihw">(fa.view(), fb.view()) + 1.f;
        array const one({}, 1);
        CHECK(test::difference(fc.get(), plain::add(plain::einsum("ik", "khw", "ihw", a, b), one),
                               0) == "");
        CHECK(fc.guards_hold());
    }
}

TEST_CASE_TEMPLATE("products of other types", T, double, int, std::int64_t, std::uint8_t) {
    dice d(5);
    for (index_t m : {1, 7, 15}) {
        for (index_t n : {1, 17, 70}) {
            for (index_t k : {0, 1, 5, 257}) {
                if (sizeof(T) == 1 && k > 5) continue;
                array a = test::whole_numbers({m, k}, d), b = test::whole_numbers({k, n}, d);
                for (double& v : a.v) v = std::fabs(v);
                for (double& v : b.v) v = std::fabs(v);
                field<T, 2> fa(a, any_order(d)), fb(b, any_order(d)), fc({m, n}, any_order(d));
                fc.view() = matmul(fa.view(), fb.view());
                CHECK(test::difference(fc.get(), plain::matmul(a, b), 0) == "");
                CHECK(fc.guards_hold());
            }
        }
    }
}

TEST_CASE("operands of two types meet before they are multiplied") {
    dice d(6);
    array const a = test::whole_numbers({15, 33}, d), b = test::whole_numbers({33, 18}, d);
    field<float, 2> fa(a, order::columns);
    field<int, 2> fb(b, order::rows);
    field<double, 2> fc({15, 18}, order::rows);
    fc.view() = matmul(fa.view(), fb.view());
    CHECK(test::difference(fc.get(), plain::matmul(a, b), 0) == "");
}

TEST_CASE("rounding of a long product stays within its bound") {
    dice d(7);
    array const a = test::whole_numbers({15, 4001}, d, 1000000, 1e-6);
    array const b = test::whole_numbers({4001, 33}, d, 1000000, 1e-6);
    field<float, 2> fa(a, order::rows), fb(b, order::rows), fc({15, 33}, order::rows);
    fc.view() = matmul(fa.view(), fb.view());
    array expected = plain::matmul(fa.get(), fb.get());
    for (double& e : expected.error) e *= 64.0 / 4001;
    CHECK(test::difference(fc.get(), expected, 1.2e-7 / 2) == "");
}

TEST_CASE("batches are multiplied one by one, and broadcast") {
    dice d(8);
    struct {
        plain::shape a, b;
        char const *la, *lb, *out;
    } const cases[] = {{{3, 5, 7}, {3, 7, 33}, "bik", "bkj", "bij"},
                       {{3, 5, 7}, {1, 7, 33}, "bik", "bkj", "bij"},
                       {{1, 5, 7}, {4, 7, 1}, "bik", "bkj", "bij"},
                       {{2, 1, 40}, {2, 40, 9}, "bik", "bkj", "bij"}};
    for (auto const& c : cases) {
        for (int i = 0; i < 6; ++i) {
            array const a = test::whole_numbers(c.a, d), b = test::whole_numbers(c.b, d);
            array const expected = plain::einsum(c.la, c.lb, c.out, a, b);
            field<float, 3> fa(a, any_order(d)), fb(b, any_order(d)), fc(expected.e, any_order(d));
            fc.view() = matmul(fa.view(), fb.view());
            CHECK(test::difference(fc.get(), expected, 0) == "");
            CHECK(fc.guards_hold());
        }
    }
    array const a = test::whole_numbers({2, 3, 5, 9}, d), b = test::whole_numbers({9, 17}, d);
    field<float, 4> fa(a, order::rotated), fc({2, 3, 5, 17}, order::columns);
    field<float, 2> fb(b, order::rows);
    fc.view() = matmul(fa.view(), fb.view());
    CHECK(test::difference(fc.get(), plain::einsum("abik", "kj", "abij", a, b), 0) == "");
}

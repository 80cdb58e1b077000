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
constexpr index_t tile_rows = felt::host::tile<float>::rows;
constexpr index_t tile_columns = felt::host::tile<float>::columns;

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
        array const a = test::whole_numbers({3, 520}, d), b = test::whole_numbers({520, 16, columns}, d);
        field<float, 2> fa(a, order::rows);
        field<float, 3> fb(b, order::rows), fc({3, 16, columns}, order::rows);
        fc.view() = felt::einsum<"ik,khw->ihw">(fa.view(), fb.view()) + 1.f;
        array const one({}, 1);
        CHECK(test::difference(fc.get(), plain::add(plain::einsum("ik", "khw", "ihw", a, b), one), 0) == "");
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
    struct { plain::shape a, b; char const *la, *lb, *out; } const cases[] = {
        {{3, 5, 7}, {3, 7, 33}, "bik", "bkj", "bij"}, {{3, 5, 7}, {1, 7, 33}, "bik", "bkj", "bij"},
        {{1, 5, 7}, {4, 7, 1}, "bik", "bkj", "bij"},  {{2, 1, 40}, {2, 40, 9}, "bik", "bkj", "bij"}};
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

namespace {

template <felt::fixed_string S, std::size_t RA, std::size_t RB, std::size_t RC>
void check_einsum(plain::shape const& ea, plain::shape const& eb) {
    std::string const s = S.text;
    auto const comma = s.find(','), arrow = s.find("->");
    std::string const la = s.substr(0, comma), lb = s.substr(comma + 1, arrow - comma - 1);
    dice d(9);
    for (int i = 0; i < 8; ++i) {
        array const a = test::whole_numbers(ea, d), b = test::whole_numbers(eb, d);
        array const expected = plain::einsum(la, lb, s.substr(arrow + 2), a, b);
        field<float, RA> fa(a, any_order(d));
        field<float, RB> fb(b, any_order(d));
        field<float, RC> fc(expected.e, any_order(d));
        fc.view() = felt::einsum<S>(fa.view(), fb.view());
        INFO(s);
        CHECK(test::difference(fc.get(), expected, 0) == "");
        CHECK(fc.guards_hold());
    }
}

}  // namespace

TEST_CASE("einsum over several rows, columns, batches and shared axes") {
    check_einsum<"nchw,oc->nohw", 4, 2, 4>({2, 5, 6, 7}, {18, 5});
    check_einsum<"abij,abjk->abik", 4, 4, 4>({2, 3, 5, 8}, {2, 3, 8, 19});
    check_einsum<"ijk,jk->i", 3, 2, 1>({17, 6, 50}, {6, 50});
    check_einsum<"ij,jk->", 2, 2, 0>({5, 20}, {20, 6});
    check_einsum<"ij,ij->", 2, 2, 0>({13, 40}, {13, 40});
    check_einsum<"ij,ij->ij", 2, 2, 2>({13, 40}, {13, 40});
    check_einsum<"i,j->ij", 1, 1, 2>({17}, {35});
    check_einsum<"ij,kl->ikjl", 2, 2, 4>({3, 4}, {5, 6});
    check_einsum<"ik,jk->ji", 2, 2, 2>({18, 30}, {33, 30});
    check_einsum<"abc,cbd->ad", 3, 3, 2>({7, 9, 40}, {40, 9, 34});
    check_einsum<"ij,j->i", 2, 1, 1>({65, 130}, {130});
    check_einsum<"i,ij->j", 1, 2, 1>({130}, {130, 65});
}

TEST_CASE("a product whose operand is an expression, inside an expression") {
    dice d(10);
    for (int i = 0; i < 12; ++i) {
        index_t const m = d.between(1, 40), n = d.between(1, 80), k = d.between(1, 300);
        array const a = test::whole_numbers({m, k}, d), b = test::whole_numbers({k, n}, d);
        array const row = test::whole_numbers({n}, d), column = test::whole_numbers({m, 1}, d);
        field<float, 2> fa(a, any_order(d)), fb(b, any_order(d)), fc({m, n}, any_order(d));
        field<float, 1> fr(row, order::rows);
        field<float, 2> fk(column, order::rows);
        fc.view() = maximum(matmul(fa.view() + 1.f, fb.view() * 2.f) + fr.view(), fk.view());
        array const one({}, 1), two({}, 2);
        array const product = plain::matmul(plain::add(a, one), plain::multiply(b, two));
        array const expected = plain::maximum(plain::add(product, row), column);
        CHECK(test::difference(fc.get(), expected, 0) == "");
        CHECK(fc.guards_hold());
    }
}

TEST_CASE("products nested on either side and on both") {
    dice d(11);
    for (int i = 0; i < 8; ++i) {
        index_t const m = d.between(1, 50), n = d.between(1, 90), k = d.between(1, 60);
        index_t const l = d.between(1, 70);
        array const a = test::whole_numbers({m, k}, d, 2), b = test::whole_numbers({k, l}, d, 2);
        array const c = test::whole_numbers({l, n}, d, 2);
        field<float, 2> fa(a, any_order(d)), fb(b, any_order(d)), fc(c, any_order(d));
        field<float, 2> fy({m, n}, any_order(d));
        array const expected = plain::matmul(plain::matmul(a, b), c);
        fy.view() = matmul(matmul(fa.view(), fb.view()), fc.view());
        CHECK(test::difference(fy.get(), expected, 0) == "");
        fy.view() = matmul(fa.view(), matmul(fb.view(), fc.view()));
        CHECK(test::difference(fy.get(), expected, 0) == "");
        array const g = test::whole_numbers({k, m}, d, 2), h = test::whole_numbers({l, l}, d, 1);
        field<float, 2> fg(g, any_order(d)), fh(h, any_order(d)), fz({m, l}, any_order(d));
        fz.view() = matmul(matmul(fa.view(), fg.view()), matmul(matmul(fa.view(), fb.view()), fh.view())) + 1.f;
        array const right = plain::matmul(plain::matmul(a, b), h);
        array const both = plain::matmul(plain::matmul(a, g), right);
        CHECK(test::difference(fz.get(), plain::add(both, array({}, 1)), 0) == "");
        CHECK(fy.guards_hold());
        CHECK(fz.guards_hold());
    }
}

TEST_CASE("sums, maxima and transposes of a product") {
    dice d(12);
    for (int i = 0; i < 8; ++i) {
        index_t const m = d.between(1, 100), n = d.between(1, 200), k = d.between(1, 80);
        array const a = test::whole_numbers({m, k}, d), b = test::whole_numbers({k, n}, d);
        array const c = plain::matmul(a, b);
        field<float, 2> fa(a, any_order(d)), fb(b, any_order(d)), ft({n, m}, any_order(d));
        field<float, 1> f0({n}, order::rows), f1({m}, order::steps);
        ft.view() = transpose(matmul(fa.view(), fb.view()));
        f0.view() = felt::sum<0>(matmul(fa.view(), fb.view()));
        f1.view() = felt::max<1>(matmul(fa.view(), fb.view()));
        CHECK(test::difference(ft.get(), plain::transpose(c), 0) == "");
        CHECK(test::difference(f0.get(), plain::sum(c, 1), 0) == "");
        CHECK(test::difference(f1.get(), plain::max(c, 2), 0) == "");
    }
}

TEST_CASE("a product that reads its destination goes through a temporary") {
    dice d(13);
    array const a = test::whole_numbers({40, 40}, d), y = test::whole_numbers({40, 40}, d);
    field<float, 2> fa(a, order::rows);
    for (int o = 0; o < orders; ++o) {
        field<float, 2> fy(y, static_cast<order>(o));
        fy.view() = matmul(fa.view(), fy.view());
        CHECK(test::difference(fy.get(), plain::matmul(a, y), 0) == "");
        fy.set(y);
        fy.view() = matmul(fy.view(), fa.view()) + fy.view();
        CHECK(test::difference(fy.get(), plain::add(plain::matmul(y, a), y), 0) == "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("a product is added to its destination in place") {
    dice d(14);
    array const a = test::whole_numbers({30, 500}, d), b = test::whole_numbers({500, 70}, d);
    array const y = test::whole_numbers({30, 70}, d);
    field<float, 2> fa(a, order::rows), fb(b, order::columns), fy(y, order::pitched);
    fy.view() += matmul(fa.view(), fb.view());
    CHECK(test::difference(fy.get(), plain::add(y, plain::matmul(a, b)), 0) == "");
    CHECK(fy.guards_hold());
}

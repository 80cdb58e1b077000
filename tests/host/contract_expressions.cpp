// SPDX-License-Identifier: BSD-3-Clause
//
// Products by einsum, of expressions, inside expressions, nested, and in place.
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

order any_order(dice& d) { return static_cast<order>(d.between(0, orders - 1)); }

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

template <felt::fixed_string S, std::size_t RA = 2, std::size_t RB = 2>
constexpr bool is_a_product = felt::detail::fusing<decltype(felt::einsum<S>(
    std::declval<felt::Tensor<float, RA>&>(), std::declval<felt::Tensor<float, RB>&>()))>::product;

TEST_CASE("without rows and columns einsum is a reduction of a product element by element") {
    static_assert(!is_a_product<"ij,ij->i"> && !is_a_product<"ij,ij->j"> &&
                  !is_a_product<"ij,ij->"> && !is_a_product<"ij,ji->ji"> &&
                  !is_a_product<"ij,i->i", 2, 1> && is_a_product<"ij,jk->i"> &&
                  is_a_product<"ij,j->i", 2, 1>);
    for (index_t m : {0, 1, 7, 33, 64}) {
        for (index_t n : {0, 1, 5, 16, 17, 101}) {
            check_einsum<"ij,ij->i", 2, 2, 1>({m, n}, {m, n});
            check_einsum<"ij,ij->j", 2, 2, 1>({m, n}, {m, n});
            check_einsum<"ij,ji->j", 2, 2, 1>({m, n}, {n, m});
            check_einsum<"ij,ij->", 2, 2, 0>({m, n}, {m, n});
            check_einsum<"ij,i->i", 2, 1, 1>({m, n}, {m});
            check_einsum<"ijk,ik->k", 3, 2, 1>({m, 3, n}, {m, n});
        }
    }
    felt::Tensor<float, 2> x({33, 1}), y({1, 17});
    x = 2.f;
    CHECK_THROWS_AS(felt::einsum<"ij,ij->i">(x, y), felt::shape_error);  // no stretching
    CHECK(float(felt::tensordot<2>(x, x)) == 132.f);
}

TEST_CASE("letters of one operand that are summed") {
    check_einsum<"ji,jkl->ik", 2, 3, 2>({4, 3}, {4, 5, 6});
    check_einsum<"ji,jkl->ik", 2, 3, 2>({40, 30}, {40, 50, 6});
    check_einsum<"jil,jk->ik", 3, 2, 2>({4, 33, 7}, {4, 35});
    check_einsum<"il,k->ik", 2, 1, 2>({20, 9}, {40});
    check_einsum<"i,kl->ik", 1, 2, 2>({20}, {40, 9});
    check_einsum<"ijm,jkl->ik", 3, 3, 2>({17, 5, 3}, {5, 34, 6});
    check_einsum<"bij,bkl->bik", 3, 3, 3>({3, 17, 5}, {3, 34, 6});
    check_einsum<"ij,kl->", 2, 2, 0>({17, 5}, {34, 6});
    check_einsum<"i,jk->i", 1, 2, 1>({1}, {34, 6});
}

TEST_CASE("operands that are broadcast along rows, columns or what is summed") {
    dice d(11);
    auto const some = [&](index_t n) { return d.between(0, 2) > 0 ? n : 1; };
    for (int i = 0; i < 60; ++i) {
        index_t const m = d.between(1, 40), n = d.between(1, 80), k = d.between(1, 20), l = 7;
        array const a = test::whole_numbers({some(m), some(k), some(l)}, d);
        array const b = test::whole_numbers({some(k), some(l), some(n)}, d);
        array const left = plain::broadcast(a, {m, k, l}), right = plain::broadcast(b, {k, l, n});
        array const y = plain::einsum("ikl", "klj", "ij", left, right);
        field<float, 3> fa(a, any_order(d)), fb(b, any_order(d));
        field<float, 2> fy(y.e, any_order(d));
        auto const all_a = felt::broadcast_to(fa.view(), {m, k, l});
        auto const all_b = felt::broadcast_to(fb.view(), {k, l, n});
        fy.view() = felt::einsum<"ikl,klj->ij">(all_a, all_b);
        CHECK(test::difference(fy.get(), y, 0) == "");
        fy.view() = felt::einsum<"klj,ikl->ij">(all_b, all_a * 2.f);
        CHECK(test::difference(fy.get(), plain::multiply(y, array({}, 2)), 0) == "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("convolutions of what is broadcast, and the gradients of their means") {
    dice d(12);
    for (index_t images : {1, 3}) {
        array const x = test::whole_numbers({images, 5, 9, 12}, d);
        felt::Tensor<float, 4> tx({images, 5, 9, 12});
        std::copy(x.v.begin(), x.v.end(), tx.data());
        for (felt::extents<4> const& few :
             {felt::extents<4>{{1, 1, 1, 1}}, felt::extents<4>{{4, 1, 3, 1}},
              felt::extents<4>{{4, 1, 1, 1}}, felt::extents<4>{{1, 5, 1, 3}}}) {
            felt::Tensor<float, 4> filter(few), gradient({1, few[1] == 5 ? 4 : 1, 1, 1});
            filter = floor(5.f * felt::uniform<float>(few, 1));  // sums are exact
            gradient = 0.25f;
            auto const all = felt::broadcast_to(filter, {4, 5, 3, 3});
            auto const mean = felt::broadcast_to(gradient, {images, 4, 7, 10});
            felt::Tensor<float, 4> const dense = all, dense_mean = mean;
            felt::Tensor<float, 4> const y = conv2d(tx, all), want = conv2d(tx, dense);
            CHECK(felt::all_close(y, want, 0));
            felt::Tensor<float, 4> const by_weights =
                conv2d_weight_grad(tx, mean, felt::extents<4>{{4, 5, 3, 3}});
            felt::Tensor<float, 4> const wanted =
                conv2d_weight_grad(tx, dense_mean, felt::extents<4>{{4, 5, 3, 3}});
            CHECK(felt::all_close(by_weights, wanted, 0));
            felt::Tensor<float, 4> const by_images = conv2d_input_grad(mean, all, tx.extents());
            felt::Tensor<float, 4> const these = conv2d_input_grad(dense_mean, dense, tx.extents());
            CHECK(felt::all_close(by_images, these, 0));
        }
    }
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
        fz.view() =
            matmul(matmul(fa.view(), fg.view()), matmul(matmul(fa.view(), fb.view()), fh.view())) +
            1.f;
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

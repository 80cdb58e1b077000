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

// Intermediate tensors and their bytes that run(unfused, s) writes.
template <class S>
felt::allocation_count written(S const& s) {
    auto const before = felt::allocations();
    felt::run(felt::unfused, s);
    auto const after = felt::allocations();
    return {after.tensors - before.tensors, after.bytes - before.bytes, 0};
}

}  // namespace

TEST_CASE("every node but the last is a tensor of its own") {
    felt::Tensor<float, 2> x({20, 30}), b({20, 30}), y({20, 30});
    x = 1.f;
    b = 2.f;
    auto const three = written(assign(y, exp(x) * b + 1));
    CHECK(three.tensors == 2);
    CHECK(three.bytes == 2 * 20 * 30 * 4);
    CHECK(y(19, 29) == doctest::Approx(2 * 2.718281828 + 1));
    CHECK(written(assign(y, sigmoid(x))).tensors == 0);
    CHECK(written(assign(y, felt::clip(x, -1, 1) + relu(b))).tensors == 2);
    CHECK(written(assign(y, x - felt::mean<0>(x))).tensors == 2);
}

TEST_CASE("a shared sub-expression is one tensor, views are none") {
    felt::Tensor<float, 2> x({20, 20}), y({20, 20});
    x = felt::iota<float>({20, 20});
    auto const e = x * 2;
    CHECK(written(assign(y, e * e + e)).tensors == 2);
    CHECK(written(assign(y, transpose(e) + felt::flip<0>(e))).tensors == 1);
    CHECK(y(3, 0) == 2 * x(0, 3) + 2 * x(16, 0));
    CHECK(written(assign(y, transpose(x))).tensors == 0);
    CHECK(written(assign(y, pad(slice(e, felt::range(0, 18), felt::all()), {{1, 1}, {0, 0}})))
              .tensors == 1);
    CHECK(y(0, 5) == 0);
    CHECK(y(1, 5) == 10);
}

TEST_CASE("memory for intermediates is used again: the smallest piece that is large enough") {
    felt::host::value_pool pool;
    auto const large = pool.take(100000), small = pool.take(1000);
    pool.give(large);
    pool.give(small);
    auto const again = pool.take(900);
    CHECK(again.data == small.data);
    auto const next = pool.take(900);
    CHECK(next.data == large.data);
    pool.give(again);
    pool.give(next);
}

TEST_CASE("products, reductions and views agree with plain loops") {
    dice d(121);
    for (int o = 0; o < static_cast<int>(order::count); ++o) {
        array const a = test::whole_numbers({17, 40}, d), b = test::whole_numbers({40, 33}, d);
        array const r = test::whole_numbers({33}, d);
        field<float, 2> fa(a, static_cast<order>(o)), fb(b, order::columns),
            fy({17, 33}, static_cast<order>(o));
        field<float, 1> fr(r, order::steps);
        felt::run(felt::unfused,
                  assign(fy.view(), maximum(matmul(fa.view() + 1, fb.view()), fr.view())));
        array const product = plain::matmul(plain::add(a, array({}, 1)), b);
        CHECK(test::difference(fy.get(), plain::maximum(product, r), 0) == "");
        CHECK(fy.guards_hold());
        felt::run(felt::unfused,
                  assign(fr.view(), felt::sum<0>(felt::flip<1>(matmul(fa.view(), fb.view())))));
        CHECK(test::difference(fr.get(), plain::sum(plain::flip(plain::matmul(a, b), {1}), 1), 0) ==
              "");
    }
}

TEST_CASE("statements run in order, in place as well") {
    dice d(122);
    array const x = test::whole_numbers({25, 25}, d);
    field<float, 2> f(x, order::rows), g({25, 25}, order::columns);
    auto y = f.view(), z = g.view();
    felt::run(felt::unfused, assign(y, y + transpose(y)), assign(z, y * 2));
    array const sum = plain::add(x, plain::transpose(x));
    CHECK(test::difference(f.get(), sum, 0) == "");
    CHECK(test::difference(g.get(), plain::multiply(sum, array({}, 2)), 0) == "");
}

TEST_CASE("statements share a value, whatever the layout of their destinations") {
    dice d(71);
    array const x = test::whole_numbers({1, 13}, d), y = test::whole_numbers({9, 1}, d);
    array const squares = plain::multiply(plain::add(x, y), plain::add(x, y));
    for (order first : {order::rows, order::columns, order::steps}) {
        for (order second : {order::rows, order::columns, order::flipped}) {
            field<float, 2> fx(x, order::rows), fy(y, order::rows);
            field<float, 2> a({9, 13}, first), b({9, 13}, second), c({13, 9}, second);
            auto const z = square(fx.view() + fy.view());
            run(felt::unfused, assign(a.view(), z * 2.f), assign(b.view(), z + 1.f),
                assign(c.view(), transpose(z) * 3.f));
            INFO(name_of(first) << " " << name_of(second));
            CHECK(test::difference(a.get(), plain::multiply(squares, array({}, 2)), 0) == "");
            CHECK(test::difference(b.get(), plain::add(squares, array({}, 1)), 0) == "");
            array const turned = plain::transpose(squares);
            CHECK(test::difference(c.get(), plain::multiply(turned, array({}, 3)), 0) == "");
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
//
// A group of statements gives what the statements give one after the other.
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

// What `group(x, y, z, s, v)` does with three matrices, a row and a column is what `plainly` does.
struct tensors {
    array x, y, z, s, v;
};

template <class G, class P>
void check_group(char const* what, G&& group, P&& plainly) {
    dice d(131);
    shape const extents[] = {{1, 1}, {5, 7}, {33, 64}, {130, 70}, {700, 90}, {64, 4500}};
    for (shape const& e : extents) {
        for (order o : {order::rows, order::columns, order::steps}) {
            tensors t{test::whole_numbers(e, d, 2), test::whole_numbers(e, d, 2),
                      test::whole_numbers(e, d, 2), array({e[1]}, 1), array({e[0]}, 1)};
            field<double, 2> x(t.x, o), y(t.y, order::rows), z(t.z, o);
            field<double, 1> s(t.s, order::rows), v(t.v, order::rows);
            group(x.view(), y.view(), z.view(), s.view(), v.view());
            plainly(t);
            INFO(std::string(what) << " " << felt::to_string(e.data(), 2) << " " << name_of(o));
            CHECK(test::difference(x.get(), t.x, 0) == "");
            CHECK(test::difference(y.get(), t.y, 0) == "");
            CHECK(test::difference(z.get(), t.z, 0) == "");
            CHECK(test::difference(s.get(), t.s, 0) == "");
            CHECK(test::difference(v.get(), t.v, 0) == "");
            CHECK((x.guards_hold() && y.guards_hold() && z.guards_hold() && s.guards_hold() &&
                   v.guards_hold()));
        }
    }
}

array times(array const& a, double b) { return plain::multiply(a, array({}, b)); }

}  // namespace

TEST_CASE("a later statement reads what an earlier one has just written") {
    check_group(
        "chain",
        [](auto x, auto y, auto z, auto, auto) {
            felt::fuse(assign(y, x + y), assign(z, y * 2 - z), assign(x, z));
        },
        [](tensors& t) {
            t.y = plain::add(t.x, t.y);
            t.z = plain::add(times(t.y, 2), times(t.z, -1));
            t.x = t.z;
        });
}

TEST_CASE("sums of what is written, along and across the strips") {
    check_group(
        "sums",
        [](auto x, auto y, auto, auto s, auto v) {
            felt::fuse(assign(y, x * 2 + 1), assign(s, felt::sum<0>(y)),
                       assign(v, felt::max<1>(y) - 1));
        },
        [](tensors& t) {
            t.y = plain::add(times(t.x, 2), array({}, 1));
            t.s = plain::sum(t.y, 1);
            t.v = plain::add(plain::max(t.y, 2), array({}, -1));
        });
}

TEST_CASE("a sum that a later statement reads whole is complete before") {
    check_group(
        "mean",
        [](auto x, auto y, auto z, auto s, auto v) {
            felt::fuse(assign(s, felt::sum<0>(x)), assign(y, x - s), assign(v, felt::sum<1>(y)),
                       assign(z, y * expand_dims<1>(v)));
        },
        [](tensors& t) {
            t.s = plain::sum(t.x, 1);
            t.y = plain::add(t.x, times(t.s, -1));
            t.v = plain::sum(t.y, 2);
            t.z = plain::multiply(t.y, plain::reshape(t.v, {t.v.e[0], 1}));
        });
}

TEST_CASE("the same expression before and after its operand is written") {
    check_group(
        "again",
        [](auto x, auto y, auto, auto s, auto v) {
            felt::fuse(assign(v, felt::sum<1>(x)), assign(x, x + y), assign(s, felt::sum<0>(x)),
                       assign(v, v + felt::sum<1>(x)));
        },
        [](tensors& t) {
            t.v = plain::sum(t.x, 2);
            t.x = plain::add(t.x, t.y);
            t.s = plain::sum(t.x, 1);
            t.v = plain::add(t.v, plain::sum(t.x, 2));
        });
}

TEST_CASE("an equal sum, or product, is another value once its operand is written") {
    check_group(
        "rows",
        [](auto x, auto y, auto z, auto, auto v) {
            felt::fuse(assign(v, felt::sum<1>(x)), assign(x, x + y),
                       assign(z, z + felt::sum<1>(x, felt::keepdims)));
        },
        [](tensors& t) {
            t.v = plain::sum(t.x, 2);
            t.x = plain::add(t.x, t.y);
            t.z = plain::add(t.z, plain::reshape(plain::sum(t.x, 2), {t.v.e[0], 1}));
        });
    check_group(
        "in its own statement",
        [](auto x, auto, auto z, auto, auto) {
            auto const sum = felt::sum<1>(x, felt::keepdims);
            felt::fuse(assign(x, x + sum), assign(z, z + sum));
        },
        [](tensors& t) {
            auto const sum = [&] { return plain::reshape(plain::sum(t.x, 2), {t.x.e[0], 1}); };
            t.x = plain::add(t.x, sum());
            t.z = plain::add(t.z, sum());
        });
    felt::Tensor<double, 2> x({70, 12}), w({12, 9}), y({70, 9}), z({70, 9});
    x = felt::normal<double>(x.extents(), 1), w = felt::normal<double>(w.extents(), 2);
    felt::fuse(assign(y, matmul(x, w) + 1), assign(x, x * 2), assign(z, matmul(x, w) + 1));
    CHECK(felt::all_close(z, 2 * y - 1, 1e-12));
}

TEST_CASE("one product, and functions of it in several destinations") {
    dice d(133);
    for (shape const& e : {shape{5, 7}, shape{64, 128}, shape{130, 70}, shape{700, 90}}) {
        for (order o : {order::rows, order::columns, order::steps}) {
            array const x = test::whole_numbers({e[0], 12}, d, 2);
            array const w = test::whole_numbers({12, e[1]}, d, 2);
            field<double, 2> fx(x, order::rows), fw(w, order::rows), a(e, order::rows), b(e, o);
            field<double, 2> c(e, order::rows);
            field<double, 1> s(shape{e[1]}, order::rows), v(shape{e[0]}, order::rows);
            auto const z = matmul(fx.view(), fw.view());
            array const value = plain::matmul(x, w);
            array const less = plain::add(value, array({}, -10)), more = times(value, 2);
            auto const check = [&](char const* what, auto const&... s_) {
                for (auto* f : {&a, &b, &c}) f->set(array(e, 77));
                felt::fuse(s_...);
                INFO(std::string(what) << " " << felt::to_string(e.data(), 2) << " " << name_of(o));
                CHECK(test::difference(a.get(), less, 0) == "");
                CHECK(test::difference(b.get(), more, 0) == "");
                CHECK((a.guards_hold() && b.guards_hold() && c.guards_hold()));
            };
            auto const first = assign(a.view(), z - 10);
            auto const second = assign(b.view(), z * 2);
            check("a, b", first, second);
            check("b, a", second, first);
            check("as it is in between", first, assign(c.view(), z), second);
            CHECK(test::difference(c.get(), value, 0) == "");
            check("and last", first, second, assign(c.view(), z));
            CHECK(test::difference(c.get(), value, 0) == "");
            check("sums", first, assign(s.view(), felt::sum<0>(z)), second,
                  assign(v.view(), felt::max<1>(z * z)));
            CHECK(test::difference(s.get(), plain::sum(value, 1), 0) == "");
            array const squares = plain::multiply(value, value);
            CHECK(test::difference(v.get(), plain::max(squares, 2), 0) == "");
            check("sums first", assign(s.view(), felt::sum<0>(z)), first, second);
            CHECK(test::difference(s.get(), plain::sum(value, 1), 0) == "");
            // What the last destination held is read before the product may lie there.
            check("what was there", first, assign(c.view(), c.view() + b.view()), second);
            CHECK(test::difference(c.get(), array(e, 154), 0) == "");
        }
    }
}

TEST_CASE("what reads other strips waits") {
    check_group(
        "flip",
        [](auto x, auto y, auto z, auto, auto) {
            felt::fuse(assign(y, x + 1), assign(z, felt::flip<0, 1>(y)), assign(x, y - x));
        },
        [](tensors& t) {
            array const old = t.x;
            t.y = plain::add(t.x, array({}, 1));
            t.z = plain::flip(t.y, {0, 1});
            t.x = plain::add(t.y, times(old, -1));
        });
}

TEST_CASE("products over the rows and over the columns of what is written") {
    dice d(132);
    for (index_t n : {1, 40, 1000, 5000}) {
        array const x = test::whole_numbers({12, n}, d, 2), w = test::whole_numbers({20, 12}, d, 2);
        field<double, 2> fx(x, order::rows), fw(w, order::columns), fh({20, n}, order::rows);
        field<double, 2> fg({20, 12}, order::rows);
        field<double, 1> fs({20}, order::rows);
        auto h = fh.view();
        felt::fuse(assign(h, relu(matmul(fw.view(), fx.view()))),
                   assign(fg.view(), matmul(h, transpose(fx.view())) * 2),
                   assign(fs.view(), felt::sum<1>(h)));
        array const y = plain::maximum(plain::matmul(w, x), array({}, 0));
        CHECK(test::difference(fh.get(), y, 0) == "");
        CHECK(test::difference(fg.get(), times(plain::matmul(y, plain::transpose(x)), 2), 0) == "");
        CHECK(test::difference(fs.get(), plain::sum(y, 2), 0) == "");
        CHECK((fh.guards_hold() && fg.guards_hold() && fs.guards_hold()));
    }
}

TEST_CASE("a sum that grows is not read by an equal sum inside of another") {
    felt::Tensor<double, 2> x({3, 10000});
    felt::Tensor<double, 1> mean({3}), variance({3});
    x = felt::cast<double>(felt::iota(10000)) * 0.01;
    felt::fuse(assign(mean, felt::mean<1>(x)),
               assign(variance, felt::mean<1>(square(x - felt::mean<1>(x, felt::keepdims)))));
    CHECK(mean(2) == doctest::Approx(49.995));
    CHECK(variance(2) == doctest::Approx((1e8 - 1) / 12 * 1e-4));
}

TEST_CASE("a sum that views are read through") {
    for (index_t n : {5000, 90000}) {
        felt::Tensor<float, 2> x({6, n}), y({6, n});
        felt::Tensor<float, 4> w({4, 1, 3, 1});
        felt::Tensor<float, 1> p({8});
        x = 1.f;
        felt::fuse(assign(y, x * 2), assign(w, windows(felt::sum<1>(y, felt::keepdims), {3, 1})),
                   assign(p, pad(felt::sum<1>(y), {{1, 1}})));
        CHECK(w(3, 0, 2, 0) == 2 * static_cast<float>(n));
        CHECK(p(0) == 0);
        CHECK(p(6) == 2 * static_cast<float>(n));
    }
}

TEST_CASE("sums of nothing in a group are zero") {
    felt::Tensor<float, 2> x({3, 0}), w({0, 3}), c({3, 3}), d({3, 3});
    felt::Tensor<float, 1> s({3}), t({3});
    s = 5.f, t = 5.f, c = 5.f, d = 5.f;
    felt::fuse(assign(s, felt::sum<1>(x)), assign(t, felt::sum<1>(x * 2) + 1));
    CHECK((s(1) == 0 && t(2) == 1));
    felt::fuse(assign(c, matmul(x, w)), assign(d, matmul(x, w * 2) + 1));
    CHECK((c(1, 1) == 0 && d(2, 0) == 1));
    felt::Tensor<float, 1> none({0}), total({2});
    total = 5.f;
    felt::fuse(assign(slice(total, 0), felt::sum(none)),
               assign(slice(total, 1), felt::sum(none * 2)));
    CHECK((total(0) == 0 && total(1) == 0));
}

TEST_CASE("a wrong index in a group throws before its statement writes") {
    felt::Tensor<float, 1> x({5}), y({3}), z({3});
    auto const at = felt::Tensor<int, 1>::of({0, 5, 1});
    CHECK_THROWS_AS(
        felt::fuse(assign(y, felt::zeros<float>({3})), assign(z, felt::gather<0>(x, at) + 1)),
        felt::shape_error);
    CHECK(z(0) == 0);
}

TEST_CASE("slices of one product in a group: the four gates of a recurrent cell") {
    index_t const h = 24, k = 40;
    for (index_t n : {1, 7, 64}) {
        felt::Tensor<double, 2> w({4 * h, k}), x({k, n}), c({h, n}), y({h, n});
        w = felt::normal<double>({4 * h, k}, 1);
        x = felt::normal<double>({k, n}, 2);
        c = felt::normal<double>({h, n}, 3);
        felt::Tensor<double, 2> const before = c, all = matmul(w, x);
        auto const gate = [&](auto const& z, int i) {
            return felt::slice(z, felt::range(i * h, (i + 1) * h), felt::all());
        };
        auto const z = matmul(w, x);
        felt::fuse(assign(c, sigmoid(gate(z, 0)) * c + sigmoid(gate(z, 1)) * tanh(gate(z, 2))),
                   assign(y, sigmoid(gate(z, 3)) * tanh(c)));
        felt::Tensor<double, 2> const cell =
            sigmoid(gate(all, 0)) * before + sigmoid(gate(all, 1)) * tanh(gate(all, 2));
        CHECK(felt::all_close(c, cell, 1e-12));
        felt::Tensor<double, 2> const output = sigmoid(gate(all, 3)) * tanh(cell);
        CHECK(felt::all_close(y, output, 1e-12));
    }
}

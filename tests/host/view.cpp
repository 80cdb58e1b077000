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

order any_order(dice& d) { return static_cast<order>(d.between(0, orders - 1)); }

// The expression `of(view of x)` against an array, in any layout of x and of the result.
template <std::size_t R, class F>
void check_view(array const& x, array const& expected, F&& of) {
    dice d(static_cast<std::uint64_t>(plain::size(expected.e)) + 41);
    for (int o = 0; o < orders; ++o) {
        field<float, R> fx(x, static_cast<order>(o));
        auto const e = of(fx.view());
        field<float, decltype(e)::rank> fy(expected.e, any_order(d));
        fy.view() = e;
        INFO("of " << felt::to_string(x.e.data(), x.e.size()) << " "
                   << name_of(static_cast<order>(o)));
        CHECK(test::difference(fy.get(), expected, 0) == "");
        CHECK(fy.guards_hold());
    }
}

array doubled(array const& x) { return plain::add(x, x); }

}  // namespace

TEST_CASE("pad puts a value around") {
    auto const x = felt::Tensor<float, 2>::of({{1, 2}, {3, 4}});
    felt::Tensor<float, 2> const y = pad(x, {{1, 0}, {0, 2}}, 9.f);
    float const expected[3][4] = {{9, 9, 9, 9}, {1, 2, 9, 9}, {3, 4, 9, 9}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) CHECK(y(i, j) == expected[i][j]);
    }
}

TEST_CASE("upsample repeats, windows slide") {
    auto const x = felt::Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    felt::Tensor<float, 2> const up = upsample(x, {2, 1});
    CHECK(up.extent(0) == 4);
    CHECK(up(1, 2) == 3);
    CHECK(up(2, 0) == 4);
    felt::Tensor<float, 4> const w = windows(x, {2, 2});
    CHECK(w.extent(1) == 2);
    CHECK(w(0, 1, 0, 0) == 2);
    CHECK(w(0, 1, 1, 1) == 6);
    felt::Tensor<float, 4> const edge = windows(x, {1, 3}, {.stride = {1, 2}, .padding = {0, 1}});
    CHECK(edge(0, 0, 0, 0) == 0);
    CHECK(edge(0, 0, 0, 2) == 2);
    CHECK(edge(1, 1, 0, 0) == 5);
    CHECK(edge(1, 1, 0, 2) == 0);
}

TEST_CASE("pad of a tensor and of an expression") {
    dice d(42);
    for (shape const& e : {shape{1, 1}, shape{5, 17}, shape{33, 16}, shape{2, 67}, shape{3, 0}}) {
        array const x = test::whole_numbers(e, d);
        check_view<2>(x, plain::pad(x, {2, 3}, {1, 18}, 0.5),
                      [](auto const& v) { return pad(v, {{2, 1}, {3, 18}}, 0.5f); });
        check_view<2>(x, plain::pad(doubled(x), {0, 1}, {4, 0}, -1),
                      [](auto const& v) { return pad(v + v, {{0, 4}, {1, 0}}, -1.f); });
        check_view<2>(x, plain::transpose(plain::pad(doubled(x), {0, 1}, {4, 0}, -1)),
                      [](auto const& v) { return transpose(pad(v + v, {{0, 4}, {1, 0}}, -1.f)); });
    }
}

TEST_CASE("upsample of a tensor, of an expression and of a product") {
    dice d(43);
    for (shape const& e : {shape{1, 1}, shape{5, 17}, shape{16, 33}, shape{3, 64}}) {
        array const x = test::whole_numbers(e, d);
        check_view<2>(x, plain::upsample(x, 2, 3),
                      [](auto const& v) { return upsample(v, {2, 3}); });
        check_view<2>(x, plain::add(plain::upsample(doubled(x), 1, 4), array({}, 1)),
                      [](auto const& v) { return upsample(v + v, {1, 4}) + 1.f; });
        check_view<2>(x, plain::upsample(plain::matmul(plain::transpose(x), x), 2, 2),
                      [](auto const& v) { return upsample(matmul(transpose(v), v), {2, 2}); });
    }
}

TEST_CASE("windows of a tensor with padding, stride and dilation") {
    dice d(44);
    plain::window const options[] = {{.k = {3, 3}},
                                     {.k = {1, 1}},
                                     {.k = {2, 5}, .stride = {2, 1}, .padding = {1, 2}},
                                     {.k = {3, 2}, .padding = {2, 2}, .dilation = {1, 3}},
                                     {.k = {2, 2}, .stride = {3, 4}, .dilation = {2, 1}}};
    for (shape const& e : {shape{2, 6, 9}, shape{1, 7, 33}, shape{3, 18, 5}}) {
        array const x = test::whole_numbers(e, d);
        for (plain::window const& w : options) {
            felt::window_options const o{.stride = {w.stride[0], w.stride[1]},
                                         .padding = {w.padding[0], w.padding[1]},
                                         .dilation = {w.dilation[0], w.dilation[1]}};
            array const all = plain::windows(x, w);
            check_view<3>(x, all, [&](auto const& v) { return windows(v, {w.k[0], w.k[1]}, o); });
            check_view<3>(x, plain::sum(all, 24), [&](auto const& v) {
                return felt::sum<3, 4>(windows(v, {w.k[0], w.k[1]}, o));
            });
        }
    }
}

TEST_CASE("windows of an expression and of a product, in a reduction and in a product") {
    dice d(45);
    plain::window const w{.k = {3, 2}, .stride = {2, 1}, .padding = {1, 1}};
    felt::window_options const o{.stride = {2, 1}, .padding = {1, 1}};
    for (shape const& e : {shape{7, 9}, shape{12, 40}, shape{35, 3}}) {
        array const x = test::whole_numbers(e, d);
        check_view<2>(x, plain::max(plain::windows(doubled(x), w), 12),
                      [&](auto const& v) { return felt::max<2, 3>(windows(v + v, {3, 2}, o)); });
        array const gram = plain::matmul(x, plain::transpose(x));
        check_view<2>(x, plain::sum(plain::windows(gram, w), 12), [&](auto const& v) {
            return felt::sum<2, 3>(windows(matmul(v, transpose(v)), {3, 2}, o));
        });
        array const kernel = test::whole_numbers({4, 3, 2}, d);
        field<float, 3> fk(kernel, order::rows);
        check_view<2>(x, plain::einsum("pqrs", "ors", "opq", plain::windows(x, w), kernel),
                      [&](auto const& v) {
                          return felt::einsum<"pqrs,ors->opq">(windows(v, {3, 2}, o), fk.view());
                      });
    }
}

TEST_CASE("a window over a window, and a view of a view of an expression") {
    dice d(46);
    array const x = test::whole_numbers({9, 20}, d);
    plain::window const w{.k = {2, 3}};
    array const once = plain::max(plain::windows(x, w), 12);
    check_view<2>(x, plain::sum(plain::windows(once, w), 12), [](auto const& v) {
        return felt::sum<2, 3>(windows(felt::max<2, 3>(windows(v, {2, 3})), {2, 3}));
    });
    array const turned =
        plain::flip(plain::pad(plain::transpose(doubled(x)), {1, 0}, {0, 2}, 7), {0});
    check_view<2>(x, plain::upsample(turned, 1, 2), [](auto const& v) {
        return upsample(felt::flip<0>(pad(transpose(v + v), {{1, 0}, {0, 2}}, 7.f)), {1, 2});
    });
}

TEST_CASE("upsample by every factor, at every offset in a row") {
    for (index_t factor = 1; factor <= 9; ++factor) {
        for (index_t n : {1, 2, 5, 16, 33}) {
            felt::Tensor<float, 2> x({1, n});
            x = felt::iota<float>({1, n}) + 1.f;
            auto const up = felt::upsample(x, {1, factor});
            felt::Tensor<float, 2> y({3, n * factor + 4});
            y = felt::pad(up, {{1, 1}, {2, 2}}, -1.f);
            felt::Tensor<std::uint8_t, 2> bytes({1, n * factor});
            bytes = felt::upsample(felt::cast<std::uint8_t>(x), {1, factor});
            for (index_t j = 0; j < n * factor; ++j) {
                CHECK(y(1, j + 2) == static_cast<float>(j / factor + 1));
                CHECK(bytes(0, j) == j / factor + 1);
                index_t const rest = n * factor - j;
                felt::Tensor<float, 2> const end = slice(up, felt::all(), felt::range(j, j + rest));
                CHECK(end(0, 0) == static_cast<float>(j / factor + 1));
                CHECK(end(0, rest - 1) == static_cast<float>(n));
            }
            CHECK(y(1, 1) == -1);
            CHECK(y(1, n * factor + 2) == -1);
        }
    }
}

TEST_CASE("windows at a stride read every stride-th element, edges are padded") {
    for (index_t n : {4, 17, 40, 67}) {
        for (index_t stride : {1, 2, 3}) {
            felt::Tensor<float, 2> x({3, n});
            x = felt::iota<float>({3, n}) + 1.f;
            felt::Tensor<float, 4> y;
            y = felt::windows(x, {1, 4}, {.stride = {1, stride}, .padding = {0, 2}});
            for (index_t q = 0; q < y.extent(1); ++q) {
                for (index_t s = 0; s < 4; ++s) {
                    index_t const i = q * stride + s - 2;
                    CHECK(y(1, q, 0, s) == (i < 0 || i >= n ? 0 : x(1, i)));
                }
            }
        }
    }
}

TEST_CASE_TEMPLATE("every element twice, for rows of any length and wherever they begin", T, float,
                   double, std::int16_t, std::uint8_t, bool) {
    for (index_t n = 1; n < 75; ++n) {
        felt::Tensor<T, 2> x({2, n});
        for (index_t i = 0; i < n; ++i) x(0, i) = static_cast<T>(i % 3), x(1, i) = T(1);
        for (index_t from : {0, 1, 2}) {
            felt::Tensor<T, 2> const y =
                slice(upsample(x, {2, 2}), felt::all(), felt::range(from, 2 * n));
            for (index_t i = 0; i < 2 * n - from; ++i) {
                CHECK(y(0, i) == x(0, (i + from) / 2));
                CHECK(y(1, i) == x(0, (i + from) / 2));
                CHECK(y(3, i) == T(1));
            }
        }
    }
}

TEST_CASE("views that go on outside of their source, of any orders of elements") {
    index_t const m = 7, n = 37;
    dice d(7);
    array const x = test::whole_numbers({m, n}, d);
    for (auto mode : {felt::pad_mode::wrap, felt::pad_mode::reflect, felt::pad_mode::edge}) {
        for (index_t w : {0, 1, 6}) {
            array y(shape{m + 2 * w, n + w});
            std::size_t k = 0;
            for (index_t i = -w; i < m + w; ++i) {
                for (index_t j = -w; j < n; ++j) {
                    auto const at = felt::folded(mode, i, m) * n + felt::folded(mode, j, n);
                    y.v[k++] = x.v[static_cast<std::size_t>(at)];
                }
            }
            check_view<2>(x, y, [&](auto const& v) { return pad(v, {{w, w}, {w, 0}}, mode); });
            check_view<2>(x, doubled(y),
                          [&](auto const& v) { return pad(v + v, {{w, w}, {w, 0}}, mode); });
        }
    }
}

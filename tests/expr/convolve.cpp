// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions and their derivatives against the loops that define them, in double.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/convolve.hpp>

using felt::conv_options;
using felt::index_t;
using felt::Tensor;
using test::message;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class T = double, class Layout = felt::RowMajor>
using images = Tensor<T, 4, felt::Host, Layout>;

// The three results of one convolution, as sums over all pairs of elements that meet.
struct by_loops {
    plain y, dx, dw;

    by_loops(plain const& x, plain const& w, plain const& dy, conv_options const& o)
        : y{dy.extents, std::vector<double>(dy.values.size())},
          dx{x.extents, std::vector<double>(x.values.size())},
          dw{w.extents, std::vector<double>(w.values.size())} {
        index_t const each = w.extents[0] / o.groups.value;
        test::computed(dy.extents, [&](index_t const* at) {
            test::computed({w.extents[1], w.extents[2], w.extents[3]}, [&](index_t const* tap) {
                index_t const c = at[1] / each * w.extents[1] + tap[0];
                index_t const h = place(at[2], tap[1], o, 0), v = place(at[3], tap[2], o, 1);
                if (h < 0 || h >= x.extents[2] || v < 0 || v >= x.extents[3]) return 0.0;
                index_t const i = number_of(x, at[0], c, h, v);
                index_t const j = number_of(w, at[1], tap[0], tap[1], tap[2]);
                index_t const k = number_of(dy, at[0], at[1], at[2], at[3]);
                add(y, k, x, i, w, j);
                add(dx, i, dy, k, w, j);
                add(dw, j, dy, k, x, i);
                return 0.0;
            });
            return 0.0;
        });
    }

private:
    static index_t place(index_t p, index_t r, conv_options const& o, int axis) {
        return p * o.stride[axis].value + r * o.dilation[axis].value - o.padding[axis].value;
    }
    static index_t number_of(plain const& x, index_t a, index_t b, index_t c, index_t d) {
        return ((a * x.extents[1] + b) * x.extents[2] + c) * x.extents[3] + d;
    }
    static void add(plain& to, index_t t, plain const& x, index_t i, plain const& w, index_t j) {
        to.values[static_cast<std::size_t>(t)] +=
            x.values[static_cast<std::size_t>(i)] * w.values[static_cast<std::size_t>(j)];
    }
};

template <class X, class W>
void check_convolution(X const& x, W const& w, conv_options const& o, double slack) {
    X const y = conv2d(x, w, o);
    auto const dy = numbered<X>(y.extents().value, 3);
    by_loops const expected(values(x), values(w), values(dy), o);
    CHECK(values(y) == near(expected.y, slack));
    CHECK(values(conv2d_input_grad(dy, w, x.extents(), o)) == near(expected.dx, slack));
    CHECK(values(conv2d_weight_grad(x, dy, w.extents(), o)) == near(expected.dw, slack));
}

// Numbers in memory in which axis order[0] of (a, b, c, d) is outermost, order[3] innermost.
struct in_order {
    std::vector<double> memory;
    felt::View<double, 4> view;

    in_order(felt::extents<4> const& e, int const (&order)[4], index_t first)
        : memory(static_cast<std::size_t>(e.size())), view(memory.data(), e, strides_of(e, order)) {
        view = numbered<images<>>({e[0], e[1], e[2], e[3]}, first);
        REQUIRE(view.strides()[static_cast<std::size_t>(order[3])] == 1);
    }

private:
    static felt::extents<4> strides_of(felt::extents<4> const& e, int const (&order)[4]) {
        felt::extents<4> stride{};
        index_t next = 1;
        for (int i = 3; i >= 0; --i) {
            stride[static_cast<std::size_t>(order[i])] = next;
            next *= e[static_cast<std::size_t>(order[i])];
        }
        return stride;
    }
};

// Row- and column-major, channels last, images last, channels first of all.
constexpr int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 3, 1}, {2, 3, 1, 0}, {1, 0, 2, 3}};

void check_orders(int const (&of_x)[4], int const (&of_w)[4], int const (&of_y)[4],
                  conv_options const& o) {
    felt::extents<4> const e{{2, 4, 7, 8}}, filters{{8, 4 / o.groups.value, 3, 2}};
    in_order const x(e, of_x, 1), w(filters, of_w, 5);
    auto const results = conv2d(x.view, w.view, o).extents();
    in_order const dy(results, of_y, 3);
    in_order y(results, of_y, 0), dx(e, of_x, 0), dw(filters, of_w, 0);
    y.view = conv2d(x.view, w.view, o);
    dx.view = conv2d_input_grad(dy.view, w.view, e, o);
    dw.view = conv2d_weight_grad(x.view, dy.view, filters, o);
    by_loops const expected(values(x.view), values(w.view), values(dy.view), o);
    CHECK(values(y.view) == expected.y);
    CHECK(values(dx.view) == expected.dx);
    CHECK(values(dw.view) == expected.dw);
}

// conv1d by its loops.
template <class Layout>
void check_rows(index_t const (&of_x)[3], index_t const (&of_w)[3], felt::conv1d_options const& o) {
    using T = Tensor<float, 3, felt::Host, Layout>;
    auto const x = numbered<T>(of_x), w = numbered<T>(of_w, 5);
    auto const a = values(x), b = values(w);
    index_t const each = of_w[0] / o.groups.value, span = o.dilation.value * (of_w[2] - 1) + 1;
    index_t const q = (of_x[2] + 2 * o.padding.value - span) / o.stride.value + 1;
    auto const expected = test::computed({of_x[0], of_w[0], q}, [&](index_t const* at) {
        double sum = 0;
        for (index_t c = 0; c < of_w[1]; ++c)
            for (index_t s = 0; s < of_w[2]; ++s) {
                index_t const i = at[2] * o.stride.value + s * o.dilation.value - o.padding.value;
                if (i < 0 || i >= of_x[2]) continue;
                sum += a(at[0], at[1] / each * of_w[1] + c, i) * b(at[1], c, s);
            }
        return sum;
    });
    CHECK(values(conv1d(x, w, o)) == near(expected, 1e-4));
}

// Extents that no block holds, and more terms than one piece of a sum; 200 elements of each result.
template <class Layout>
void check_many() {
    using T = images<float, Layout>;
    index_t const N = 2, C = 130, H = 40, W = 33, O = 70, P = H - 2, Q = W - 2;
    auto const x = numbered<T>({N, C, H, W}), w = numbered<T>({O, C, 3, 3}, 5);
    auto const dy = numbered<T>({N, O, P, Q}, 3);
    T const y = conv2d(x, w), dx = conv2d_input_grad(dy, w, x.extents());
    T const dw = conv2d_weight_grad(x, dy, w.extents());
    auto const at = [](T const& t, index_t a, index_t b, index_t c, index_t d) {
        return static_cast<double>(t(a, b, c, d));
    };
    bool right = true;
    auto const same = [&](double got, double want) {
        right = right && std::abs(got - want) <= 1e-3 * std::max(1.0, std::abs(want));
    };
    for (index_t i = 0; i < 200; ++i) {
        index_t const n = i % N, c = i * 37 % C, o = i * 11 % O, p = i * 7 % P, q = i * 5 % Q;
        double forward = 0, back = 0, filter = 0;
        for (index_t k = 0; k < 9; ++k) {
            index_t const r = k / 3, s = k % 3;
            for (index_t l = 0; l < C; ++l)
                forward += at(x, n, l, p + r, q + s) * at(w, o, l, r, s);
            for (index_t l = 0; l < O && p >= r && q >= s; ++l)
                back += at(dy, n, l, p - r, q - s) * at(w, l, c, r, s);
        }
        for (index_t k = 0; k < N * P * Q; ++k) {
            index_t const m = k / (P * Q), u = k / Q % P, v = k % Q;
            filter += at(dy, m, o, u, v) * at(x, m, c, u + i % 3, v + i % 2);
        }
        same(at(y, n, o, p, q), forward);
        same(at(dx, n, c, p, q), back);
        same(at(dw, o, c, i % 3, i % 2), filter);
    }
    CHECK(right);
}

}  // namespace

TEST_CASE("convolution and its derivatives: strides, padding, dilation, groups") {
    for (index_t groups : {1, 2, 4})
        for (index_t stride : {1, 2, 3})
            for (index_t padding : {0, 1, 2})
                for (index_t dilation : {1, 2}) {
                    CAPTURE(groups);
                    CAPTURE(stride);
                    CAPTURE(padding);
                    CAPTURE(dilation);
                    conv_options const o{.stride = {stride, stride == 3 ? 2 : stride},
                                         .padding = {padding, 1},
                                         .dilation = {dilation, 1},
                                         .groups = groups};
                    check_convolution(numbered<images<>>({2, 4, 9, 7}),
                                      numbered<images<>>({8, 4 / groups, 3, 2}, 5), o, 1e-12);
                }
}

TEST_CASE("every layout, and filters of one element") {
    conv_options const o{.stride = {2, 1}, .padding = {1, 0}};
    using felt::ChannelsLast;
    using felt::ColMajor;
    check_convolution(numbered<images<float, ChannelsLast>>({3, 5, 8, 11}),
                      numbered<images<float, ChannelsLast>>({6, 5, 3, 3}), o, 1e-5);
    check_convolution(numbered<images<float, ColMajor>>({3, 5, 8, 11}),
                      numbered<images<float>>({6, 5, 3, 3}), o, 1e-5);
    check_convolution(numbered<images<float, ChannelsLast>>({2, 17, 5, 5}),
                      numbered<images<float>>({33, 17, 1, 1}), {}, 1e-5);
    check_convolution(numbered<images<float>>({2, 17, 5, 5}),
                      numbered<images<float, ChannelsLast>>({33, 17, 1, 1}), {}, 1e-5);
}

TEST_CASE("all orders of memory of images, filters and results, mixed") {
    index_t i = 0;
    for (auto const& x : orders)
        for (auto const& w : orders)
            for (auto const& y : orders) {
                CAPTURE(i);
                conv_options const o{.stride = {1 + i % 2, 1},
                                     .padding = {1, i % 3},
                                     .dilation = {1, 1 + i % 2},
                                     .groups = i % 4 == 3 ? 4 : 1 + i % 4 % 2};
                check_orders(x, w, y, o);
                ++i;
            }
}

TEST_CASE("depthwise: a filter, or two, for each channel") {
    for (index_t each : {1, 2})
        for (index_t stride : {1, 2}) {
            conv_options const o{.stride = {stride, stride}, .padding = {1, 1}, .groups = 19};
            check_convolution(numbered<images<>>({2, 19, 8, 7}),
                              numbered<images<>>({19 * each, 1, 3, 3}, 5), o, 1e-12);
            check_convolution(numbered<images<float, felt::ChannelsLast>>({2, 19, 8, 7}),
                              numbered<images<float, felt::ChannelsLast>>({19 * each, 1, 3, 3}, 5),
                              o, 1e-5);
        }
}

TEST_CASE("many channels: several blocks, and sums in pieces") {
    check_many<felt::RowMajor>();
    check_many<felt::ChannelsLast>();
}

TEST_CASE("nothing to do: no images, no channels") {
    CHECK(conv2d(images<>({0, 2, 5, 5}), images<>({3, 2, 3, 3})).extents() ==
          felt::extents<4>{{0, 3, 3, 3}});
    images<> y = conv2d(images<>({2, 0, 5, 5}), images<>({3, 0, 3, 3}));
    CHECK(values(y) == test::computed({2, 3, 3, 3}, [](auto) { return 0.0; }));
    images<> dw = conv2d_weight_grad(images<>({0, 2, 5, 5}), images<>({0, 3, 3, 3}), {3, 2, 3, 3});
    CHECK(values(dw) == test::computed({3, 2, 3, 3}, [](auto) { return 0.0; }));
    CHECK(conv2d(images<>({2, 3, 5, 5}), images<>({0, 3, 3, 3})).extents() ==
          felt::extents<4>{{2, 0, 3, 3}});
    images<> dx = conv2d_input_grad(images<>({2, 0, 3, 3}), images<>({0, 2, 3, 3}), {2, 2, 5, 5});
    CHECK(values(dx) == test::computed({2, 2, 5, 5}, [](auto) { return 0.0; }));
    images<> none = conv2d_input_grad(images<>({0, 3, 3, 3}), images<>({3, 2, 3, 3}), {0, 2, 5, 5});
    CHECK(none.size() == 0);
}

TEST_CASE("operands are expressions, the convolution is one too") {
    auto const x = numbered<images<>>({2, 3, 6, 6}), w = numbered<images<>>({4, 3, 3, 3}, 7);
    images<> doubled = x * 2.0 + 1.0, plain_y = conv2d(doubled, w);
    CHECK(values(relu(conv2d(x * 2.0 + 1.0, w)) - 1.0) == near(values(relu(plain_y) - 1.0), 1e-12));
    CHECK(values(conv2d(felt::rot180(x), felt::flip<2>(w))) ==
          near(values(conv2d(felt::eval(felt::rot180(x)), felt::eval(felt::flip<2>(w)))), 1e-12));
    images<> inner = tanh(conv2d(x, w));
    CHECK(values(conv2d(tanh(conv2d(x, w)), numbered<images<>>({2, 4, 2, 2}))) ==
          near(values(conv2d(inner, numbered<images<>>({2, 4, 2, 2}))), 1e-12));
}

TEST_CASE("a sum of 100,000 terms for each element of a filter's derivative") {
    auto const x = numbered<images<float>>({10, 2, 102, 102});
    auto const dy = numbered<images<float>>({10, 3, 100, 100}, 3);
    auto const before = felt::allocations();
    images<float> dw = conv2d_weight_grad(x, dy, {3, 2, 3, 3});
    CHECK(felt::allocations().tensors - before.tensors == 1);
    by_loops const expected(values(x), values(numbered<images<float>>({3, 2, 3, 3})), values(dy),
                            {});
    CHECK(values(dw) == near(expected.dw, 1e-4));
}

TEST_CASE("conv1d is a convolution along the last axis: strides, padding, dilation, groups") {
    for (index_t groups : {1, 2})
        for (index_t stride : {1, 2, 3})
            for (index_t padding : {0, 2})
                for (index_t dilation : {1, 2})
                    for (index_t k : {1, 3}) {
                        check_rows<felt::RowMajor>({3, 4, 23}, {6, 4 / groups, k},
                                                   {.stride = stride,
                                                    .padding = padding,
                                                    .dilation = dilation,
                                                    .groups = groups});
                    }
    check_rows<felt::ColMajor>({2, 5, 67}, {7, 5, 4}, {.stride = 2, .padding = 1});
    check_rows<felt::RowMajor>({2, 130, 40}, {70, 130, 3}, {.padding = 1});
    check_rows<felt::RowMajor>({0, 2, 5}, {3, 2, 3}, {});
    check_rows<felt::RowMajor>({2, 0, 5}, {3, 0, 3}, {});
    check_rows<felt::RowMajor>({2, 19, 9}, {19, 1, 3}, {.padding = 1, .groups = 19});
}

TEST_CASE("conv1d is not written, and says what does not fit") {
    auto const x = numbered<Tensor<float, 3>>({4, 8, 50}),
               w = numbered<Tensor<float, 3>>({6, 8, 5});
    Tensor<float, 3> y({4, 6, 50}), z({4, 6, 50});
    auto const e = relu(conv1d(x + 1, w, {.padding = 2}) - 1);
    CHECK(explain(assign(y, e)).intermediates().empty());
    y = e;
    run(felt::unfused, assign(z, e));
    CHECK(values(y) == near(values(z), 1e-5));
    CHECK(message([&] { (void)conv1d(x, w, {.groups = 2}); }) ==
          "conv1d: (4, 8, 50) by (6, 8, 5): 8 channels, filters of 8, 2 groups");
    CHECK(message([&] { (void)conv1d(x, Tensor<float, 3>({6, 8, 51})); }) ==
          "conv1d: a window of 51 (span 51) does not fit axis 2 of (4, 8, 50)");
}

TEST_CASE("what does not fit is said with the shapes") {
    images<> const x({2, 4, 5, 5}), w({6, 4, 3, 3});
    CHECK(message([&] { (void)conv2d(x, images<>({6, 3, 3, 3})); }) ==
          "conv2d: (2, 4, 5, 5) by (6, 3, 3, 3): 4 channels, filters of 3, 1 groups");
    CHECK(message([&] { (void)conv2d(x, w, {.groups = 4}); }).find("4 groups") !=
          std::string::npos);
    CHECK(message([&] { (void)conv2d(x, images<>({6, 4, 7, 3})); }) ==
          "conv2d: a window of 7 (span 7) does not fit axis 2 of (2, 4, 5, 5)");
    CHECK(message([&] { (void)conv2d(x, w, {.dilation = {1, 3}}); }) ==
          "conv2d: a window of 3 (span 7) does not fit axis 3 of (2, 4, 5, 5)");
    for (auto const& wrong : {conv_options{.stride = {0, 1}}, conv_options{.padding = {0, -1}},
                              conv_options{.dilation = {0, 1}}}) {
        CHECK(message([&] { (void)conv2d(x, w, wrong); }).find("of (2, 4, 5, 5)") !=
              std::string::npos);
    }
    CHECK(message([&] { (void)conv2d(x, w, {.groups = 0}); }) ==
          "conv2d: (2, 4, 5, 5) by (6, 4, 3, 3): 4 channels, filters of 4, 0 groups");
    CHECK(message([&] { (void)conv2d_input_grad(x, images<>({4, 4, 6, 3}), x.extents()); }) ==
          "conv2d_input_grad: a window of 6 (span 6) does not fit axis 2 of (2, 4, 5, 5)");
    CHECK(message([&] { (void)conv2d_weight_grad(x, x, {4, 4, 3, 6}); }) ==
          "conv2d_weight_grad: a window of 6 (span 6) does not fit axis 3 of (2, 4, 5, 5)");
    CHECK(message([&] { (void)conv2d_input_grad(images<>({2, 6, 4, 4}), w, x.extents()); }) ==
          "conv2d_input_grad: (2, 6, 4, 4) by (6, 4, 3, 3): the results are (2, 6, 3, 3)");
    CHECK(message([&] {
              (void)conv2d_weight_grad(x, images<>({2, 5, 3, 3}), w.extents());
          }).find("the results are (2, 6, 3, 3)") != std::string::npos);
}

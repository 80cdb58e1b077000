// SPDX-License-Identifier: BSD-3-Clause
//
// What stands before and behind a convolution, in one expression: no tensor is written beside the
// result, and it is what the same expression gives node by node.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::conv_options;
using felt::index_t;
using felt::pool_options;
using felt::Tensor;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

using images = Tensor<double, 4>;
using last = Tensor<double, 4, felt::Host, felt::ChannelsLast>;
constexpr double rounding = 1e-11;

// e, in one pass, without a tensor and in little scratch, into a Y; the same in steps.
template <class Y = images, class E>
plain fused(E const& e, double slack = rounding) {
    static_assert(felt::fully_fused<E>);
    Y y(e.extents()), steps(e.extents());
    CHECK(explain(assign(y, e)).fused());
    auto const before = felt::allocations();
    felt::detail::counters().scratch_peak = 0;
    y = e;
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
    CHECK(felt::allocations().scratch_peak <= 2 << 20);
    run(felt::unfused, assign(steps, e));
    CHECK(values(y) == near(values(steps), slack));
    return values(y);
}

double logistic(double v) { return 1 / (1 + std::exp(-v)); }

// conv2d with stride 1 and padding by loops.
plain convolved(plain const& x, plain const& w, index_t padding) {
    index_t const h = x.extents[2], v = x.extents[3], k = w.extents[2], l = w.extents[3];
    std::vector<index_t> const e = {x.extents[0], w.extents[0], h + 2 * padding - k + 1,
                                    v + 2 * padding - l + 1};
    return computed(e, [&](index_t const* at) {
        double sum = 0;
        for (index_t c = 0; c < x.extents[1]; ++c)
            for (index_t r = 0; r < k; ++r)
                for (index_t s = 0; s < l; ++s) {
                    index_t const i = at[2] + r - padding, j = at[3] + s - padding;
                    bool const inside = i >= 0 && i < h && j >= 0 && j < v;
                    if (inside) sum += x(at[0], c, i, j) * w(at[1], c, r, s);
                }
        return sum;
    });
}

// f(element) folded over each window, from the first one.
template <class F>
plain pooled(plain const& x, pool_options const& o, F fold) {
    index_t const k = o.window[0].value, l = o.window[1].value;
    index_t const down = o.stride[0].value, right = o.stride[1].value;
    std::vector<index_t> const e = {x.extents[0], x.extents[1], (x.extents[2] - k) / down + 1,
                                    (x.extents[3] - l) / right + 1};
    return computed(e, [&](index_t const* at) {
        double v = x(at[0], at[1], at[2] * down, at[3] * right);
        for (index_t i = 1; i < k * l; ++i) {
            v = fold(v, x(at[0], at[1], at[2] * down + i / l, at[3] * right + i % l));
        }
        return v;
    });
}

plain mapped(plain x, double (*f)(double)) {
    for (double& v : x.values) v = f(v);
    return x;
}

// pool(act(conv + b)) of these, for windows and strides that tile, overlap and leave gaps.
struct layer {
    images x = numbered<images>({3, 2, 13, 11}), w = numbered<images>({5, 2, 3, 4}, 5);
    Tensor<double, 3> b = numbered<Tensor<double, 3>>({5, 1, 1}, 9);
    conv_options o{.padding = {1, 1}};
    plain y;

    layer() {
        w = w * 0.125;
        y = convolved(values(x), values(w), 1);
        for (std::size_t i = 0; i < y.values.size(); ++i) {
            auto const channel = static_cast<index_t>(i) / (y.extents[2] * y.extents[3]) % 5;
            y.values[i] += b(channel, 0, 0);
        }
    }
};
constexpr index_t windows_and_strides[][2] = {{2, 2}, {3, 3}, {3, 2}, {2, 1}, {2, 3}};

}  // namespace

TEST_CASE("a mean over windows of an activation of a convolution") {
    layer const a;
    plain const h = mapped(a.y, logistic);
    for (auto const& [window, stride] : windows_and_strides) {
        CAPTURE(window);
        CAPTURE(stride);
        pool_options const o{.window = {window, window}, .stride = {stride, stride}};
        double const n = static_cast<double>(window * window);
        plain expected = pooled(h, o, [](double x, double y) { return x + y; });
        for (double& v : expected.values) v /= n;
        auto const e = avg_pool2d(sigmoid(conv2d(a.x, a.w, a.o) + a.b), o);
        CHECK(fused(e) == near(expected, rounding));
        CHECK(fused<last>(e) == near(expected, rounding));
    }
}

TEST_CASE("a maximum over windows of an activation of a convolution") {
    layer const a;
    plain const h = mapped(a.y, [](double v) { return std::max(v, 0.); });
    for (auto const& [window, stride] : windows_and_strides) {
        CAPTURE(window);
        CAPTURE(stride);
        pool_options const o{.window = {window, window}, .stride = {stride, stride}};
        plain const expected = pooled(h, o, [](double x, double y) { return std::max(x, y); });
        auto const e = max_pool2d(relu(conv2d(a.x, a.w, a.o) + a.b), o);
        CHECK(fused(e) == near(expected, rounding));
        CHECK(fused<last>(e) == near(expected, rounding));
    }
}

TEST_CASE("what a convolution reads is evaluated while it is read") {
    auto const x = numbered<images>({2, 3, 7, 6}), w = numbered<images>({4, 3, 3, 3}, 5);
    plain const p = values(x), q = values(w);
    auto const expected = [&](std::vector<index_t> e, auto f, index_t padding = 0) {
        return near(convolved(computed(std::move(e), f), q, padding), rounding);
    };
    CHECK(fused(conv2d(2.0 * x - 1.0, w)) == expected({2, 3, 7, 6}, [&](index_t const* at) {
              return 2 * p(at[0], at[1], at[2], at[3]) - 1;
          }));
    CHECK(fused(conv2d(felt::rot180(x), w, {.padding = {1, 1}})) ==
          expected(
              {2, 3, 7, 6},
              [&](index_t const* at) { return p(at[0], at[1], 6 - at[2], 5 - at[3]); }, 1));
    CHECK(fused(conv2d(felt::upsample(x, {2, 2}), w)) ==
          expected({2, 3, 14, 12},
                   [&](index_t const* at) { return p(at[0], at[1], at[2] / 2, at[3] / 2); }));
    CHECK(fused(conv2d(felt::pad(x, {{0, 0}, {0, 0}, {2, 1}, {0, 3}}, 5.0), w)) ==
          expected({2, 3, 10, 9}, [&](index_t const* at) {
              bool const inside = at[2] >= 2 && at[2] < 9 && at[3] < 6;
              return inside ? p(at[0], at[1], at[2] - 2, at[3]) : 5.0;
          }));
}

TEST_CASE("a convolution of an activation of a convolution") {
    auto const x = numbered<images>({2, 3, 8, 9}), v = numbered<images>({5, 4, 3, 3}, 7);
    images w = numbered<images>({4, 3, 3, 3}, 5);
    w = w * 0.03125;
    conv_options const same{.padding = {1, 1}};
    plain const inner =
        mapped(convolved(values(x), values(w), 1), [](double a) { return std::tanh(a); });
    plain const expected = near(convolved(inner, values(v), 1), rounding);
    auto const e = conv2d(tanh(conv2d(x, w, same)), v, same);
    CHECK(fused(e) == expected);
    CHECK(fused<last>(e) == expected);
}

TEST_CASE("upsampled deltas feed the gradients without being written") {
    index_t const p = 2;
    auto const x = numbered<images>({3, 2, 9, 8}), w = numbered<images>({4, 2, 4, 3}, 5);
    auto const delta = numbered<images>({3, 4, 3, 3}, 7);
    images a = numbered<images>({3, 4, 6, 6}, 9);
    a = sigmoid(a);
    auto const inner = felt::upsample(delta, {p, p}) / static_cast<double>(p * p) * a * (1 - a);
    plain const q = values(delta), act = values(a);
    auto const d = images(inner);
    CHECK(values(d) == near(computed({3, 4, 6, 6},
                                     [&](index_t const* at) {
                                         double const h = act(at[0], at[1], at[2], at[3]);
                                         return q(at[0], at[1], at[2] / p, at[3] / p) / 4 * h *
                                                (1 - h);
                                     }),
                            rounding));
    CHECK(fused(conv2d_weight_grad(x, inner, w.extents())) ==
          near(values(conv2d_weight_grad(x, d, w.extents())), rounding));
    CHECK(fused(conv2d_input_grad(inner, w, x.extents())) ==
          near(values(conv2d_input_grad(d, w, x.extents())), rounding));
    CHECK(fused<last>(conv2d_input_grad(inner, w, x.extents())) ==
          near(values(conv2d_input_grad(d, w, x.extents())), rounding));
}

TEST_CASE("the layer of the study and its gradients, at their size") {
    using floats = Tensor<float, 4>;
    auto const random = [](felt::extents<4> const& e, std::uint64_t seed) {
        return felt::eval(felt::uniform<float>(e, seed) - 0.5f);
    };
    felt::index_t const n = test::by_host ? 64 : 4;
    auto const x = random({{n, 1, 28, 28}}, 1), w = random({{20, 1, 9, 9}}, 2);
    auto const delta = random({{n, 20, 10, 10}}, 3);
    auto const b = numbered<Tensor<float, 3>>({20, 1, 1});
    auto const act = sigmoid(conv2d(x, w) + b);
    fused<floats>(avg_pool2d(act), 1e-5);
    floats const a = act;
    auto const inner = felt::upsample(delta, {2, 2}) * 0.25f * a * (1.f - a);
    fused<floats>(conv2d_weight_grad(x, inner, w.extents()), 1e-4);
    fused<floats>(conv2d_input_grad(inner, w, x.extents()), 1e-4);
}

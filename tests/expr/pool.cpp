// SPDX-License-Identifier: BSD-3-Clause
//
// Pooling and its derivatives against the loops that define them.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/pool.hpp>

using felt::index_t;
using felt::pool_options;
using felt::Tensor;
using test::computed;
using test::infinity;
using test::message;
using test::near;
using test::not_a_number;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class T = double, class Layout = felt::RowMajor>
using images = Tensor<T, 4, felt::Host, Layout>;

// Calls f(h, w) for the elements of the window at (p, q) that lie in an image.
void in_window(plain const& x, pool_options const& o, index_t p, index_t q, auto const& f) {
    auto const step = [&](int a) {
        return o.stride[a].value == 0 ? o.window[a].value : o.stride[a].value;
    };
    for (index_t r = 0; r < o.window[0].value; ++r) {
        for (index_t s = 0; s < o.window[1].value; ++s) {
            index_t const h = p * step(0) + r - o.padding[0].value;
            index_t const w = q * step(1) + s - o.padding[1].value;
            if (h >= 0 && h < x.extents[2] && w >= 0 && w < x.extents[3]) f(h, w);
        }
    }
}

template <class X>
void check_pools(X const& x, pool_options const& o) {
    plain const a = values(x);
    X const mean = avg_pool2d(x, o), most = max_pool2d(x, o);
    auto const e = values(mean).extents;
    double const n = static_cast<double>(o.window[0].value * o.window[1].value);
    CHECK(values(mean) ==
          near(computed(e,
                        [&](auto at) {
                            double sum = 0;
                            in_window(a, o, at[2], at[3],
                                      [&](index_t h, index_t w) { sum += a(at[0], at[1], h, w); });
                            return sum / n;
                        }),
               1e-6));
    auto const place = [&](index_t const* at) {
        index_t best = -1, width = a.extents[3];
        in_window(a, o, at[2], at[3], [&](index_t h, index_t w) {
            bool const more =
                best < 0 || a(at[0], at[1], h, w) > a(at[0], at[1], best / width, best % width);
            if (more) best = h * width + w;
        });
        return best;
    };
    CHECK(values(argmax_pool2d(x, o)) ==
          computed(e, [&](auto at) { return static_cast<double>(place(at)); }));
    CHECK(values(most) == computed(e, [&](auto at) {
              index_t const best = place(at);
              return a(at[0], at[1], best / a.extents[3], best % a.extents[3]);
          }));
    auto const dy = numbered<X>(mean.extents().value, 2);
    plain const d = values(dy);
    plain by_mean{a.extents, std::vector<double>(a.values.size())}, by_most = by_mean;
    index_t const image = a.extents[2] * a.extents[3];
    computed(e, [&](index_t const* at) {
        index_t const first = (at[0] * a.extents[1] + at[1]) * image;
        double const slope = d(at[0], at[1], at[2], at[3]);
        in_window(a, o, at[2], at[3], [&](index_t h, index_t w) {
            by_mean.values[static_cast<std::size_t>(first + h * a.extents[3] + w)] += slope / n;
        });
        by_most.values[static_cast<std::size_t>(first + place(at))] += slope;
        return 0.0;
    });
    CHECK(values(avg_pool2d_grad(dy, x.extents(), o)) == near(by_mean, 1e-6));
    CHECK(values(max_pool2d_grad(dy, argmax_pool2d(x, o), x.extents(), o)) == near(by_most, 1e-6));
}

}  // namespace

TEST_CASE("pooling and its derivatives: windows, strides, padding, layouts") {
    for (index_t window : {1, 2, 3})
        for (index_t stride : {0, 1, 2, 3, 4})
            for (index_t padding : {0, 1}) {
                if (2 * padding > window) continue;
                CAPTURE(window);
                CAPTURE(stride);
                CAPTURE(padding);
                check_pools(numbered<images<>>({2, 3, 8, 9}), {.window = {window, window},
                                                               .stride = {stride, stride},
                                                               .padding = {padding, padding}});
            }
    check_pools(numbered<images<float, felt::ChannelsLast>>({2, 17, 6, 7}), {});
    check_pools(numbered<images<float, felt::ColMajor>>({2, 3, 6, 7}),
                {.window = {3, 2}, .stride = {2, 2}});
}

TEST_CASE("pools of more images and channels than a block holds, in every layout") {
    pool_options const overlapping{.window = {3, 2}, .stride = {2, 2}, .padding = {1, 0}};
    index_t const n = test::by_host ? 70 : 5;
    check_pools(numbered<images<float>>({4, n, 47, 42}), overlapping);
    check_pools(numbered<images<float, felt::ChannelsLast>>({4, n, 47, 42}), overlapping);
    check_pools(numbered<images<float, felt::ColMajor>>({4, n, 47, 42}), {});
}

TEST_CASE("a window as large as the image, and one that is larger than its stride") {
    check_pools(numbered<images<>>({2, 3, 5, 4}), {.window = {5, 4}});
    check_pools(numbered<images<>>({2, 3, 9, 9}), {.window = {5, 4}, .stride = {1, 2}});
    check_pools(numbered<images<>>({2, 3, 9, 9}), {.window = {6, 4}, .stride = {3, 2}});
}

TEST_CASE("no images, no channels: nothing to pool") {
    for (felt::extents<4> const& e : {felt::extents<4>{{0, 3, 4, 6}}, {{2, 0, 4, 6}}}) {
        images<> const x(e), dy({e[0], e[1], 2, 3});
        CHECK(avg_pool2d(x).extents() == dy.extents());
        Tensor<index_t, 4> const where = argmax_pool2d(x);
        CHECK(images<>(max_pool2d(x)).extents() == dy.extents());
        CHECK(images<>(avg_pool2d(x)).extents() == dy.extents());
        CHECK(images<>(max_pool2d_grad(dy, where, e)).extents() == e);
        CHECK(images<>(avg_pool2d_grad(dy, e)).extents() == e);
    }
}

TEST_CASE("padding never is the maximum, a NaN always") {
    auto x = images<float>({1, 1, 2, 2});
    x = -infinity;
    pool_options const o{.window = {2, 2}, .padding = {1, 1}};
    CHECK(values(max_pool2d(x, o)) == computed({1, 1, 2, 2}, [](auto) { return -infinity; }));
    CHECK(values(argmax_pool2d(x, o)) == plain{{1, 1, 2, 2}, {0, 1, 2, 3}});
    x(0, 0, 1, 0) = std::numeric_limits<float>::quiet_NaN();
    CHECK(values(max_pool2d(x)) == plain{{1, 1, 1, 1}, {not_a_number}});
    CHECK(values(argmax_pool2d(x)) == plain{{1, 1, 1, 1}, {2}});
}

TEST_CASE(
    "what a derivative keeps of the maxima says where they are in their windows, in 16 bits") {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    auto x = numbered<Tensor<float, 4>>({2, 3, 11, 7});
    x(0, 0, 0, 0) = x(1, 2, 10, 6) = nan, x(0, 1, 5, 3) = x(0, 1, 5, 4) = 1e9F;
    for (index_t k : {1, 2, 3, 7}) {
        felt::pool_options const o{.window = {k, k}, .stride = {2, 3}, .padding = {k / 2, k / 2}};
        Tensor<std::uint16_t, 4> const kept = felt::detail::max_pool_rule{o}.beside(x);
        auto const s = felt::detail::shape_of_pool("here", x.extents(), o);
        CHECK(values(felt::detail::places_in_image(kept, s)) == values(argmax_pool2d(x, o)));
    }
    images<> const large({1, 1, 256, 256});
    pool_options const whole{.window = {256, 256}};
    CHECK(message([&] { (void)felt::detail::max_pool_rule{whole}.beside(large); }) ==
          "max_pool2d: its derivative counts the elements of a window in 16 bits, too few for "
          "windows of (256, 256)");
}

TEST_CASE("integers pool too, their mean is double") {
    auto const x = numbered<images<int>>({1, 2, 4, 4});
    CHECK(values(max_pool2d(x)).values.size() == 8);
    CHECK(std::is_same_v<felt::value_of<decltype(avg_pool2d(x))>, double>);
    CHECK(felt::value_of<decltype(max_pool2d(x))>(1) / 2 == 0);
}

TEST_CASE("pools that do not fit are refused") {
    images<> const x({1, 1, 4, 4});
    CHECK(message([&] { (void)max_pool2d(x, {.window = {5, 2}}); }) ==
          "max_pool2d: a window of 5 (span 5) does not fit axis 2 of (1, 1, 4, 4)");
    CHECK(message([&] { (void)avg_pool2d(x, {.padding = {2, 0}}); }) ==
          "avg_pool2d: padding 2 is more than half of window 2");
    CHECK(message([&] { (void)argmax_pool2d(x, {.window = {2, 5}}); }) ==
          "argmax_pool2d: a window of 5 (span 5) does not fit axis 3 of (1, 1, 4, 4)");
    for (auto const& wrong : {pool_options{.window = {0, 2}}, pool_options{.stride = {-1, 2}},
                              pool_options{.padding = {0, -1}}}) {
        CHECK(message([&] { (void)max_pool2d(x, wrong); }).find("of (1, 1, 4, 4)") !=
              std::string::npos);
    }
    Tensor<index_t, 4> const where({1, 1, 2, 2});
    CHECK(message([&] { (void)max_pool2d_grad(x, where, {1, 1, 4, 4}); }) ==
          "max_pool2d_grad: results of (1, 1, 4, 4) are (1, 1, 2, 2), not (1, 1, 4, 4)");
    CHECK(message([&] { (void)max_pool2d_grad(images<>({1, 1, 2, 2}), where, {1, 2, 4, 4}); }) ==
          "max_pool2d_grad: results of (1, 2, 4, 4) are (1, 2, 2, 2), not (1, 1, 2, 2)");
    CHECK(message([&] { (void)avg_pool2d_grad(x, {1, 1, 4, 4}); }) ==
          "avg_pool2d_grad: results of (1, 1, 4, 4) are (1, 1, 2, 2), not (1, 1, 4, 4)");
}

TEST_CASE("pools of one axis and of three") {
    for (index_t window : {1, 2, 3})
        for (index_t stride : {0, 1, 2}) {
            index_t const padding = window / 2, step = stride == 0 ? window : stride;
            auto const x = numbered<Tensor<float, 3>>({2, 3, 37});
            auto const a = values(x);
            index_t const p = (37 + 2 * padding - window) / step + 1;
            auto const over = [&](bool average) {
                return test::computed({2, 3, p}, [&, average](index_t const* at) {
                    double sum = 0, high = -test::infinity;
                    for (index_t k = 0; k < window; ++k) {
                        index_t const i = at[2] * step + k - padding;
                        if (i < 0 || i >= 37) continue;
                        sum += a(at[0], at[1], i);
                        high = std::max(high, a(at[0], at[1], i));
                    }
                    return average ? sum / static_cast<double>(window) : high;
                });
            };
            felt::pool1d_options const o{.window = window, .stride = stride, .padding = padding};
            CHECK(values(avg_pool1d(x, o)) == test::near(over(true), 1e-6));
            CHECK(values(max_pool1d(x * 2, o) / 2) == over(false));
        }
    auto const x = numbered<Tensor<double, 5, felt::Host, felt::ColMajor>>({2, 3, 4, 7, 5});
    auto const a = values(x);
    auto const over = [&](bool average) {
        return test::computed({2, 3, 2, 4, 4}, [&, average](index_t const* at) {
            double sum = 0, high = -test::infinity;
            for (index_t i = 2 * at[2]; i < 2 * at[2] + 2; ++i)
                for (index_t j = 2 * at[3] - 1; j < 2 * at[3] + 2; ++j)
                    for (index_t k = at[4]; k < at[4] + 2; ++k) {
                        if (j < 0 || j >= 7) continue;
                        sum += a(at[0], at[1], i, j, k);
                        high = std::max(high, a(at[0], at[1], i, j, k));
                    }
            return average ? sum / 12 : high;
        });
    };
    felt::pool3d_options const o{.window = {2, 3, 2}, .stride = {2, 2, 1}, .padding = {0, 1, 0}};
    CHECK(values(avg_pool3d(x, o)) == test::near(over(true), 1e-12));
    CHECK(values(max_pool3d(x, o)) == over(false));
    CHECK(avg_pool3d(x).extents() == felt::extents<5>{{2, 3, 2, 3, 2}});
}

TEST_CASE("pools of one axis and of three are not written, and name what does not fit") {
    auto const x = numbered<Tensor<float, 3>>({2, 3, 37});
    auto const v = numbered<Tensor<float, 5>>({2, 3, 8, 8, 8});
    Tensor<float, 3> y({2, 3, 18});
    Tensor<float, 5> z({2, 3, 4, 4, 4});
    CHECK(explain(assign(y, exp(max_pool1d(x + 1)))).intermediates().empty());
    CHECK(explain(assign(y, exp(avg_pool1d(x + 1)))).intermediates().empty());
    CHECK(explain(assign(z, exp(max_pool3d(v + 1)))).intermediates().empty());
    CHECK(explain(assign(z, exp(avg_pool3d(v + 1)))).intermediates().empty());
    CHECK(test::message([&] { (void)avg_pool1d(x, {.window = 2, .padding = 2}); }) ==
          "avg_pool1d: padding 2 is more than half of window 2");
    CHECK(test::message([&] { (void)max_pool3d(v, {.window = {9, 1, 1}}); }) ==
          "max_pool3d: a window of 9 (span 9) does not fit axis 2 of (2, 3, 8, 8, 8)");
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions of volumes against the loops that define them, in double: the most loops that one
// expression has.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::conv3d_options;
using felt::index_t;
using felt::Tensor;
using test::message;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class T = double, class Layout = felt::RowMajor>
using volumes = Tensor<T, 5, felt::Host, Layout>;

plain by_loops(plain const& x, plain const& w, conv3d_options const& o) {
    std::vector<index_t> e{x.extents[0], w.extents[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        index_t const span = o.dilation[i].value * (w.extents[2 + i] - 1) + 1;
        e.push_back((x.extents[2 + i] + 2 * o.padding[i].value - span) / o.stride[i].value + 1);
    }
    index_t const each = w.extents[0] / o.groups.value;
    return test::computed(e, [&](index_t const* at) {
        double sum = 0;
        test::computed({w.extents.begin() + 1, w.extents.end()}, [&](index_t const* tap) {
            index_t in[3];
            for (std::size_t i = 0; i < 3; ++i) {
                in[i] = at[2 + i] * o.stride[i].value + tap[1 + i] * o.dilation[i].value -
                        o.padding[i].value;
                if (in[i] < 0 || in[i] >= x.extents[2 + i]) return 0.0;
            }
            index_t const c = at[1] / each * w.extents[1] + tap[0];
            sum += x(at[0], c, in[0], in[1], in[2]) * w(at[1], tap[0], tap[1], tap[2], tap[3]);
            return 0.0;
        });
        return sum;
    });
}

template <class T, class LX = felt::RowMajor, class LW = LX>
void check(index_t const (&of_x)[5], index_t const (&of_w)[5], conv3d_options const& o = {}) {
    auto const x = numbered<volumes<T, LX>>(of_x);
    auto const w = numbered<volumes<T, LW>>(of_w, 5);
    volumes<T, LX> const y = conv3d(x, w, o);
    CHECK(values(y) == near(by_loops(values(x), values(w), o), sizeof(T) == 4 ? 1e-4 : 1e-12));
}

}  // namespace

TEST_CASE("convolution of volumes: strides, padding, dilation, groups") {
    for (index_t groups : {1, 2, 4})
        for (index_t stride : {1, 2, 3})
            for (index_t padding : {0, 1, 2})
                for (index_t dilation : {1, 2}) {
                    CAPTURE(groups);
                    CAPTURE(stride);
                    CAPTURE(padding);
                    CAPTURE(dilation);
                    check<double>({2, 4, 6, 7, 5}, {4, 4 / groups, 2, 3, 2},
                                  {.stride = {stride, 1, 4 - stride},
                                   .padding = {padding, 1, 2 - padding},
                                   .dilation = {1, dilation, 3 - dilation},
                                   .groups = groups});
                }
}

TEST_CASE("volumes in every layout, of awkward extents, and of none") {
    using felt::ColMajor;
    using felt::RowMajor;
    conv3d_options const o{.stride = {1, 2, 1}, .padding = {1, 0, 2}};
    check<float, ColMajor>({3, 5, 4, 7, 11}, {6, 5, 3, 3, 3}, o);
    check<float, RowMajor, ColMajor>({3, 5, 4, 7, 11}, {6, 5, 3, 3, 3}, o);
    check<float, ColMajor, RowMajor>({1, 2, 5, 3, 17}, {7, 2, 2, 1, 5});
    check<float>({2, 17, 3, 5, 5}, {33, 17, 1, 1, 1});
    check<float>({1, 40, 3, 9, 33}, {35, 40, 3, 3, 3}, {.padding = {1, 1, 1}});
    check<float>({2, 19, 3, 4, 5}, {19, 1, 3, 3, 3}, {.padding = {1, 1, 1}, .groups = 19});
    check<double>({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1});
    check<double>({0, 2, 3, 3, 3}, {3, 2, 2, 2, 2});
    check<double>({2, 0, 3, 3, 3}, {3, 0, 2, 2, 2});
    check<double>({2, 2, 3, 3, 3}, {0, 2, 2, 2, 2});
}

TEST_CASE("views, expressions and other types are convolved as tensors of double are") {
    auto const x = numbered<volumes<float>>({5, 6, 4, 3, 2}),
               w = numbered<volumes<float>>({3, 4, 2, 2, 2});
    volumes<float> const turned = felt::permute<4, 2, 3, 0, 1>(x);
    auto const expected = by_loops(values(turned), values(w), {});
    CHECK(values(conv3d(felt::permute<4, 2, 3, 0, 1>(x), w)) == near(expected, 1e-5));
    CHECK(values(conv3d(felt::cast<double>(turned), w)) == near(expected, 1e-12));
    CHECK(values(conv3d(felt::cast<int>(turned * 4), w)) ==
          near(by_loops(values(felt::cast<int>(turned * 4)), values(w), {}), 1e-5));
}

TEST_CASE("a convolution of volumes is one pass with what stands around it") {
    auto const x = numbered<volumes<float>>({2, 8, 6, 9, 17}),
               w = numbered<volumes<float>>({6, 4, 3, 3, 3});
    auto const bias = numbered<Tensor<float, 4>>({6, 1, 1, 1});
    auto const pooled =
        max_pool3d(relu(conv3d(x * 0.5f + 1, w, {.padding = {1, 1, 1}, .groups = 2}) + bias));
    volumes<float> y(pooled.extents()), z(pooled.extents());
    CHECK(explain(assign(y, pooled)).intermediates().empty());
    auto const before = felt::allocations();
    y = pooled;
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
    run(felt::unfused, assign(z, pooled));
    CHECK(values(y) == near(values(z), 1e-5));
    volumes<float> const a = x * 0.5f + 1;
    auto const c = by_loops(values(a), values(w), {.padding = {1, 1, 1}, .groups = 2});
    CHECK(values(y) ==
          near(test::computed({2, 6, 3, 4, 8},
                              [&](index_t const* at) {
                                  double most = 0;
                                  for (index_t k = 0; k < 8; ++k) {
                                      most = std::max(
                                          most, c(at[0], at[1], 2 * at[2] + k / 4,
                                                  2 * at[3] + k / 2 % 2, 2 * at[4] + k % 2) +
                                                    static_cast<double>(bias(at[1], 0, 0, 0)));
                                  }
                                  return most;
                              }),
               1e-4));
}

TEST_CASE("a convolution of a convolution, and one as an operand of sums and products") {
    auto const x = numbered<volumes<>>({1, 2, 5, 6, 7}), w = numbered<volumes<>>({3, 2, 2, 2, 2});
    auto const v = numbered<volumes<>>({2, 3, 2, 1, 3}, 9);
    volumes<> const inner = tanh(conv3d(x, w));
    CHECK(values(conv3d(tanh(conv3d(x, w)), v)) ==
          near(by_loops(values(inner), values(v), {}), 1e-12));
    CHECK(values(felt::mean<2, 3, 4>(tanh(conv3d(x, w)))) ==
          near(values(felt::mean<2, 3, 4>(inner)), 1e-12));
}

TEST_CASE("what does not fit is said with the shapes of volumes") {
    volumes<> const x({2, 4, 5, 5, 6}), w({6, 4, 3, 3, 3});
    CHECK(message([&] { (void)conv3d(x, w, {.groups = 2}); }) ==
          "conv3d: (2, 4, 5, 5, 6) by (6, 4, 3, 3, 3): 4 channels, filters of 4, 2 groups");
    CHECK(message([&] { (void)conv3d(x, w, {.dilation = {1, 1, 3}}); }) ==
          "conv3d: a window of 3 (span 7) does not fit axis 4 of (2, 4, 5, 5, 6)");
    CHECK(message([&] { (void)conv3d(x, w, {.stride = {0, 1, 1}}); }).find("axis 2") !=
          std::string::npos);
    CHECK(message([&] { (void)conv3d(x, w, {.padding = {0, -1, 0}}); }).find("axis 3") !=
          std::string::npos);
}

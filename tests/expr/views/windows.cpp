// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/windows.hpp>

using felt::index_t;
using felt::Tensor;
using felt::windows;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

struct options {
    index_t window[2], stride[2], padding[2], dilation[2];
};

// windows(x)[n, p, q, r, s] by the definition.
plain by_definition(plain const& x, options const& o) {
    index_t out[2];
    for (std::size_t i = 0; i < 2; ++i) {
        index_t const span = o.dilation[i] * (o.window[i] - 1) + 1;
        out[i] = (x.extents[i + 1] + 2 * o.padding[i] - span) / o.stride[i] + 1;
    }
    return computed({x.extents[0], out[0], out[1], o.window[0], o.window[1]}, [&](auto at) {
        index_t const i = at[1] * o.stride[0] + at[3] * o.dilation[0] - o.padding[0];
        index_t const j = at[2] * o.stride[1] + at[4] * o.dilation[1] - o.padding[1];
        bool const inside = i >= 0 && i < x.extents[1] && j >= 0 && j < x.extents[2];
        return inside ? x(at[0], i, j) : 0;
    });
}

template <class X>
auto windows_of(X const& x, options const& o) {
    return windows(x, {o.window[0], o.window[1]},
                   {.stride = {o.stride[0], o.stride[1]},
                    .padding = {o.padding[0], o.padding[1]},
                    .dilation = {o.dilation[0], o.dilation[1]}});
}

options const all_options[] = {
    {{3, 3}, {1, 1}, {0, 0}, {1, 1}}, {{3, 2}, {1, 1}, {1, 1}, {1, 1}},
    {{2, 2}, {2, 2}, {0, 0}, {1, 1}}, {{3, 3}, {2, 3}, {2, 1}, {1, 2}},
    {{1, 1}, {1, 1}, {0, 0}, {1, 1}}, {{7, 19}, {1, 1}, {0, 0}, {1, 1}},
    {{2, 3}, {5, 4}, {3, 4}, {3, 2}},
};

}  // namespace

TEST_CASE("windows adds two axes that run over a window") {
    auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(windows(x, {2, 2})) == plain{{1, 2, 2, 2}, {1, 2, 4, 5, 2, 3, 5, 6}});
    CHECK(values(windows(x, {1, 2}, {.stride = {1, 2}, .padding = {0, 1}})) ==
          plain{{2, 2, 1, 2}, {0, 1, 2, 3, 0, 4, 5, 6}});
}

TEST_CASE("strides, padding and dilation follow the definition") {
    auto const x = numbered<Tensor<float, 3>>({2, 7, 19});
    auto const a = values(x);
    for (options const& o : all_options) {
        CHECK(values(windows_of(x, o)) == by_definition(a, o));
        CHECK(values(windows_of(x + 1, o) - 1).extents == by_definition(a, o).extents);
    }
}

TEST_CASE("windows of an expression, reduced") {
    auto const x = numbered<Tensor<double, 3>>({2, 7, 19});
    auto const a = values(x);
    for (options const& o : all_options) {
        auto const w = by_definition(a, o);
        auto const e = w.extents;
        CHECK(values(sum<3, 4>(windows_of(x * 2, o))) == computed({e[0], e[1], e[2]}, [&](auto at) {
                  double sum = 0;
                  for (index_t r = 0; r < e[3]; ++r) {
                      for (index_t s = 0; s < e[4]; ++s) sum += 2 * w(at[0], at[1], at[2], r, s);
                  }
                  return sum;
              }));
    }
}

TEST_CASE("a cross-correlation is a contraction over windows") {
    auto const x = numbered<Tensor<float, 4>>({2, 3, 6, 7});
    auto const k = numbered<Tensor<float, 4>>({5, 3, 2, 3}, 4);
    auto const p = values(x), q = values(k);
    auto const w = windows(x, {2, 3}, {.padding = {1, 1}});
    CHECK(values(felt::einsum<"nchwrs,ocrs->nohw">(w, k)) == computed({2, 5, 7, 7}, [&](auto at) {
              double sum = 0;
              for (int c = 0; c < 3; ++c) {
                  for (int r = 0; r < 2; ++r) {
                      for (int s = 0; s < 3; ++s) {
                          index_t const i = at[2] + r - 1, j = at[3] + s - 1;
                          if (i < 0 || i >= 6 || j < 0 || j >= 7) continue;
                          sum += p(at[0], c, i, j) * q(at[1], c, r, s);
                      }
                  }
              }
              return sum;
          }));
}

TEST_CASE("a window that does not fit is an error that says the axis") {
    Tensor<int, 2> const x({2, 3});
    CHECK(message([&] { (void)windows(x, {3, 1}); }) ==
          "windows: a window of 3 (span 3) does not fit axis 0 of (2, 3)");
    CHECK_THROWS_AS(windows(x, {1, 2}, {.dilation = {1, 3}}), felt::shape_error);
    CHECK_THROWS_AS(windows(x, {0, 1}), felt::shape_error);
    CHECK_THROWS_AS(windows(x, {1, 1}, {.stride = {0, 1}}), felt::shape_error);
    CHECK_THROWS_AS(windows(x, {1, 1}, {.padding = {-1, 1}}), felt::shape_error);
}

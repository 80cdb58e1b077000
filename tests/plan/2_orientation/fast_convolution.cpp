// SPDX-License-Identifier: BSD-3-Clause
#include "tests/plan/asked.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::convolution_schedule;
using felt::planning::fft_16;
using felt::planning::winograd_2;
using felt::planning::winograd_4;

namespace {

template <class T = float, class Layout = felt::ChannelsLast>
using images = felt::Tensor<T, 4, felt::Host, Layout>;

constexpr felt::conv_options same{.padding = {1, 1}};

template <class S>
convolution_schedule scheduled(S const& s) {
    auto const p = felt::explain(s);
    felt::planning::node_id id = 0;
    while (p.g[id].what != felt::planning::kind::contract) ++id;
    return test::product_of(p, id).fast;
}
convolution_schedule of_layer(index_t n, index_t c, index_t o, index_t side) {
    images<> const x({n, c, side, side}), w({o, c, 3, 3});
    images<> y({n, o, side, side});
    return scheduled(assign(y, conv2d(x, w, same)));
}

}  // namespace

TEST_CASE("tiles of 4 x 4, of 2 x 2 where images are small, or none") {
    CHECK(of_layer(16, 64, 64, 56).by == &winograd_4);
    CHECK(of_layer(1, 128, 128, 28).by == &winograd_4);
    CHECK(of_layer(64, 128, 128, 6).by == &winograd_2);
    CHECK(of_layer(1, 512, 512, 7).by == nullptr);  // to transform filters would take longer
    CHECK(of_layer(128, 16, 16, 32).by == nullptr);
    CHECK(of_layer(16, 15, 64, 28).by == nullptr);
    CHECK(of_layer(16, 64, 15, 28).by == nullptr);
    CHECK(of_layer(16, 64, 64, 1).by == nullptr);
}

TEST_CASE("larger filters by Fourier transforms") {
    images<> const x({16, 64, 27, 27});
    for (index_t taps = 2; taps < 10; ++taps) {
        images<> const w({64, 64, taps, taps});
        images<> y({16, 64, 28 - taps, 28 - taps});
        auto const how = scheduled(assign(y, conv2d(x, w)));
        CHECK(how.by == (taps == 2 ? nullptr : taps == 3 ? &winograd_4 : &fft_16));
        if (taps > 3) CHECK(how.along[1].taps == taps);
    }
}

TEST_CASE("a schedule knows where an image's elements are") {
    auto const how = of_layer(16, 64, 64, 56);
    for (auto const& a : how.along) {
        CHECK(a.offset == -1);
        CHECK(a.extent == 56);
        CHECK_FALSE(a.reversed);
    }
    images<> const dy({4, 64, 30, 28}), w({64, 48, 3, 3});
    images<> dx({4, 48, 32, 30});
    auto const back = scheduled(assign(dx, conv2d_input_grad(dy, w, dx.extents(), {})));
    CHECK(back.by == &winograd_4);
    CHECK(back.along[0].offset == -2);
    CHECK(back.along[0].extent == 30);
    CHECK(back.along[1].extent == 28);
}

TEST_CASE("it does not matter how a convolution is written") {
    images<> const x({8, 64, 34, 34}), w({64, 64, 3, 3});
    images<> y({8, 64, 32, 32});
    CHECK(scheduled(assign(y, conv2d(x, w))).by == &winograd_4);
    images<> z({8, 64, 32, 32});
    auto const by_windows = felt::einsum<"ncpqrs,ocrs->nopq">(felt::windows(x, {3, 3}), w);
    CHECK(scheduled(assign(z, by_windows)).by == &winograd_4);
}

TEST_CASE("what is none is computed as before") {
    images<> const x({16, 64, 28, 28}), w({64, 64, 3, 3});
    images<> y({16, 64, 28, 28}), half({16, 64, 14, 14});
    CHECK(scheduled(assign(half, conv2d(x, w, {.stride = {2, 2}, .padding = {1, 1}}))).by ==
          nullptr);
    CHECK(scheduled(assign(y, conv2d(x, w, {.padding = {2, 2}, .dilation = {2, 2}}))).by ==
          nullptr);
    CHECK(scheduled(assign(y, conv2d(relu(x), w, same))).by == nullptr);
    images<> const grouped({64, 32, 3, 3}), point({64, 64, 1, 1}), wide({64, 64, 11, 11});
    CHECK(scheduled(assign(y, conv2d(x, grouped, {.padding = {1, 1}, .groups = 2}))).by == nullptr);
    CHECK(scheduled(assign(y, conv2d(x, point))).by == nullptr);
    CHECK(scheduled(assign(y, conv2d(x, wide, {.padding = {5, 5}}))).by == nullptr);
    images<double> const a({16, 64, 28, 28}), b({64, 64, 3, 3});
    images<double> c({16, 64, 28, 28});
    CHECK(scheduled(assign(c, conv2d(a, b, same))).by == nullptr);
    images<float, felt::RowMajor> const channels_first({16, 64, 28, 28});
    CHECK(scheduled(assign(y, conv2d(channels_first, w, same))).by == nullptr);
    felt::Tensor<float, 2> const m({900, 64}), n({64, 64});
    felt::Tensor<float, 2> mn({900, 64});
    CHECK(scheduled(assign(mn, matmul(m, n))).by == nullptr);
}

TEST_CASE("an algorithm that is asked for is taken, where it suits") {
    felt::planning::choice_scope const only({false, &winograd_2});
    CHECK(of_layer(16, 64, 64, 56).by == &winograd_2);
    CHECK(of_layer(1, 512, 512, 7).by == &winograd_2);
    images<> const x({4, 64, 28, 28}), wide({64, 64, 5, 5});
    images<> y({4, 64, 28, 28});
    CHECK(scheduled(assign(y, conv2d(x, wide, {.padding = {2, 2}}))).by == nullptr);
}

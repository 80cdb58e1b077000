// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/lanes.hpp>
#include <vector>

using felt::host::as_mask;
using felt::host::convert;
using felt::host::first;
using felt::host::full;
using felt::host::lane_mask;
using felt::host::lanes;

namespace {

constexpr int N = felt::host::batch_size<std::int8_t>;  // the widest step: all other types fit

template <class T>
std::vector<T> counted(int n) {
    std::vector<T> x(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<T>(i % 7 + 1);
    return x;
}

template <class T>
std::vector<T> values(lanes<T, N> const& x) {
    std::vector<T> out(static_cast<std::size_t>(N));
    x.store(out.data(), full{});
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("lanes load and store what was there", T, float, double, int, std::uint8_t,
                   std::int64_t) {
    auto const x = counted<T>(N);
    CHECK(values(lanes<T, N>::load(x.data(), full{})) == x);
    auto const same = values(lanes<T, N>::broadcast(T(5)));
    for (T v : same) CHECK(v == 5);
}

TEST_CASE_TEMPLATE("the end of a row is neither read nor written", T, float, double, std::uint8_t) {
    for (int n = 1; n <= N; ++n) {
        auto const x = counted<T>(n);  // the sanitizer sees a read past it
        std::vector<T> y(static_cast<std::size_t>(n) + 1, T(99));
        lanes<T, N>::load(x.data(), first{n}).store(y.data(), first{n});
        CHECK(std::equal(x.begin(), x.end(), y.begin()));
        CHECK(y.back() == 99);
    }
}

TEST_CASE("bool is a byte in memory") {
    bool x[N] = {}, y[N] = {};
    for (int i = 0; i < N; ++i) x[i] = i % 3 == 0;
    auto const l = [&] {
        lanes<bool, N> b;
        b = lanes<bool, N>::load(x, full{});
        return b;
    }();
    l.store(y, full{});
    CHECK(std::equal(x, x + N, y));
    y[3] = true;
    lanes<bool, N>::broadcast(false).store(y, first{3});
    CHECK_FALSE(y[0]);
    CHECK(y[3]);
}

TEST_CASE_TEMPLATE("gather takes every step-th", T, float, std::int16_t) {
    auto const x = counted<T>(3 * N);
    auto const y = values(lanes<T, N>::gather(x.data(), 3, N - 1));
    for (int i = 0; i < N - 1; ++i) {
        CHECK(y[static_cast<std::size_t>(i)] == x[static_cast<std::size_t>(3 * i)]);
    }
}

TEST_CASE("conversions agree with static_cast") {
    auto const x = counted<int>(N);
    auto const l = lanes<int, N>::load(x.data(), full{});
    auto const f = values(lanes<float, N>(convert<float>(l)));
    auto const d = values(lanes<double, N>(convert<double>(l)));
    auto const b = values(lanes<std::uint8_t, N>(convert<std::uint8_t>(l)));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(f[i] == static_cast<float>(x[i]));
        CHECK(d[i] == static_cast<double>(x[i]));
        CHECK(b[i] == static_cast<std::uint8_t>(x[i]));
    }
}

TEST_CASE("a mask serves types of every size") {
    auto const x = counted<float>(N);
    lane_mask<float, N> m;
    auto const l = lanes<float, N>::load(x.data(), full{});
    for (int k = 0; k < m.count; ++k) m.b[k] = l.b[k] > xsimd::batch<float>(3.F);
    auto const ints = values(lanes<int, N>(convert<int>(m)));
    auto const doubles = values(lanes<double, N>(convert<double>(m)));
    auto const bytes = values(lanes<std::int8_t, N>(convert<std::int8_t>(m.bytes())));
    for (std::size_t i = 0; i < x.size(); ++i) {
        int const expected = x[i] > 3 ? 1 : 0;
        CHECK(ints[i] == expected);
        CHECK(doubles[i] == expected);
        CHECK(bytes[i] == expected);
    }
}

namespace {
// Lanes of T where a[l] < b, asked of lanes of U.
template <class T, class U>
void check_mask_of(std::vector<std::int8_t> const& a, int b) {
    auto const x = convert<U>(lanes<std::int8_t, N>::load(a.data(), full{}));
    lane_mask<U, N> m;
    for (int k = 0; k < m.count; ++k) m.b[k] = x.b[k] < xsimd::batch<U>(static_cast<U>(b));
    bool is[N];
    as_mask<T>(m).store(is, full{});
    for (int l = 0; l < N; ++l) CHECK(is[l] == (a[static_cast<std::size_t>(l)] < b));
}
}  // namespace

TEST_CASE_TEMPLATE("a condition of any type serves every other", T, float, double, std::int8_t,
                   std::uint16_t, int, std::int64_t) {
    auto const a = counted<std::int8_t>(N);
    for (int b : {0, 1, 3, 7, 8}) {
        check_mask_of<T, float>(a, b);
        check_mask_of<T, double>(a, b);
        check_mask_of<T, std::int8_t>(a, b);
        check_mask_of<T, std::int16_t>(a, b);
        check_mask_of<T, std::uint32_t>(a, b);
        check_mask_of<T, std::int64_t>(a, b);
    }
}

TEST_CASE("a number is true if it is not zero") {
    std::vector<double> x(static_cast<std::size_t>(N), 0);
    x[1] = 0.5;
    x[2] = -0.0;
    auto const l = convert<bool>(lanes<double, N>::load(x.data(), full{}));
    auto const b = l.bytes();
    CHECK_FALSE(b.v[0]);
    CHECK(b.v[1]);
    CHECK_FALSE(b.v[2]);
}

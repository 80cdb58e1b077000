// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/lanes.hpp>
#include <vector>

using felt::host::first;
using felt::host::full;
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

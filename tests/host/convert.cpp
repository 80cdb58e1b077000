// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/convert.hpp>
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
std::vector<T> counting(int n) {
    std::vector<T> x(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<T>(i % 7 + 1);
    return x;
}

template <class T>
std::vector<T> stored(lanes<T, N> const& x) {
    std::vector<T> out(static_cast<std::size_t>(N));
    x.store(out.data(), full{});
    return out;
}

}  // namespace

TEST_CASE("conversions agree with static_cast") {
    auto const x = counting<int>(N);
    auto const l = lanes<int, N>::load(x.data(), full{});
    auto const f = stored(lanes<float, N>(convert<float>(l)));
    auto const d = stored(lanes<double, N>(convert<double>(l)));
    auto const b = stored(lanes<std::uint8_t, N>(convert<std::uint8_t>(l)));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(f[i] == static_cast<float>(x[i]));
        CHECK(d[i] == static_cast<double>(x[i]));
        CHECK(b[i] == static_cast<std::uint8_t>(x[i]));
    }
}

TEST_CASE("a mask serves types of every size") {
    auto const x = counting<float>(N);
    lane_mask<float, N> m;
    auto const l = lanes<float, N>::load(x.data(), full{});
    for (int k = 0; k < m.count; ++k) m.b[k] = l.b[k] > xsimd::batch<float>(3.F);
    auto const ints = stored(lanes<int, N>(convert<int>(m)));
    auto const doubles = stored(lanes<double, N>(convert<double>(m)));
    auto const bytes = stored(lanes<std::int8_t, N>(convert<std::int8_t>(m.bytes())));
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
    auto const a = counting<std::int8_t>(N);
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

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random.hpp>
#include <cmath>
#include <cstring>
#include <vector>

namespace {

constexpr felt::index_t total = 700;

// The same bits, whatever the number of lanes and wherever they begin.
template <int N, class S, class T>
void check_lanes(S const& stream, std::vector<T> const& expected) {
    for (felt::index_t i = 0; i + N <= total; ++i) {
        T found[N + 1];
        found[N] = T(77);
        stream.template lanes<N>(i, found);
        REQUIRE(std::memcmp(found, &expected[static_cast<std::size_t>(i)], N * sizeof(T)) == 0);
        REQUIRE(found[N] == T(77));
    }
}

// `apart` is how far the scalar code of a kernel may be from the lanes.
template <class S>
void check_stream(double apart) {
    using T = decltype(S{}.at(0));
    S const stream{2026};
    std::vector<T> expected(total);
    stream.fill(0, total, expected.data());
    for (felt::index_t i = 0; i < total; ++i) {
        REQUIRE(std::fabs(expected[static_cast<std::size_t>(i)] - stream.at(i)) <= apart);
    }
    check_lanes<1>(stream, expected);
    check_lanes<2>(stream, expected);
    check_lanes<3>(stream, expected);
    check_lanes<4>(stream, expected);
    check_lanes<8>(stream, expected);
    check_lanes<13>(stream, expected);
    check_lanes<16>(stream, expected);
    check_lanes<32>(stream, expected);
    check_lanes<64>(stream, expected);
    check_lanes<100>(stream, expected);
}

template <class S>
void check_fills() {
    using T = decltype(S{}.at(0));
    S const stream{7};
    std::vector<T> expected(total), found(total);
    stream.fill(0, total, expected.data());
    for (felt::index_t i = 0; i < 70; ++i) {
        for (felt::index_t n = 0; n < 140; ++n) {
            auto const used = static_cast<std::size_t>(n);
            found.assign(total, T(77));
            stream.fill(i, n, found.data());
            bool const same = std::memcmp(found.data(), &expected[static_cast<std::size_t>(i)],
                                          used * sizeof(T)) == 0;
            REQUIRE(same);
            REQUIRE(found[used] == T(77));
        }
    }
}

TEST_CASE("lanes of uniform have the same bits whatever their number and their first index") {
    check_stream<felt::uniform_stream<float>>(0);
    check_stream<felt::uniform_stream<double>>(0);
}

TEST_CASE("lanes of normal have the same bits whatever their number and their first index") {
    check_stream<felt::normal_stream<float>>(1e-6);
    check_stream<felt::normal_stream<double>>(2e-15);
}

TEST_CASE("a fill writes n elements and no more, from any index") {
    check_fills<felt::uniform_stream<float>>();
    check_fills<felt::normal_stream<double>>();
}

}  // namespace

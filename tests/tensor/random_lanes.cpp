// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random.hpp>
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

template <class S>
void check_stream() {
    using T = decltype(S{}.at(0));
    S const stream{2026};
    std::vector<T> expected(total);
    stream.fill(0, total, expected.data());
    for (felt::index_t i = 0; i < total; ++i) {
        REQUIRE(expected[static_cast<std::size_t>(i)] ==
                doctest::Approx(stream.at(i)).epsilon(1e-6));
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
    check_stream<felt::uniform_stream<float>>();
    check_stream<felt::uniform_stream<double>>();
}

TEST_CASE("lanes of normal have the same bits whatever their number and their first index") {
    check_stream<felt::normal_stream<float>>();
    check_stream<felt::normal_stream<double>>();
}

TEST_CASE("a fill writes n elements and no more, from any index") {
    check_fills<felt::uniform_stream<float>>();
    check_fills<felt::normal_stream<double>>();
}

}  // namespace

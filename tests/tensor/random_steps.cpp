// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/random.hpp>
#include <cstring>

namespace {

template <int N, class S>
void check_steps(S const& stream, felt::index_t i, felt::index_t step) {
    using T = decltype(stream.at(0));
    T found[N + 1], expected;
    found[N] = T(77);
    stream.template lanes<N>(i, step, found);
    for (int l = 0; l < N; ++l) {
        stream.template lanes<1>(i + l * step, &expected);
        REQUIRE(std::memcmp(&found[l], &expected, sizeof(T)) == 0);
    }
    REQUIRE(found[N] == T(77));
}

template <class S>
void check_stream() {
    S const stream{99};
    for (felt::index_t step : {0l, 1l, 2l, 3l, 4l, 7l, 1000l, -1l, -5l, 1l << 40}) {
        for (felt::index_t i : {500l, 501l, 502l, 503l, 1l << 50}) {
            check_steps<1>(stream, i, step);
            check_steps<5>(stream, i, step);
            check_steps<8>(stream, i, step);
            check_steps<16>(stream, i, step);
            check_steps<35>(stream, i, step);
        }
    }
}

TEST_CASE("elements at equal steps have the bits of the single elements") {
    check_stream<felt::uniform_stream<float>>();
    check_stream<felt::uniform_stream<double>>();
    check_stream<felt::normal_stream<float>>();
    check_stream<felt::normal_stream<double>>();
}

}  // namespace

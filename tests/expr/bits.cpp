// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/bits.hpp>
#include <cstdint>

using felt::Tensor;
using test::computed;
using test::plain;
using test::values;

TEST_CASE("operators of integers work bit by bit") {
    auto const a = Tensor<int, 1>::of({12, -1, 7}), b = Tensor<int, 1>::of({10, 6, 0});
    CHECK(values(a & b) == plain{{3}, {8, 6, 0}});
    CHECK(values(a | b) == plain{{3}, {14, -1, 7}});
    CHECK(values(a ^ b) == plain{{3}, {6, -7, 7}});
    CHECK(values(~a) == plain{{3}, {-13, 0, -8}});
    CHECK(values(a & 3) == plain{{3}, {0, 3, 3}});
    CHECK(values(1 | b) == plain{{3}, {11, 7, 1}});
}

TEST_CASE("of conditions they are conditions") {
    auto const x = Tensor<float, 1>::of({-1, 0.5, 2});
    auto const between = (x > 0) & (x < 1);
    static_assert(std::is_same_v<felt::value_of<decltype(between)>, bool>);
    static_assert(std::is_same_v<felt::value_of<decltype(~between)>, bool>);
    CHECK(values(between) == plain{{3}, {0, 1, 0}});
    CHECK(values(~between) == plain{{3}, {1, 0, 1}});
    CHECK(values((x > 0) | (x < -2)) == plain{{3}, {0, 1, 1}});
    CHECK(values((x > 0) ^ (x < 1)) == plain{{3}, {1, 0, 1}});
    auto const stored = Tensor<bool, 1>::of({true, false, true});
    CHECK(values(stored & between) == plain{{3}, {0, 0, 0}});
    CHECK(values(stored ^ true) == plain{{3}, {0, 1, 0}});
    CHECK(values(felt::cast<int>(stored) & 1) == plain{{3}, {1, 0, 1}});
}

TEST_CASE("a shift by the width or more, or by less than nothing, leaves no bit") {
    auto const a = Tensor<int, 1>::of({5, -5, 1}), n = Tensor<int, 1>::of({2, 1, 40});
    CHECK(values(a << n) == plain{{3}, {20, -10, 0}});
    CHECK(values(a >> n) == plain{{3}, {1, -3, 0}});
    CHECK(values(a << 32) == plain{{3}, {0, 0, 0}});
    CHECK(values(a >> -1) == plain{{3}, {0, -1, 0}});
    CHECK(values(1 << Tensor<int, 1>::of({0, 4, -1})) == plain{{3}, {1, 16, 0}});
}

TEST_CASE("a count that the type of the elements does not hold is not cut off") {
    auto const bytes = Tensor<std::uint8_t, 1>::of({1, 200});
    static_assert(std::is_same_v<felt::value_of<decltype(bytes << 256)>, std::uint8_t>);
    CHECK(values(bytes << 256) == plain{{2}, {0, 0}});
    CHECK(values(bytes >> 257) == plain{{2}, {0, 0}});
    CHECK(values(bytes << 7) == plain{{2}, {128, 0}});
    CHECK(values(bytes >> -255) == plain{{2}, {0, 0}});
    CHECK(values(bytes >> std::uint64_t(-1)) == plain{{2}, {0, 0}});
    CHECK(values(Tensor<bool, 1>::of({true, false}) << 3) == plain{{2}, {8, 0}});
}

TEST_CASE_TEMPLATE("every integer type, in whole batches and a rest", T, std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, int, unsigned, felt::index_t, std::uint64_t) {
    constexpr felt::index_t n = 83;
    Tensor<T, 1> a({n}), b({n});
    for (felt::index_t i = 0; i < n; ++i) {
        a(i) = static_cast<T>(i * 37 - 500);
        b(i) = static_cast<T>(i % 13);
    }
    auto const each = [&](auto f) {
        return computed({n}, [&](auto at) {
            return static_cast<double>(static_cast<T>(f(a(at[0]), b(at[0]))));
        });
    };
    CHECK(values(a & b) == each([](T x, T y) { return x & y; }));
    CHECK(values(a | b) == each([](T x, T y) { return x | y; }));
    CHECK(values(a ^ b) == each([](T x, T y) { return x ^ y; }));
    CHECK(values(~a) == each([](T x, T) { return ~x; }));
    using U = std::make_unsigned_t<T>;
    constexpr int width = 8 * sizeof(T);
    CHECK(values(a << b) == each([](T x, T y) { return int(y) < width ? U(x) << y : U(0); }));
    CHECK(values(a >> b) == each([](T x, T y) {
              if (int(y) >= width) return T(x < T(0) ? -1 : 0);
              return static_cast<T>(x >> y);
          }));
}

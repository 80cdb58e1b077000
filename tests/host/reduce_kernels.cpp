// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/expr/reduce.hpp>
#include <felt/host/reduce_kernels.hpp>
#include <limits>
#include <vector>

using felt::index_t;
using felt::host::detail::pairwise;
using felt::host::detail::reduce_into;
using felt::host::detail::reduce_line;
namespace monoid = felt::monoid;

namespace {

// 1, -2, 3, -4, ... small enough for every type.
template <class T>
std::vector<T> numbers(index_t n) {
    std::vector<T> x(static_cast<std::size_t>(n));
    for (std::size_t j = 0; j < x.size(); ++j) {
        int const v = static_cast<int>(j % 11) + 1;
        x[j] = static_cast<T>(std::is_signed_v<T> && j % 2 == 1 ? -v : v);
    }
    return x;
}

template <class M, class T>
void check_lines() {
    for (index_t n = 0; n <= 300; ++n) {
        auto const x = numbers<T>(n);  // the sanitizer sees a read outside
        T expected = M::template identity<T>();
        for (T v : x) expected = M{}(expected, v);
        CHECK(reduce_line<M>(x.data(), n) == expected);
    }
}

}  // namespace

TEST_CASE("a line of three") {
    float const x[] = {1, 5, 2};
    CHECK(reduce_line<monoid::sum>(x, 3) == 8);
    CHECK(reduce_line<monoid::max>(x, 3) == 5);
    CHECK(reduce_line<monoid::sum>(x, 0) == 0);
    CHECK(reduce_line<monoid::min>(x, 0) == std::numeric_limits<float>::infinity());
}

TEST_CASE_TEMPLATE("lines of every length", T, float, double, int, std::int64_t, std::uint8_t,
                   std::int16_t) {
    check_lines<monoid::max, T>();
    check_lines<monoid::min, T>();
    if constexpr (sizeof(T) >= 4) check_lines<monoid::sum, T>();
}

TEST_CASE("an element counts wherever it stands") {
    for (index_t n : {1, 15, 16, 17, 31, 63, 64, 65, 79, 100}) {
        for (index_t at = 0; at < n; ++at) {
            std::vector<float> x(static_cast<std::size_t>(n), 1.F);
            x[static_cast<std::size_t>(at)] = 7;
            CHECK(reduce_line<monoid::sum>(x.data(), n) == static_cast<float>(n + 6));
            CHECK(reduce_line<monoid::prod>(x.data(), n) == 7);
            CHECK(reduce_line<monoid::max>(x.data(), n) == 7);
        }
    }
}

TEST_CASE("lines onto lines") {
    for (index_t n : {0, 1, 16, 17, 67}) {
        auto const x = numbers<float>(n);
        std::vector<float> const one(x.size(), 1.F);
        auto y = numbers<float>(n);
        float const* lines[] = {x.data(), one.data(), x.data()};
        reduce_into<monoid::sum>(y.data(), lines, 1, n);
        for (std::size_t j = 0; j < x.size(); ++j) CHECK(y[j] == 2 * x[j]);
        reduce_into<monoid::sum>(y.data(), lines, 3, n);
        for (std::size_t j = 0; j < x.size(); ++j) CHECK(y[j] == 4 * x[j] + 1);
    }
}

TEST_CASE("partial results meet in pairs") {
    pairwise<monoid::sum, float> p;
    CHECK(p.total() == 0);
    // One by one, 1 + 2^24 would not grow.
    p.add(16777216.F);
    for (int i = 0; i < 15; ++i) p.add(1.F);
    CHECK(p.total() == 16777216.F + 14.F);
}

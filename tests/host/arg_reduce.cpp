// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <doctest/doctest.h>
#include <felt/expr/reduce.hpp>
#include <felt/host/arg_reduce.hpp>
#include <limits>
#include <random>
#include <vector>

using felt::index_t;
using felt::host::detail::first_like;
using felt::host::detail::keep_best_rows;
using felt::host::detail::keep_better;
using felt::host::detail::keep_first;
using largest = felt::monoid::max;
using smallest = felt::monoid::min;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

template <class T>
struct found {
    T best;
    index_t where;
    bool operator==(found const& o) const {
        return where == o.where && (best == o.best || (best != best && o.best != o.best));
    }
};

// The plain rule over (position, value) pairs, in any order.
template <class E, class T>
found<T> plainly(std::vector<T> const& v, std::vector<index_t> const& position) {
    found<T> f{E::template identity<T>(), 0};
    T best = f.best;
    for (T x : v) best = E{}(best, x);
    index_t where = std::numeric_limits<index_t>::max();
    for (std::size_t i = 0; i < v.size(); ++i) {
        bool const same = v[i] == best || (v[i] != v[i] && best != best);
        if (same && position[i] < where) where = position[i];
    }
    return {best, where};
}

// Rows of n lanes at the positions given, some at once where those are 0, 1, ..; each lane is
// judged on its own.
template <class E, class T>
void check_rows(std::vector<std::vector<T>> const& row, std::vector<index_t> const& position,
                std::size_t together) {
    auto const n = row[0].size();
    std::vector<T> best(n, E::template identity<T>());
    std::vector<index_t> where(n, 0);
    auto const size = static_cast<index_t>(n);
    for (std::size_t r = 0; r < row.size(); r += together) {
        T const* some[32];
        std::size_t const count = std::min(together, row.size() - r);
        for (std::size_t k = 0; k < count; ++k) some[k] = row[r + k].data();
        if (together > 1)
            keep_best_rows<E>(best.data(), where.data(), some, position[r], static_cast<int>(count),
                              size);
        else keep_better<E>(best.data(), where.data(), some[0], size, position[r]);
    }
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<T> lane;
        for (auto const& r : row) lane.push_back(r[j]);
        CHECK(found<T>{best[j], where[j]} == plainly<E>(lane, position));
    }
}

template <class T>
std::vector<T> dice(std::mt19937& random, std::size_t n) {
    std::vector<T> x(n);
    for (T& v : x) {
        v = static_cast<T>(random() % 4);
        if (std::is_floating_point_v<T> && random() % 7 == 0) v = static_cast<T>(NAN);
        if (std::is_floating_point_v<T> && random() % 7 == 0) v = static_cast<T>(-inf);
    }
    return x;
}

}  // namespace

TEST_CASE("the first of several that are alike, NaN among them") {
    std::vector<float> x(100, 1);
    x[37] = x[38] = x[99] = 4;
    CHECK(first_like(x.data(), 100, 4.F) == 37);
    CHECK(first_like(x.data(), 100, 1.F) == 0);
    CHECK(first_like(x.data() + 39, 61, 4.F) == 60);
    x[50] = NAN;
    CHECK(first_like(x.data(), 100, std::nanf("")) == 50);
    CHECK(first_like(x.data(), 51, std::nanf("")) == 50);
}

TEST_CASE("a line betters what was found before, or ties and comes earlier") {
    float best = -inf;
    index_t where = 0;
    float const x[] = {1, 3, 3};
    keep_first<largest>(best, where, 3.F, x, 3, 100, 10);
    CHECK(found<float>{best, where} == found<float>{3, 110});
    keep_first<largest>(best, where, 3.F, x, 3, 200, 1);
    CHECK(where == 110);
    keep_first<largest>(best, where, 3.F, x, 3, 109, 1);  // 109 + 1
    CHECK(where == 110);
    keep_first<largest>(best, where, 3.F, x, 3, 50, 1);
    CHECK(where == 51);
    float const y[] = {9, NAN};
    keep_first<largest>(best, where, std::nanf(""), y, 2, 300, 1);
    CHECK(where == 301);
    keep_first<largest>(best, where, 9.F, y, 1, 0, 1);
    CHECK(where == 301);
}

TEST_CASE("where nothing is better than the worst, it is the first") {
    int const most = std::numeric_limits<int>::max();
    for (std::size_t together : {1U, 2U}) {
        check_rows<largest, float>({{-inf, -inf}, {-inf, 0}}, {0, 1}, together);
        check_rows<smallest, int>({{7, most}, {6, most}}, {0, 1}, together);
    }
}

TEST_CASE_TEMPLATE("rows of every width, in order and not", T, float, double, int, std::int64_t,
                   std::uint8_t, std::int16_t) {
    std::mt19937 random(5);
    for (std::size_t n : {1U, 3U, 8U, 15U, 16U, 17U, 64U, 67U, 130U}) {
        for (int repeat = 0; repeat < 5; ++repeat) {
            std::vector<std::vector<T>> rows;
            for (int r = 0; r < 6; ++r) rows.push_back(dice<T>(random, n));
            for (std::size_t together : {1U, 2U, 4U, 6U}) {
                check_rows<largest>(rows, {0, 1, 2, 3, 4, 5}, together);
                check_rows<smallest>(rows, {0, 1, 2, 3, 4, 5}, together);
            }
            check_rows<largest>(rows, {0, 3, 1, 5, 4, 2}, 1);
            check_rows<smallest>(rows, {5, 4, 3, 2, 1, 0}, 1);
        }
    }
}

TEST_CASE_TEMPLATE("as many rows as come at once", T, float, std::uint8_t, std::int8_t) {
    std::vector<std::vector<T>> rows;
    for (int r = 0; r < 32; ++r) rows.emplace_back(37, static_cast<T>(r));
    rows[17][5] = 100, rows[31][36] = 101;
    std::vector<index_t> at(32);
    for (index_t r = 0; r < 32; ++r) at[static_cast<std::size_t>(r)] = r;
    check_rows<largest>(rows, at, 32);
    check_rows<smallest>(rows, at, 32);
}

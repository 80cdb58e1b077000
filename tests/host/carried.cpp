// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cmath>

using felt::index_t;
using felt::Tensor;
using felt::host::carry_into;
using felt::host::carry_one;

namespace {

template <class T>
constexpr double half_ulp = std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53;

// The bound of docs/03 for n terms, as a multiple of half an ulp.
template <class T>
double bound(index_t n) {
    constexpr int lanes = felt::host::batch_size<T>;
    return 128 + 512.0 / lanes + std::log2(static_cast<double>(n));
}

// The largest error of y, as a multiple of half an ulp of the sum of absolute values; each of its
// elements is a sum of `terms`, `want`.
template <class Y>
double error(Y const& y, long double want) {
    using T = typename Y::value_type;
    double worst = 0;
    for (index_t i = 0; i < y.size(); ++i) {
        auto const off = static_cast<long double>(y.data()[i]) - want;
        worst = std::max(worst, static_cast<double>(std::abs(off / want)));
    }
    return worst / half_ulp<T>;
}

// x(i, j) = 0.1, along both axes: read, computed, transposed, and with what is made of sums.
template <class T, class Layout>
void check_axes(index_t n, index_t m) {
    CAPTURE(n);
    CAPTURE(m);
    Tensor<T, 2, felt::Host, Layout> x({n, m});
    x = static_cast<T>(0.1);
    auto const v = static_cast<long double>(static_cast<T>(0.1));
    long double const down = v * static_cast<long double>(n);
    long double const right = v * static_cast<long double>(m);
    using row = Tensor<T, 1>;
    for (auto how : {felt::threads(), 3}) {
        int const before = felt::threads();
        felt::threads(how);
        CHECK(error(row(felt::sum<0>(x)), down) <= bound<T>(n));
        CHECK(error(row(felt::sum<1>(x)), right) <= bound<T>(m));
        CHECK(error(row(felt::sum<0>(x * T(1))), down) <= bound<T>(n));
        CHECK(error(row(felt::sum<1>(transpose(x) + T(0))), down) <= bound<T>(n));
        CHECK(error(row(felt::mean<0>(x)), v) <= bound<T>(n) + 2);
        Tensor<T, 0> const all = felt::sum(x);
        CHECK(error(all, down * static_cast<long double>(m)) <= bound<T>(n * m));
        felt::threads(before);
        row unfused({m});
        run(felt::unfused, assign(unfused, felt::sum<0>(x * T(1))));
        CHECK(error(unfused, down) <= bound<T>(n));
    }
}

}  // namespace

TEST_CASE("a million rows of 16 are summed as a row of a million is") {
    check_axes<float, felt::RowMajor>(1000000, 16);
    check_axes<float, felt::RowMajor>(16, 1000000);
    check_axes<float, felt::ColMajor>(1000000, 16);
}

TEST_CASE("awkward extents") {
    for (index_t n : {1, 127, 128, 129, 5000, 70001})
        for (index_t m : {1, 3, 17, 33, 130}) {
            check_axes<float, felt::RowMajor>(n, m);
            check_axes<float, felt::ColMajor>(n, m);
            check_axes<double, felt::RowMajor>(n, m);
        }
}

TEST_CASE("sums by channel, over two of three axes, and of groups that go strip by strip") {
    auto const v = static_cast<long double>(0.1F);
    Tensor<float, 4> x({500, 6, 2, 31});
    Tensor<float, 4, felt::Host, felt::ChannelsLast> y({500, 6, 20, 31});
    x = 0.1F, y = 0.1F;
    using row = Tensor<float, 1>;
    CHECK(error(row(felt::sum<0, 2, 3>(x)), v * 31000) <= bound<float>(31000));
    CHECK(error(row(felt::sum<0, 2, 3>(y)), v * 310000) <= bound<float>(310000));
    CHECK(error(Tensor<float, 2>(felt::sum<0, 2>(y * 1.F)), v * 10000) <= bound<float>(10000));
    Tensor<float, 2> p({300000, 10}), q({300000, 10});
    p = 0.1F;
    row columns({10}), squares({10});
    felt::fuse(assign(q, p * 2.F), assign(columns, felt::sum<0>(p)),
               assign(squares, felt::sum<0>(p * p)));
    CHECK(error(columns, v * 300000) <= bound<float>(300000));
    auto const square = static_cast<long double>(0.1F * 0.1F);
    CHECK(error(squares, square * 300000) <= bound<float>(300000));
    row const deviation = felt::var<0>(p + 1.F), norms = felt::logsumexp<0>(p * 0.F);
    CHECK(test::values(deviation) ==
          test::near(test::computed({10}, [](auto) { return 0.; }), 1e-9));
    CHECK(error(norms, std::log(300000.0L)) <= 4);
}

TEST_CASE("a product's error grows with its pieces") {
    Tensor<float, 2> const a = felt::full({3, 300000}, 0.1F), b = felt::full({300000, 40}, 1.F);
    Tensor<float, 2> const y = matmul(a, b);
    double const pieces = 300000. / 256;
    CHECK(error(y, static_cast<long double>(0.1F) * 300000) <= 1024 + pieces);
}

TEST_CASE("what is infinite stays so, and is not a number only if its terms are") {
    Tensor<float, 2> x({5000, 20});
    x = 1.F;
    x(7, 1) = static_cast<float>(test::infinity);
    x(4000, 2) = -static_cast<float>(test::infinity);
    x(9, 3) = static_cast<float>(test::not_a_number);
    x(17, 4) = static_cast<float>(test::infinity), x(18, 4) = -x(17, 4);
    Tensor<float, 1> const y = felt::sum<0>(x), z = felt::sum<1>(transpose(x) * 1.F);
    for (auto const* s : {&y, &z}) {
        CHECK((*s)(0) == 5000);
        CHECK((*s)(1) == static_cast<float>(test::infinity));
        CHECK((*s)(2) == -static_cast<float>(test::infinity));
        CHECK(std::isnan((*s)(3)));
        CHECK(std::isnan((*s)(4)));
        CHECK((*s)(19) == 5000);
    }
}

TEST_CASE("what a step rounds is carried to the next") {
    float sum = 0x1p24F, rest = 0;
    carry_one(sum, rest, 1.F);
    CHECK(sum == 0x1p24F);
    CHECK(rest == -1);
    carry_one(sum, rest, 1.F);
    CHECK(sum == 0x1p24F + 2);
    CHECK(rest == 0);
}

TEST_CASE("rows of any length and number, in whole groups at a time or all at once") {
    for (index_t n : {1, 3, 8, 15, 16, 17, 64, 67, 130})
        for (int count : {1, 7, 8, 9, 31, 32}) {
            CAPTURE(n);
            CAPTURE(count);
            std::vector<float> x(static_cast<std::size_t>(n * count));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) * 0.1F;
            auto const size = static_cast<std::size_t>(n);
            std::vector<float> once(size, 0x1p20F), parts(once), rest(size), beside(size);
            std::vector<float const*> rows;
            for (int r = 0; r < count; ++r) rows.push_back(x.data() + r * n);
            carry_into(once.data(), rest.data(), rows.data(), count, n);
            for (int r = 0; r < count; r += 8) {
                carry_into(parts.data(), beside.data(), rows.data() + r, std::min(8, count - r), n);
            }
            CHECK(once == parts);
            CHECK(rest == beside);
            for (std::size_t j = 0; j < size; ++j) {
                double want = 0x1p20;
                for (float const* row : rows) want += static_cast<double>(row[j]);
                double const got = static_cast<double>(once[j]) - static_cast<double>(rest[j]);
                CHECK(std::abs(got - want) <= 1e-3);
            }
        }
}

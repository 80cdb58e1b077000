// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <algorithm>
#include <sstream>
#include <string>

using felt::index_t;
using felt::planning::plan;
using felt::planning::special_case;

namespace {

bool takes(plan const& p, special_case const& s) {
    auto const& list = p.s.statements[0].special;
    return std::find(list.begin(), list.end(), &s) != list.end();
}

std::string text(plan const& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}

// Rows of x that differ, and softmax of one row in double.
felt::Tensor<float, 2> waves(index_t m, index_t n) {
    felt::Tensor<float, 2> x({m, n});
    x = felt::normal<float>({m, n}, 7);
    return x;
}
double softmax_at(felt::Tensor<float, 2> const& x, index_t i, index_t j) {
    double total = 0;
    for (index_t k = 0; k < x.extent(1); ++k) total += std::exp(double(x(i, k)));
    return std::exp(double(x(i, j))) / total;
}

}  // namespace

TEST_CASE("a destination of 32 MiB is written past the caches, a smaller one is not") {
    index_t const n = index_t{8} << 20;
    felt::Tensor<float, 1> x({n}), y({n});
    x = felt::iota<float>({n});
    CHECK(takes(felt::explain(felt::assign(y, x * 2)), felt::planning::streaming_stores));
    auto const plan = text(felt::explain(felt::assign(y, x * 2)));
    CHECK(plan.find("streaming stores") != std::string::npos);
    y = x * 2;
    for (index_t i : {index_t{0}, index_t{1}, n / 2 + 1, n - 1}) CHECK(y(i) == x(i) * 2);

    felt::Tensor<float, 1> small({n / 2});
    auto const half = felt::slice(x, felt::range(0, n / 2));
    CHECK_FALSE(
        takes(felt::explain(felt::assign(small, half * 2)), felt::planning::streaming_stores));
}

TEST_CASE("what is read is not written past the caches") {
    index_t const n = index_t{8} << 20;
    felt::Tensor<float, 1> y({n});
    CHECK_FALSE(takes(felt::explain(felt::assign(y, y * 2)), felt::planning::streaming_stores));
}

TEST_CASE("a square and its transpose are read in mirrored pairs of blocks") {
    for (index_t n : {512, 523, 640, 1031}) {
        CAPTURE(n);
        felt::Tensor<float, 2> x({n, n}), y({n, n});
        x = felt::uniform<float>({n, n}, 3);
        auto const s = felt::assign(y, x - 2 * transpose(x));
        auto const p = felt::explain(s);
        CHECK(takes(p, felt::planning::mirrored_blocks));
        y = x - 2 * transpose(x);
        index_t wrong = 0;
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < n; ++j) wrong += y(i, j) != x(i, j) - 2 * x(j, i);
        }
        CHECK(wrong == 0);
    }
    felt::Tensor<float, 2> x({512, 512}), other({512, 512}), y({512, 512});
    CHECK_FALSE(takes(felt::explain(felt::assign(y, x + transpose(other))),
                      felt::planning::mirrored_blocks));
}

TEST_CASE("a value of every element that is used twice is kept in the destination") {
    for (auto [m, n] : {std::pair<index_t, index_t>{64, 1024}, {7, 3}, {1, 1}, {33, 517}}) {
        CAPTURE(m);
        CAPTURE(n);
        auto const x = waves(m, n);
        felt::Tensor<float, 2> y({m, n});
        auto const s = felt::assign(y, felt::softmax<1>(x));
        auto const p = felt::explain(s);
        CHECK(takes(p, felt::planning::reused_destination));
        CHECK(p.intermediates().empty());
        y = felt::softmax<1>(x);
        for (index_t i = 0; i < m; i += 5) {
            for (index_t j = 0; j < n; j += 7) {
                CHECK(y(i, j) == doctest::Approx(softmax_at(x, i, j)).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a row that scratch can't hold is kept in the destination") {
    index_t const n = index_t{1} << 20;
    auto const x = waves(2, n);
    felt::Tensor<float, 2> y({2, n});
    auto const s = felt::assign(y, felt::softmax<1>(x));
    auto const p = felt::explain(s);
    CHECK(p.intermediates().empty());
    y = felt::softmax<1>(x);
    for (index_t j : {index_t{0}, n / 3, n - 1}) {
        CHECK(y(1, j) == doctest::Approx(softmax_at(x, 1, j)).epsilon(1e-4));
    }
    auto const rows = felt::eval(felt::sum<1>(y));
    CHECK(rows(0) == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("in a destination that is read only what reads it is kept") {
    auto x = waves(40, 300);
    auto const before = x;
    auto const alone = felt::assign(x, felt::softmax<1>(x));
    auto const beside = felt::assign(x, felt::softmax<1>(x) + sum<1>(x, felt::keepdims));
    CHECK(takes(felt::explain(alone), felt::planning::reused_destination));
    CHECK_FALSE(takes(felt::explain(beside), felt::planning::reused_destination));
    run(felt::fused, alone);
    for (index_t j = 0; j < 300; j += 11) {
        CHECK(x(39, j) == doctest::Approx(softmax_at(before, 39, j)).epsilon(1e-5));
    }
}

TEST_CASE("the next block of what is reduced and read again is fetched early") {
    auto const x = waves(256, 1024);
    felt::Tensor<float, 2> y({256, 1024});
    CHECK(takes(felt::explain(felt::assign(y, felt::softmax<1>(x))),
                felt::planning::next_block_fetched));
    CHECK(takes(felt::explain(felt::assign(y, x - felt::mean<1>(x, felt::keepdims))),
                felt::planning::next_block_fetched));
    felt::Tensor<float, 2> small({2, 1024});
    auto const two = felt::slice(x, felt::range(0, 2), felt::all());
    CHECK_FALSE(takes(felt::explain(felt::assign(small, felt::softmax<1>(two))),
                      felt::planning::next_block_fetched));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <set>
#include <vector>

using felt::index_t;
using felt::host::box;

namespace {

struct loops {
    felt::planning::loop_space in;
    felt::planning::loop_schedule how;

    loops(std::vector<index_t> const& extent, std::vector<index_t> const& block,
          std::vector<int> const& order) {
        in.rank = static_cast<int>(extent.size());
        std::copy(extent.begin(), extent.end(), in.extent);
        std::copy(block.begin(), block.end(), how.block);
        std::transform(order.begin(), order.end(), how.order,
                       [](int l) { return felt::planning::loop_id(l); });
        how.lane = felt::planning::loop_id(in.rank - 1);
    }
    felt::host::loop_view view() const { return {in, how}; }
};

}  // namespace

TEST_CASE("blocks cover the whole once, in the order of the loops") {
    loops const of({7, 5, 3}, {3, 5, 2}, {2, 0, 1});
    box const whole = felt::planning::whole_box(of.in.extent, 3);
    std::set<std::vector<index_t>> points;
    std::vector<std::vector<index_t>> starts;
    felt::host::for_each_block(of.view(), whole, [&](box const& b) {
        starts.push_back({b.lo[2], b.lo[0]});
        felt::planning::for_each_row(
            b, -1, [&](index_t const* at) { CHECK(points.insert({at[0], at[1], at[2]}).second); });
    });
    CHECK(points.size() == 7 * 5 * 3);
    std::vector<std::vector<index_t>> const expected{{0, 0}, {0, 3}, {0, 6},
                                                     {2, 0}, {2, 3}, {2, 6}};
    CHECK(starts == expected);
}

TEST_CASE("mirrored squares cover the whole once, those across the diagonal one after the other") {
    for (index_t n : {1, 4, 8, 11}) {
        CAPTURE(n);
        loops of({n, n}, {3, 2}, {0, 1});
        of.how.mirror = 4;
        box const whole = felt::planning::whole_box(of.in.extent, 2);
        std::set<std::vector<index_t>> points;
        std::vector<std::vector<index_t>> squares;
        felt::host::for_each_mirrored(of.view(), whole, [&](box const& b) {
            std::vector<index_t> const square{b.lo[0] / 4, b.lo[1] / 4};
            if (squares.empty() || squares.back() != square) squares.push_back(square);
            felt::planning::for_each_row(
                b, -1, [&](index_t const* at) { CHECK(points.insert({at[0], at[1]}).second); });
        });
        CHECK(points.size() == static_cast<std::size_t>(n * n));
        CHECK(squares.size() == static_cast<std::size_t>((n + 3) / 4 * ((n + 3) / 4)));
        for (std::size_t i = 0; i + 1 < squares.size(); ++i) {
            if (squares[i][0] < squares[i][1]) {
                CHECK(squares[i + 1] == std::vector<index_t>{squares[i][1], squares[i][0]});
            }
        }
    }
}

TEST_CASE("a part of the whole is cut from its own beginning, nothing from nothing") {
    loops const of({10, 8}, {4, 8}, {0, 1});
    box part = felt::planning::whole_box(of.in.extent, 2);
    part.lo[0] = 3;
    part.hi[0] = 9;
    std::vector<index_t> lo, hi;
    felt::host::for_each_block(of.view(), part, [&](box const& b) {
        lo.push_back(b.lo[0]);
        hi.push_back(b.hi[0]);
    });
    CHECK(lo == std::vector<index_t>{3, 7});
    CHECK(hi == std::vector<index_t>{7, 9});
    part.hi[1] = 0;
    int blocks = 0;
    felt::host::for_each_block(of.view(), part, [&](box const&) { ++blocks; });
    CHECK(blocks == 0);
}

TEST_CASE("lanes that are not contiguous in the destination go through a tile") {
    for (index_t n : {1, 2, 31, 128, 129, 300}) {
        felt::Tensor<float, 3> x({3, 5, n});
        felt::Tensor<float, 3> room({n, 5, 6});
        x = felt::iota<float>({3, 5, n});
        auto y = transpose(slice(room, felt::all(), felt::all(), felt::range(0, 6, 2)));
        y = exp(x * 0) * x;
        for (index_t i = 0; i < 3; ++i) {
            for (index_t k = 0; k < n; ++k) {
                CHECK(room(k, 4, 2 * i) == x(i, 4, k));
                CHECK(room(k, 4, 2 * i + 1) == 0);
            }
        }
    }
}

namespace {
// Filters of 32 x 32 x 3 x 3, whose rows in a product are all in memory before they are stored.
template <class X, class D, class W>
void gradient_of_filters() {
    felt::Tensor<float, 4, felt::Host, X> x({1, 32, 8, 8});
    felt::Tensor<float, 4, felt::Host, D> d({1, 32, 8, 8});
    felt::Tensor<float, 4, felt::Host, W> dw({32, 32, 3, 3});
    x = felt::normal<float>(x.extents(), 1);
    d = felt::normal<float>(d.extents(), 2);
    dw = conv2d_weight_grad(x, d, dw.extents(), {.padding = {1, 1}});
    for (index_t r = 0; r < 3; ++r) {
        for (index_t s = 0; s < 3; ++s) {
            double want = 0;
            for (index_t p = std::max<index_t>(0, 1 - r); p < std::min<index_t>(8, 9 - r); ++p) {
                for (index_t q = std::max<index_t>(0, 1 - s); q < std::min<index_t>(8, 9 - s);
                     ++q) {
                    want += static_cast<double>(x(0, 5, p + r - 1, q + s - 1)) * d(0, 17, p, q);
                }
            }
            CHECK(dw(17, 5, r, s) == doctest::Approx(want).epsilon(1e-4));
        }
    }
}
}  // namespace

TEST_CASE("rows that are joined on the way into a tile keep their own places") {
    using R = felt::RowMajor;
    using L = felt::ChannelsLast;
    gradient_of_filters<R, R, R>(), gradient_of_filters<R, R, L>();
    gradient_of_filters<R, L, R>(), gradient_of_filters<R, L, L>();
    gradient_of_filters<L, R, R>(), gradient_of_filters<L, R, L>();
    gradient_of_filters<L, L, R>(), gradient_of_filters<L, L, L>();
}

namespace {
// y[i, j, k] = x[k, i, j] and the other way round, of as many elements as given.
template <class T>
void permutes(index_t m, index_t n, index_t k) {
    felt::Tensor<T, 3> x({k, m, n}), back({k, m, n}), y({m, n, k});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 251);
    y = permute<1, 2, 0>(x);
    index_t wrong = 0;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            for (index_t l = 0; l < k; ++l) wrong += y(i, j, l) == x(l, i, j) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    back = permute<2, 0, 1>(y);
    CHECK(std::equal(x.data(), x.data() + x.size(), back.data()));
}
}  // namespace

TEST_CASE_TEMPLATE("what is only transposed comes to its place", T, float, double, std::uint8_t,
                   std::int16_t) {
    permutes<T>(37, 41, 3), permutes<T>(5, 1500, 64), permutes<T>(130, 130, 130);
    permutes<T>(1, 3, 70000), permutes<T>(17, 5000, 19), permutes<T>(3, 0, 5);
}

TEST_CASE("so does what is transposed past the caches, or a part of it, or backwards") {
    felt::Tensor<float, 2> x({2052, 4112}), y({4112, 2052});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 9973);
    index_t wrong = 0;
    auto const compare = [&](auto&& at, index_t m, index_t n) {
        for (index_t i = 0; i < m; ++i)
            for (index_t j = 0; j < n; ++j) wrong += at(i, j) ? 0 : 1;
    };
    CHECK(felt::planning::streaming_limit <= y.size() * 4);
    y = transpose(x);
    compare([&](index_t i, index_t j) { return y(i, j) == x(j, i); }, 4112, 2052);
    y = flip<0>(transpose(x));
    compare([&](index_t i, index_t j) { return y(4111 - i, j) == x(j, i); }, 4112, 2052);
    slice(y, felt::range(7, 4000), felt::range(3, 2050)) =
        transpose(slice(x, felt::range(1, 2048), felt::range(100, 4093)));
    compare([&](index_t i, index_t j) { return y(i + 7, j + 3) == x(j + 1, i + 100); }, 3993, 2047);
    CHECK(wrong == 0);
}

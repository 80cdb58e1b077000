// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/micro.hpp>
#include <vector>

namespace {

using felt::index_t;

template <class T>
std::vector<T> numbers(index_t n, index_t step) {
    std::vector<T> x(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i)
        x[static_cast<std::size_t>(i)] = static_cast<T>(i * step % 5 + 1);
    return x;
}

// sum_k a[k, i] * b[k, j], added to `start`.
template <class T>
T one_value(std::vector<T> const& a, std::vector<T> const& b, index_t i, index_t j, index_t h,
            index_t n, T start) {
    T sum = start;
    for (std::size_t p = 0; p * static_cast<std::size_t>(h) < a.size(); ++p) {
        auto const at_a = p * static_cast<std::size_t>(h) + static_cast<std::size_t>(i);
        auto const at_b = p * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
        sum = static_cast<T>(sum + a[at_a] * b[at_b]);
    }
    return sum;
}

// Whether row r of c, n + 1 apart, is `first` and the products of rows of a, k + 2 apart, with
// those of b, k + 1 apart; what is behind a row of c is 3.
template <class T>
bool are_dots(std::vector<T> const& c, std::vector<T> const& a, std::vector<T> const& b, index_t k,
              index_t n, T first) {
    bool right = true;
    for (index_t r = 0; r < static_cast<index_t>(c.size()) / (n + 1); ++r) {
        for (index_t j = 0; j < n; ++j) {
            T total = first;
            for (index_t p = 0; p < k; ++p) {
                auto const i = static_cast<std::size_t>(r * (k + 2) + p);
                total = static_cast<T>(total + a[i] * b[static_cast<std::size_t>(j * (k + 1) + p)]);
            }
            right = right && c[static_cast<std::size_t>(r * (n + 1) + j)] == total;
        }
        right = right && c[static_cast<std::size_t>(r * (n + 1) + n)] == T(3);
    }
    return right;
}

}  // namespace

TEST_CASE_TEMPLATE("the kernel of every height sums a column times a row", T, float, double, int,
                   std::int16_t) {
    using tile = felt::host::tile<T>;
    constexpr index_t n = tile::nr, row = n + 3;
    for (index_t k : {0, 1, 2, 9}) {
        for (int h = 1; h <= tile::mr; ++h) {
            auto const a = numbers<T>(k * h, 1), b = numbers<T>(k * n, 3);
            for (bool accumulate : {false, true}) {
                std::vector<T> c(static_cast<std::size_t>(h * row), T(2));
                auto const kernel = felt::host::micro_kernel_for<T>(h);
                kernel({k}, {a.data(), 1, h}, b.data(), n, c.data(), row, accumulate);
                bool right = true;
                for (index_t i = 0; i < h; ++i) {
                    for (index_t j = 0; j < row; ++j) {
                        T const start = accumulate || j >= n ? T(2) : T(0);
                        T const expected = j < n ? one_value(a, b, i, j, h, n, start) : start;
                        right = right && c[static_cast<std::size_t>(i * row + j)] == expected;
                    }
                }
                CHECK(right);
            }
        }
    }
}

TEST_CASE_TEMPLATE("a tile leaves registers for its operands", T, float, double) {
    using tile = felt::host::tile<T>;
    constexpr int registers = tile::many_registers ? 32 : 16;
    CHECK(tile::nr == tile::vectors * felt::host::batch_size<T>);
    CHECK(tile::mr * tile::vectors + tile::vectors + 1 <= registers);
}

TEST_CASE("the left operand may lie row by row") {
    using tile = felt::host::tile<double>;
    constexpr index_t n = tile::nr, k = 7;
    int const h = tile::mr;
    auto const packed = numbers<double>(k * h, 1), b = numbers<double>(k * n, 3);
    index_t const stride = k + 2;
    std::vector<double> rows(static_cast<std::size_t>(h * stride), 1e9);
    for (index_t i = 0; i < h; ++i) {
        for (index_t p = 0; p < k; ++p) {
            rows[static_cast<std::size_t>(i * stride + p)] =
                packed[static_cast<std::size_t>(p * h + i)];
        }
    }
    std::vector<double> c(static_cast<std::size_t>(h * n)), d = c;
    auto const kernel = felt::host::micro_kernel_for<double>(h);
    kernel({k}, {packed.data(), 1, h}, b.data(), n, c.data(), n, false);
    kernel({k}, {rows.data(), stride, 1}, b.data(), n, d.data(), n, false);
    CHECK(c == d);
}

TEST_CASE_TEMPLATE("rows times columns are a dot product each", T, float, double, int) {
    constexpr int W = felt::host::tile<T>::width;
    for (index_t k : {0, 1, W, 2 * W - 1, 2 * W, 4 * W + 3}) {
        for (index_t n : {1, 2, 3, 4, 5, 8, 11}) {
            for (int rows : {1, 2, 3, 4, 5, 7, 8, 15}) {
                auto const a = numbers<T>(rows * (k + 2), 1), b = numbers<T>(n * (k + 1), 2);
                for (bool add : {false, true}) {
                    std::vector<T> c(static_cast<std::size_t>(rows * (n + 1)), T(3));
                    std::vector<felt::host::dot_row<T>> row;
                    for (int r = 0; r < rows; ++r)
                        row.push_back({a.data() + r * (k + 2), c.data() + r * (n + 1)});
                    felt::host::dot_rows(k, row.data(), rows, b.data(), k + 1, n, add);
                    CHECK(are_dots(c, a, b, k, n, add ? T(3) : T(0)));
                }
            }
        }
    }
}

TEST_CASE("a dot product has the same bits whatever other rows there are") {
    constexpr index_t k = 1000, n = 7;
    auto const a = numbers<float>(15 * k, 1), b = numbers<float>(n * k, 2);
    std::vector<float> alone(n), all(15 * n);
    for (int rows = 1; rows <= 15; ++rows) {
        std::vector<felt::host::dot_row<float>> row;
        for (int r = 0; r < rows; ++r) row.push_back({a.data() + r * k, all.data() + r * n});
        felt::host::dot_rows(k, row.data(), rows, b.data(), k, n, false);
        for (int r = 0; r < rows; ++r) {
            felt::host::dot_row<float> one{a.data() + r * k, alone.data()};
            felt::host::dot_rows(k, &one, 1, b.data(), k, n, false);
            CHECK(std::equal(alone.begin(), alone.end(), all.begin() + r * n));
        }
    }
}

TEST_CASE_TEMPLATE("a row is streamed over any columns from a vector on", T, float, double, int) {
    constexpr int W = felt::host::tile<T>::width;
    for (index_t k : {0, 1, 7, 8, 9, 40}) {
        for (index_t n : {W, W + 1, 2 * W - 1, 2 * W, 3 * W + 1}) {
            auto const a = numbers<T>(k, 1), b = numbers<T>(k * n, 3);
            std::vector<T> c(static_cast<std::size_t>(n + 1), T(3));
            felt::host::stream_row(k, a.data(), 1, b.data(), n, c.data(), n);
            bool right = c.back() == T(3);
            for (index_t j = 0; j < n; ++j) {
                T const total = one_value(a, b, 0, j, 1, n, T(3));
                right = right && c[static_cast<std::size_t>(j)] == total;
            }
            CHECK(right);
        }
    }
}

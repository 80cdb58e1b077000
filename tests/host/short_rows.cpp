// SPDX-License-Identifier: BSD-3-Clause
//
// Short rows that are reduced have the bits of each row reduced alone, however their operands lie:
// joined, with gaps, repeated, transposed, computed first, and for any number of threads.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>

using felt::all;
using felt::index_t;
using felt::range;
using felt::Tensor;
using matrix = Tensor<float, 2>;
using vector = Tensor<float, 1>;

namespace {

matrix numbers(index_t m, index_t n, std::uint64_t seed) {
    matrix x({m, n});
    x = felt::normal<float>({m, n}, seed);
    return x;
}

// f(row) of each row of x by itself, where nothing can be joined.
template <class F>
vector one_by_one(matrix const& x, F f) {
    vector y({x.extent(0)});
    for (index_t i = 0; i < x.extent(0); ++i) {
        matrix const row = slice(x, range(i, i + 1), all());
        vector const of_row = f(row, i);
        y(i) = of_row(0);
    }
    return y;
}

bool same(vector const& x, vector const& y) { return felt::all_close(x, y, 0, 0); }

// f(x, i): an expression of the rows of x from row i on.
template <class F>
void check(index_t m, index_t n, F f) {
    CAPTURE(m);
    CAPTURE(n);
    matrix const x = numbers(m, n, 1);
    vector const want = one_by_one(x, f);
    for (int threads : {1, 3}) {
        felt::threads(threads);
        vector y({m});
        y = f(x, 0);
        CHECK(same(y, want));
        run(felt::unfused, assign(y, f(x, 0)));
        CHECK(same(y, want));
        matrix wide({m, n + 3});
        slice(wide, all(), range(2, n + 2)) = x;
        y = f(slice(wide, all(), range(2, n + 2)), 0);
        CHECK(same(y, want));
        Tensor<float, 2, felt::Host, felt::ColMajor> across({m, n});
        across = x;
        y = f(across * 1.f, 0);  // lanes are rows there, which are summed in another order
        CHECK(felt::all_close(y, want, 1e-4, 1e-4));
    }
    felt::threads(1);
}

}  // namespace

TEST_CASE("rows of all short lengths, some at a time") {
    for (index_t m : {1, 2, 7, 63, 1025}) {
        for (index_t n : {1, 2, 3, 10, 15, 16, 17, 28, 33, 64, 65, 101, 700}) {
            vector w({n});
            w = felt::normal<float>({n}, 2);
            check(m, n, [&](auto const& x, index_t) { return felt::sum<1>(x * w); });
        }
    }
}

TEST_CASE("other reductions, and what is read beside the rows") {
    matrix const other = numbers(1025, 33, 3);
    vector column({1025});
    column = felt::normal<float>({1025}, 4);
    for (index_t n : {1, 10, 33}) {
        check(1025, n, [](auto const& x, index_t) { return felt::max<1>(abs(x)); });
        check(1025, n, [](auto const& x, index_t) { return felt::sum<1>(x); });
        check(1025, n, [&](auto const& x, index_t i) {
            auto const rows = range(i, i + x.extents()[0]);
            return felt::sum<1>(x * slice(other, rows, range(0, x.extents()[1]))) +
                   slice(column, rows);
        });
        check(1025, n, [&](auto const& x, index_t i) {
            auto const rows = range(i, i + x.extents()[0]);
            return felt::sum<1>(x * felt::expand_dims<1>(slice(column, rows)));
        });
    }
}

TEST_CASE("beside the rows a function that stays the same along them is computed once") {
    for (index_t m : {7, 33, 65}) {
        for (index_t n : {5, 10, 33, 64}) {
            matrix const x = numbers(m, n, 9);
            vector y({m}), want({m});
            y = felt::max<1>(x - felt::stddev<0>(x));
            vector const by_column = felt::stddev<0>(x);
            for (index_t i = 0; i < m; ++i) {
                want(i) = -INFINITY;
                for (index_t j = 0; j < n; ++j) want(i) = std::max(want(i), x(i, j) - by_column(j));
            }
            CAPTURE(m);
            CAPTURE(n);
            CHECK(felt::all_close(y, want, 1e-5, 1e-6));
        }
    }
}

TEST_CASE("rows of several axes, and of what is computed first") {
    Tensor<float, 3> x({5, 41, 9}), w({41, 1, 9});
    x = felt::normal<float>(x.extents(), 5);
    w = felt::normal<float>(w.extents(), 6);
    matrix y({5, 41});
    y = felt::sum<2>(x * felt::squeeze<1>(w));
    matrix a = numbers(45, 30, 7), b = numbers(30, 9, 8);
    vector z({45});
    z = felt::sum<1>(felt::square(matmul(a, b)));
    matrix const p = matmul(a, b);
    for (index_t i = 0; i < 5; ++i) {
        for (index_t j = 0; j < 41; ++j) {
            double sum = 0;
            for (index_t k = 0; k < 9; ++k) sum += double(x(i, j, k)) * double(w(j, 0, k));
            CHECK(y(i, j) == doctest::Approx(sum).epsilon(1e-5));
        }
    }
    for (index_t i = 0; i < 45; ++i) {
        double sum = 0;
        for (index_t k = 0; k < 9; ++k) sum += double(p(i, k)) * double(p(i, k));
        CHECK(z(i) == doctest::Approx(sum).epsilon(1e-5));
    }
}

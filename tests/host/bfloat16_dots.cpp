// SPDX-License-Identifier: BSD-3-Clause
//
// Products of bfloat16 against plain loops in double precision: the same with and without
// instructions for them.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::bfloat16;
using felt::index_t;
using felt::Tensor;
using felt::transpose;

namespace {

using matrix = Tensor<bfloat16, 2>;

matrix drawn(index_t m, index_t n, unsigned seed) {
    matrix x({m, n});
    x = felt::normal<float>(x.extents(), seed);
    return x;
}

// The largest error of y = a b, in terms' roots.
template <class Y, class A, class B>
double worst(Y const& y, A const& a, B const& b) {
    double most = 0;
    for (index_t i = 0; i < y.extent(0); ++i) {
        for (index_t j = 0; j < y.extent(1); ++j) {
            double sum = 0;
            for (index_t k = 0; k < a.extent(1); ++k)
                sum += double(float(a(i, k))) * double(float(b(k, j)));
            double const off = std::abs(double(y(i, j)) - sum);
            most = std::isnan(off) ? off : std::max(most, off);
        }
    }
    return most / std::sqrt(double(std::max<index_t>(a.extent(1), 1)));
}

template <class S>
felt::planning::product_schedule product_of(S const& s) {
    auto const p = felt::explain(s);
    felt::planning::node_id id = 0;
    while (p.g[id].what != felt::planning::kind::contract) ++id;
    return p.s[p.g[id].product];
}

}  // namespace

TEST_CASE("products of any extents, in all orders of memory") {
    for (index_t m : {1, 2, 13, 14, 15, 40, 200}) {
        for (index_t n : {1, 15, 16, 17, 33, 100}) {
            for (index_t k : {1, 2, 7, 300, 1025}) {
                auto const a = drawn(m, k, 1), b = drawn(k, n, 2);
                matrix at({k, m}), bt({n, k});
                at = transpose(a), bt = transpose(b);
                Tensor<float, 2> y({m, n});
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                y = matmul(a, b);
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(transpose(at), b);
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(a, transpose(bt));
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(transpose(at), transpose(bt)) * 2.F;
                y = y * 0.5F;
                CHECK(worst(y, a, b) < 1e-4);
            }
        }
    }
}

TEST_CASE("pairs are multiplied where all factors are bfloat16") {
    auto const a = drawn(64, 128, 1), b = drawn(128, 96, 2);
    Tensor<float, 2> const f = a;
    Tensor<float, 2> y({64, 96});
    CHECK(product_of(assign(y, matmul(a, b))).bfloat16_dots == FELT_BFLOAT16_DOTS);
    CHECK(product_of(assign(y, matmul(a, transpose(drawn(96, 128, 3))))).bfloat16_dots ==
          FELT_BFLOAT16_DOTS);
    CHECK_FALSE(product_of(assign(y, matmul(f, b))).bfloat16_dots);
    CHECK_FALSE(product_of(assign(y, matmul(a * 2, b))).bfloat16_dots);
}

TEST_CASE("of batches and slices, into bfloat16, with what is not finite") {
    Tensor<bfloat16, 3> x({3, 50, 70}), w({3, 70, 40}), z({3, 50, 40});
    x = felt::normal<float>(x.extents(), 1), w = felt::normal<float>(w.extents(), 2);
    z = matmul(x, w);
    for (index_t h = 0; h < 3; ++h) {
        Tensor<float, 2> const part = felt::slice(z, h, felt::ellipsis);
        CHECK(worst(part, eval(felt::slice(x, h, felt::ellipsis)),
                    eval(felt::slice(w, h, felt::ellipsis))) < 0.05);
    }
    auto a = drawn(20, 31, 3), b = drawn(31, 30, 4);
    a(3, 30) = INFINITY, b(7, 5) = NAN;
    Tensor<float, 2> y({20, 30});
    y = matmul(a, b);
    for (index_t i = 0; i < 20; ++i)
        for (index_t j = 0; j < 30; ++j) CHECK(std::isfinite(y(i, j)) == (i != 3 && j != 5));
    Tensor<float, 2> part({10, 20});
    part = matmul(felt::slice(a, felt::range(5, 15), felt::all()),
                  felt::slice(b, felt::all(), felt::range(8, 28)));
    CHECK(worst(part, eval(felt::slice(a, felt::range(5, 15), felt::all())),
                eval(felt::slice(b, felt::all(), felt::range(8, 28)))) < 1e-4);
}

TEST_CASE("any number of threads, fused and unfused") {
    auto const a = drawn(700, 900, 1), b = drawn(900, 300, 2);
    Tensor<float, 2> one({700, 300}), two({700, 300}), unfused({700, 300});
    int const before = felt::threads();
    felt::threads(1);
    one = felt::relu(matmul(a, b));
    felt::threads(2);
    two = felt::relu(matmul(a, b));
    felt::threads(before);
    run(felt::unfused, assign(unfused, felt::relu(matmul(a, b))));
    CHECK(bool(felt::all(one == two)));
    CHECK(felt::all_close(one, unfused, 1e-4, 1e-3));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Factors of a product and how far off each way of multiplying may be. Factors are evenly
// distributed over -1 .. 1, so that errors grow as the root of the number of terms.
#pragma once
#include "cublas.hpp"

namespace bench {

struct factors {
    index_t m, n, k;
    tensor<float, 2> a, b, c;

    factors(index_t rows, index_t columns, index_t terms)
        : m(rows), n(columns), k(terms), a({m, k}), b({k, n}), c({m, n}) {
        a = felt::uniform<float>({m, k}, 1) * 2.f - 1.f;
        b = felt::uniform<float>({k, n}, 2) * 2.f - 1.f;
    }
    double flops() const { return 2. * double(m) * double(n) * double(k); }
    double scale() const { return std::sqrt(double(k)); }
    std::string name() const {
        return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    }
    cublas::product of_floats() { return {m, n, k, a.data(), b.data(), c.data()}; }
};

// Of the largest error over the root of the number of terms. Tensor cores cut off sums.
namespace allowed {
inline constexpr double exact = 3e-5, by_three = 1e-4, tf32 = 5e-3, bf16 = 4e-2;
}

struct exact_product {
    float const *a, *b;
    index_t n, k;

    __device__ double operator()(index_t at) const {
        index_t const i = at / n, j = at % n;
        double sum = 0;
        for (index_t l = 0; l < k; ++l) sum += double(a[i * k + l]) * double(b[l * n + j]);
        return sum;
    }
};
inline tensor<double, 1> exact_of(factors const& f) {
    return exactly(f.m * f.n, exact_product{f.a.data(), f.b.data(), f.n, f.k});
}

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
//
// The products that are compared: c = a b with a of m x k and b of k x n.
#pragma once
#include "arrays.hpp"
#include <memory>
#include <string>

namespace bench {

struct shape {
    index_t m, n, k;

    std::string name() const {
        return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    }
    double flops() const {
        return 2. * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    }
};

inline constexpr shape shapes[] = {
    {256, 256, 256}, {512, 512, 512},  {1024, 1024, 1024}, {2048, 2048, 2048}, {196, 256, 784},
    {784, 256, 196}, {2048, 64, 1024}, {64, 1024, 1024},   {25, 10000, 64},    {1, 4096, 4096}};

// The operands of one product in the orders "rr", "rc", "cr" or "cc", made when first asked for.
template <class T>
struct operands {
    matrix<T> a, b, c;
    felt::Tensor<T, 2> bias;

    operands(shape const& s, std::string const& orders)
        : a(s.m, s.k, orders[0], 1),
          b(s.k, s.n, orders[1], 2),
          c(s.m, s.n, 'r', 3),
          bias(numbers<T>(felt::extents<2>{{s.m, 1}}, 4)) {
        c.view() = std::numeric_limits<T>::quiet_NaN();
    }

    // Element (i, j) of a b, to the precision of double.
    double exact(index_t i, index_t j) const {
        double sum = 0;
        for (index_t k = 0; k < a.columns; ++k)
            sum += static_cast<double>(a.at(i, k)) * static_cast<double>(b.at(k, j));
        return sum;
    }
    double exact_sigmoid(index_t i, index_t j) const {
        return 1 / (1 + std::exp(-exact(i, j) - static_cast<double>(bias(i, index_t{0}))));
    }
    double scale() const { return std::sqrt(static_cast<double>(a.columns)); }
};

template <class T>
auto operands_of(shape const& s, std::string const& orders) {
    return [=, made = std::make_shared<std::shared_ptr<operands<T>>>()] {
        if (!*made) *made = std::make_shared<operands<T>>(s, orders);
        return *made;
    };
}

}  // namespace bench

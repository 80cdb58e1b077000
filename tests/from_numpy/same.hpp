// SPDX-License-Identifier: BSD-3-Clause
//
// same(e, {{1, 2}, {3, 4}}): e has these extents and these elements, up to rounding in the numbers
// given; NaN is NaN. Complex numbers are C(re, im).
#pragma once
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cmath>
#include <complex>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

using felt::index_t;
using C = std::complex<double>;
inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double inf = std::numeric_limits<double>::infinity();

// A number, or a list of such, all of one shape.
struct numbers {
    std::vector<index_t> extents;
    std::vector<C> values;

    template <class T>
        requires std::is_arithmetic_v<T>
    numbers(T x) : values{C(static_cast<double>(x))} {}
    numbers(C x) : values{x} {}
    numbers(std::initializer_list<numbers> list) : extents{static_cast<index_t>(list.size())} {
        for (numbers const& x : list) values.insert(values.end(), x.values.begin(), x.values.end());
        if (list.size() > 0) {
            auto const& inner = list.begin()->extents;
            extents.insert(extents.end(), inner.begin(), inner.end());
        }
    }
};

inline bool near(double x, double y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= 1e-8 * (1 + std::abs(y));
}

inline std::string text(std::vector<index_t> const& extents, std::vector<C> const& values) {
    std::string s = felt::to_string(extents.data(), extents.size());
    for (C x : values) {
        s += " " + std::to_string(x.real());
        if (x.imag() != 0) s += "+" + std::to_string(x.imag()) + "i";
    }
    return s;
}

inline bool agree(std::vector<index_t> const& extents, std::vector<C> const& values,
                  numbers const& expected) {
    bool good = extents == expected.extents && values.size() == expected.values.size();
    for (std::size_t i = 0; good && i < values.size(); ++i) {
        good = near(values[i].real(), expected.values[i].real()) &&
               near(values[i].imag(), expected.values[i].imag());
    }
    if (!good) MESSAGE(text(extents, values), ", not ", text(expected.extents, expected.values));
    return good;
}

template <class T>
bool agree(T const* data, index_t const* extent, std::size_t rank, numbers const& expected) {
    std::size_t size = 1;
    for (std::size_t r = 0; r < rank; ++r) size *= static_cast<std::size_t>(extent[r]);
    return agree({extent, extent + rank}, {data, data + size}, expected);
}

template <class E>
bool same(E const& e, numbers const& expected) {
    if constexpr (felt::array_operand<E>) {
        auto const y = felt::eval(e);
        auto const extents = y.extents();
        return agree(y.data(), extents.value, extents.rank, expected);
    } else {
        return agree({}, numbers(e).values, expected);
    }
}

}  // namespace test

// SPDX-License-Identifier: BSD-3-Clause
//
// plain: an array as a list of double in row-major order, which tests compare with. What an
// expression should be is written as a loop over its indices:
//
//     CHECK(values(transpose(x)) == computed({n, m}, [&](auto at) { return a(at[1], at[0]); }));
//
// NaN equals NaN here. near(expected, 1e-6) allows for that error, relative above 1.
#pragma once
#include "tests/support/by_host.hpp"
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <vector>

namespace test {

using felt::index_t;
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct plain {
    std::vector<index_t> extents;
    std::vector<double> values;
    double slack = 0;

    template <class... I>
    double operator()(I... i) const {
        index_t const at[sizeof...(I) + 1] = {static_cast<index_t>(i)..., 0};
        index_t number = 0;
        for (std::size_t r = 0; r < extents.size(); ++r) number = number * extents[r] + at[r];
        return values[static_cast<std::size_t>(number)];
    }
};

inline bool equal(double x, double y, double slack) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= slack * std::max(1.0, std::abs(y));
}

inline bool operator==(plain const& x, plain const& y) {
    double const slack = std::max(x.slack, y.slack);
    return x.extents == y.extents &&
           std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end(),
                      [&](double a, double b) { return equal(a, b, slack); });
}

inline std::ostream& operator<<(std::ostream& out, plain const& x) {
    out << felt::to_string(x.extents.data(), x.extents.size()) << " [";
    for (std::size_t i = 0; i < std::min<std::size_t>(x.values.size(), 40); ++i) {
        out << (i == 0 ? "" : " ") << x.values[i];
    }
    return out << (x.values.size() > 40 ? " ..]" : "]");
}

inline plain near(plain x, double slack) {
    x.slack = slack;
    return x;
}

// The array with f(index) at every index.
inline plain computed(std::vector<index_t> e, std::function<double(index_t const*)> const& f) {
    plain x{std::move(e), {}};
    index_t size = 1;
    for (index_t n : x.extents) size *= n;
    std::vector<index_t> at(x.extents.size() + 1);
    for (index_t i = 0; i < size; ++i) {
        x.values.push_back(f(at.data()));
        for (std::size_t r = x.extents.size(); r-- > 0 && ++at[r] == x.extents[r];) at[r] = 0;
    }
    return x;
}

// Elements in memory, read without the library.
template <class T>
plain read(T const* data, index_t const* extent, index_t const* stride, std::size_t rank) {
    return computed({extent, extent + rank}, [&](index_t const* at) {
        index_t offset = 0;
        for (std::size_t r = 0; r < rank; ++r) offset += at[r] * stride[r];
        return static_cast<double>(data[offset]);
    });
}

template <felt::array_operand X>
plain values(X&& x) {
    if constexpr (felt::strided_array<X>) {
        auto const e = x.extents(), stride = x.strides();
        return read(x.data(), e.value, stride.value, e.rank);
    } else {
        return values(felt::eval(std::forward<X>(x)));
    }
}

// Quarters between -5 and 5 in no order, so that sums and products of few are exact.
inline double number(index_t i) { return static_cast<double>((i * 7919 + 13) % 41 - 20) / 4; }

// A tensor whose element i, in row-major order, is number(first + i) in its type.
template <class Y>
Y numbered(decltype(Y::extents_type::value) const& e, index_t first = 0) {
    using T = typename Y::value_type;
    felt::extents<Y::rank> lengths;
    std::copy(std::begin(e), std::end(e), lengths.value);
    Y y(lengths);
    auto const stride = y.strides();
    index_t i = first;
    computed({lengths.begin(), lengths.end()}, [&](index_t const* at) {
        index_t offset = 0;
        for (std::size_t r = 0; r < Y::rank; ++r) offset += at[r] * stride[r];
        y.data()[offset] =
            std::is_same_v<T, bool> ? static_cast<T>(i % 3 == 0) : static_cast<T>(number(i));
        ++i;
        return 0.0;
    });
    return y;
}

template <class F>
std::string message(F f) {
    try {
        f();
    } catch (felt::error const& e) {
        return e.what();
    }
    return "nothing thrown";
}

}  // namespace test

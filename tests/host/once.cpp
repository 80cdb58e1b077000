// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

long calls = 0;

struct counted {
    double operator()(double x) const {
        ++calls;
        return x;
    }
};

}  // namespace

TEST_CASE("a value that is used twice is computed once for every element, and is the same") {
    for (auto const& e : {felt::extents<2>{{4, 64}}, felt::extents<2>{{300, 1000}}}) {
        felt::Tensor<double, 2> x(e), y(e);
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i % 97);
        auto const o = felt::detail::once(felt::map(counted{}, x));
        calls = 0;
        y = o + felt::sum<1>(o, felt::keepdims);
        CHECK(calls == x.size());
        double row = 0;
        for (index_t j = 0; j < x.extent(1); ++j) row += x(3, j);
        CHECK(y(3, 0) == x(3, 0) + row);
        CHECK(y(3, 63) == x(3, 63) + row);
    }
}

TEST_CASE("softmax of rows and of columns sums to one") {
    felt::Tensor<double, 2> x({37, 130});
    x = felt::normal<double>({37, 130}, 5) * 30;
    felt::Tensor<double, 1> const rows = felt::sum<1>(felt::softmax<1>(x));
    felt::Tensor<double, 1> const columns = felt::sum<0>(felt::softmax<0>(x));
    for (index_t i = 0; i < 37; ++i) CHECK(rows(i) == doctest::Approx(1).epsilon(1e-14));
    for (index_t j = 0; j < 130; ++j) CHECK(columns(j) == doctest::Approx(1).epsilon(1e-14));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>
#include <vector>

using namespace felt;

namespace {

// How far y is from softmax<2>(scores) by v, in double precision, at most.
template <class Y, class X, class V>
double off_by(Y const& y, X const& scores, V const& v) {
    double most = 0;
    for (index_t h = 0; h < y.extent(0); ++h) {
        for (index_t i = 0; i < y.extent(1); ++i) {
            double largest = -std::numeric_limits<double>::infinity(), all = 0;
            for (index_t k = 0; k < v.extent(1); ++k)
                largest = std::max(largest, double(scores(h, i, k)));
            std::vector<double> weights;
            for (index_t k = 0; k < v.extent(1); ++k) {
                weights.push_back(std::exp(double(scores(h, i, k)) - largest));
                all += weights.back();
            }
            for (index_t j = 0; j < y.extent(2); ++j) {
                double sum = 0;
                for (index_t k = 0; k < v.extent(1); ++k)
                    sum += weights[static_cast<std::size_t>(k)] * double(v(h, k, j));
                double const d = std::abs(double(y(h, i, j)) - sum / all);
                most = std::isnan(d) ? d : std::max(most, d);
            }
        }
    }
    return most;
}

}  // namespace

TEST_CASE("blocks that a mask removes are left out: first ones, last ones, those of some keys") {
    index_t const n = 1700;
    float const infinity = std::numeric_limits<float>::infinity();
    Tensor<float, 3> q({2, n, 24}), k({2, n, 24}), v({2, n, 16}), y, s;
    q = normal<float>(q.extents(), 1), k = normal<float>(k.extents(), 2),
    v = normal<float>(v.extents(), 3);
    auto const dots = matmul(q, permute<0, 2, 1>(k)) * 0.3F;
    auto const query = expand_dims<1>(iota<int>({n})), key = expand_dims<0>(iota<int>({n}));
    auto const agrees = [&](auto const& mask) {
        auto const seen = where(mask, dots, -infinity);
        s = seen;
        y = matmul(softmax<2>(seen), v);
        CHECK(off_by(y, s, v) < 1e-5);
        auto const unfused_too = [&] {
            Tensor<float, 3> z(y.extents());
            run(unfused, assign(z, matmul(softmax<2>(seen), v)));
            return all_close(y, z, 1e-4, 1e-5);
        };
        CHECK(unfused_too());
    };
    agrees(key <= query);
    agrees(key >= query);
    agrees((key <= query) && (key > query - 100));  // a window
    Tensor<bool, 2> some({2, n});                   // as texts of other lengths
    some = expand_dims<0>(iota<int>({n})) < expand_dims<1>(iota<int>({2})) * 1000 + 300;
    agrees(expand_dims<1>(some));
    // Times nothing what is not finite is NaN, as it is unfused.
    v(1, n - 1, 3) = infinity;
    y = matmul(softmax<2>(where(key <= query, dots, -infinity)), v);
    CHECK(std::isnan(y(1, 0, 3)));
    CHECK(std::isfinite(y(1, 0, 2)));
    CHECK(std::isfinite(y(0, 0, 3)));
}

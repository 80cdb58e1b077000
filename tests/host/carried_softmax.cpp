// SPDX-License-Identifier: BSD-3-Clause
//
// Products of softmax along their terms, against plain loops in double precision.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <limits>
#include <sstream>
#include <vector>

using namespace felt;

namespace {

double const infinity = std::numeric_limits<double>::infinity();

// Row i of softmax(scores) times v, scores and v by functions.
template <class S, class V>
std::vector<double> attended(index_t keys, index_t columns, S&& score, V&& v) {
    double most = -infinity, sum = 0;
    for (index_t k = 0; k < keys; ++k)
        most = std::isnan(score(k)) ? score(k) : std::max(most, score(k));
    std::vector<double> y(static_cast<std::size_t>(columns));
    for (index_t k = 0; k < keys; ++k) {
        double const e = std::exp(score(k) - most);
        sum += e;
        for (index_t j = 0; j < columns; ++j) y[static_cast<std::size_t>(j)] += e * v(k, j);
    }
    for (double& x : y) x /= sum;
    return y;
}

template <class S>
std::string explained(S const& s) {
    std::ostringstream out;
    out << explain(s);
    return out.str();
}

// Whether y is softmax<2>(scores) by v, to so many parts of what is about 1.
template <class Y, class X, class V>
bool is_attention(Y const& y, X const& scores, V const& v, double most) {
    double apart = 0;
    for (index_t h = 0; h < y.extent(0); ++h) {
        for (index_t i = 0; i < y.extent(1); ++i) {
            auto const want = attended(
                scores.extent(2), y.extent(2), [&](index_t k) { return double(scores(h, i, k)); },
                [&](index_t k, index_t j) { return double(v(h, k, j)); });
            for (index_t j = 0; j < y.extent(2); ++j) {
                double const d = std::abs(double(y(h, i, j)) - want[static_cast<std::size_t>(j)]);
                bool const both =
                    std::isnan(double(y(h, i, j))) && std::isnan(want[static_cast<std::size_t>(j)]);
                if (!both) apart = std::isnan(d) ? infinity : std::max(apart, d);
            }
        }
    }
    return apart <= most;
}

}  // namespace

TEST_CASE_TEMPLATE("softmax by values: any number of rows, keys and columns", T, float, double) {
    double const most = sizeof(T) == 4 ? 2e-5 : 1e-13;
    for (index_t rows : {1, 3, 17, 100})
        for (index_t keys : {1, 2, 64, 513, 1100})
            for (index_t columns : {1, 15, 64, 70}) {
                CAPTURE(rows);
                CAPTURE(keys);
                CAPTURE(columns);
                Tensor<T, 3> x({2, rows, keys}), v({2, keys, columns}), y;
                x = normal<T>(x.extents(), 1) * T(5);
                v = normal<T>(v.extents(), 2);
                y = matmul(softmax<2>(x), v);
                CHECK(is_attention(y, x, v, most));
            }
}

TEST_CASE("attention: scores are products, scaled and masked, in any layout; nothing is written") {
    for (index_t keys : {5, 100, 1300}) {
        CAPTURE(keys);
        Tensor<float, 3> q({4, 270, 24}), k({4, keys, 24}), v({4, keys, 64}), s({4, 270, keys}),
            y({4, 270, 64});
        q = normal<float>(q.extents(), 1), k = normal<float>(k.extents(), 2),
        v = normal<float>(v.extents(), 3);
        auto const dots = matmul(q, permute<0, 2, 1>(k)) * 0.3F;
        s = dots;
        auto const e = matmul(softmax<-1>(dots), v);
        CHECK(explained(assign(y, e)).find("softmax, carried along the terms") !=
              std::string::npos);
        CHECK(explain(assign(y, e)).fused());
        y = e;
        CHECK(is_attention(y, s, v, 1e-5));
        Tensor<float, 3, Host, ColMajor> turned(y.extents());
        turned = e;
        CHECK(all_close(turned, y, 1e-5, 1e-6));
        y = relu(matmul(softmax<2>(dots), v) - 0.01F) * 2.F;
        CHECK(all_close(y, relu(turned - 0.01F) * 2.F, 1e-5, 1e-6));
        auto const position = iota<int>({keys});
        auto const seen = where(expand_dims<0>(position) <= expand_dims<1>(iota<int>({270})), dots,
                                -std::numeric_limits<float>::infinity());
        s = seen;
        y = matmul(softmax<2>(seen), v);
        CHECK(is_attention(y, s, v, 1e-5));
    }
}

TEST_CASE("scores that are not finite, rows that are masked in part and wholly") {
    float const nan = std::numeric_limits<float>::quiet_NaN(),
                inf = std::numeric_limits<float>::infinity();
    Tensor<float, 3> x({1, 6, 1500}), v({1, 1500, 5}), y;
    v = normal<float>(v.extents(), 2);
    x = normal<float>(x.extents(), 1);
    for (index_t k = 0; k < 1500; ++k) {
        if (k < 1400) x(0, 0, k) = -inf;  // nothing at first
        if (k > 10) x(0, 1, k) = -inf;    // nothing later
        x(0, 2, k) = -inf;                // nothing
    }
    x(0, 3, 700) = nan;
    x(0, 4, 700) = inf;
    x(0, 5, 1499) = 80;  // the largest comes last
    y = matmul(softmax<2>(x), v);
    CHECK(is_attention(y, x, v, 1e-5));
    for (index_t row : {2, 3, 4}) CHECK(std::isnan(y(0, row, 0)));
    for (index_t row : {0, 1, 5}) CHECK(!std::isnan(y(0, row, 4)));
}

TEST_CASE("the same bits for any number of threads") {
    Tensor<float, 3> q({3, 300, 32}), k({3, 900, 32}), v({3, 900, 48}), y, z;
    q = normal<float>(q.extents(), 1), k = normal<float>(k.extents(), 2),
    v = normal<float>(v.extents(), 3);
    auto const e = matmul(softmax<2>(matmul(q, permute<0, 2, 1>(k))), v);
    y = e;
    for (int n : {1, 2, 3}) {
        threads(n);
        z = e;
        CHECK(bool(all(y == z)));
    }
    threads(0);
}

TEST_CASE("what can not be carried is computed as before") {
    Tensor<float, 2> few({2, 20000}), many({20000, 20}), of_few({2, 20});
    few = normal<float>(few.extents(), 1), many = normal<float>(many.extents(), 2);
    of_few = matmul(softmax<1>(few), many);  // in parts, for threads
    Tensor<float, 2> const weights = softmax<1>(few);
    CHECK(all_close(of_few, matmul(weights, many), 1e-4, 1e-6));
    Tensor<float, 2> x({40, 300}), v({300, 20}), y({40, 20}), w({40, 900}), wide({300, 900}),
        u({300, 20});
    x = normal<float>(x.extents(), 1), v = normal<float>(v.extents(), 2),
    wide = normal<float>(wide.extents(), 3);
    Tensor<float, 2> const p = softmax<1>(x), q = softmax<0>(x);
    auto const carries = [](auto const& s) {
        return explained(s).find("carried") != std::string::npos;
    };
    CHECK(carries(assign(y, matmul(softmax<1>(x), v))));
    CHECK_FALSE(carries(assign(y, matmul(softmax<0>(x), v))));  // along the rows
    y = matmul(softmax<0>(x), v);
    CHECK(all_close(y, matmul(q, v), 1e-5, 1e-6));
    CHECK_FALSE(carries(assign(w, matmul(softmax<1>(x), wide))));  // columns by parts
    w = matmul(softmax<1>(x), wide);
    CHECK(all_close(w, matmul(p, wide), 1e-5, 1e-5));
    Tensor<float, 2> z({20, 40});
    z = matmul(transpose(v), transpose(softmax<1>(x)));  // the right operand
    CHECK(all_close(z, transpose(matmul(p, v)), 1e-5, 1e-6));
}

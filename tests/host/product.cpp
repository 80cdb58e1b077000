// SPDX-License-Identifier: BSD-3-Clause
//
// The ways a product can take: packed, few rows streamed, right operand in place, edges.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::Tensor;

static double worst(index_t m, index_t n, index_t k) {
    Tensor<float, 2> a({m, k}), b({k, n}), c({m, n});
    a = felt::uniform<float>({m, k}, 1);
    b = felt::uniform<float>({k, n}, 2);
    c = felt::matmul(a, b);
    double error = 0;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            double sum = 0;
            for (index_t p = 0; p < k; ++p) sum += static_cast<double>(a(i, p)) * b(p, j);
            error = std::max(error, std::abs(sum - c(i, j)));
        }
    }
    return error;
}

TEST_CASE("few rows stream the right operand, also past whole strips") {
    for (index_t m : {1, 2, 3}) {
        for (index_t n : {15, 16, 17, 31, 32, 33, 64, 95, 100, 1024}) CHECK(worst(m, n, 77) < 1e-4);
    }
}

TEST_CASE("a few strips of rows read the right operand in place") {
    for (index_t m : {13, 14, 15, 28}) CHECK(worst(m, 100, 300) < 1e-3);
}

TEST_CASE("more rows take several chunks, over several pieces of the shared axis") {
    for (index_t m : {29, 169}) CHECK(worst(m, 97, 521) < 1e-3);
    CHECK(worst(40, 800, 20) < 1e-4);
}

TEST_CASE("products in scratch of any number of columns, dense or padded, in batches and pieces") {
    for (index_t n : {1, 2, 3, 5, 15, 16, 17, 31, 33}) {
        for (index_t k : {4, 700}) {
            Tensor<float, 3> a({6, 23, k}), b({6, k, n});
            a = felt::uniform<float>(a.extents(), 3);
            b = felt::uniform<float>(b.extents(), 4);
            auto const product = matmul(a, b);
            Tensor<float, 2> const most = felt::max<0>(product * 2.f);
            Tensor<float, 2> const sums = felt::sum<1>(abs(product - 7.f));
            Tensor<double, 2> expected_most({23, n}), expected_sums({6, n});
            expected_most = 0.;
            expected_sums = 0.;
            for (index_t i = 0; i < 6 * 23 * n; ++i) {
                index_t const g = i / n / 23, r = i / n % 23, c = i % n;
                double x = 0;
                for (index_t p = 0; p < k; ++p) x += static_cast<double>(a(g, r, p)) * b(g, p, c);
                expected_most(r, c) = std::max(expected_most(r, c), 2 * x);
                expected_sums(g, c) += std::abs(x - 7);
            }
            for (index_t i = 0; i < most.size(); ++i)
                CHECK(most.data()[i] == doctest::Approx(expected_most.data()[i]).epsilon(1e-4));
            for (index_t i = 0; i < sums.size(); ++i)
                CHECK(sums.data()[i] == doctest::Approx(expected_sums.data()[i]).epsilon(1e-4));
        }
    }
}

// How often the most repeated node of a statement is computed.
template <class S>
double most_times(S const& s) {
    auto const p = felt::explain(s);
    felt::host::watch const w;
    run(felt::fused, s);
    double most = 0;
    for (auto id : p.g.nodes.ids()) {
        double const all = felt::planning::detail::elements(p.g[id]);
        if (p.s[id].by == felt::planning::way::scratch) most = std::max(most, w.elements(id) / all);
    }
    return most;
}

TEST_CASE("a product kept where its rows are not evenly spaced takes its operands once") {
    for (index_t k : {9, 900}) {
        Tensor<float, 3> x({4, 7, k}), parts({2, k, 40}), whole({4, 9, 41});
        x = felt::uniform<float>(x.extents(), 3);
        parts = felt::uniform<float>(parts.extents(), 4);
        Tensor<float, 2> const sums = felt::sum<0>(parts);
        Tensor<float, 3> const expected = felt::einsum<"abk,kc->abc">(x, sums) + 1;
        auto const y = slice(whole, felt::all(), felt::range(1, 8), felt::range(0, 40));
        auto const computed = felt::einsum<"abk,kc->abc">(x, felt::sum<0>(parts)) + 1;
        CHECK(most_times(assign(y, computed)) <= 1.0);
        CHECK(felt::all_close(y, expected));
        auto const both = felt::einsum<"abk,kc->abc">(felt::sum<0>(felt::stack<0>(x, x)), sums) + 1;
        CHECK(most_times(assign(y, both)) <= 1.0);
        CHECK(felt::all_close(y, 2 * expected - 1));
        CHECK(whole(0, 0, 0) + whole(3, 8, 40) + whole(2, 5, 40) == 0);
    }
}

TEST_CASE("images convolved into rows that are not evenly spaced are padded once") {
    Tensor<float, 4> x({2, 3, 20, 15}), w({16, 3, 3, 3});
    Tensor<float, 4, felt::Host, felt::ChannelsLast> whole({2, 16, 20, 18});
    x = felt::uniform<float>(x.extents(), 3);
    w = felt::uniform<float>(w.extents(), 4);
    Tensor<float, 4> const f = x * 2 + 1;
    Tensor<float, 4> const expected = relu(conv2d(f, w, {.padding = {1, 1}}));
    auto const y = slice(whole, felt::all(), felt::all(), felt::all(), felt::range(2, 17));
    CHECK(most_times(assign(y, relu(conv2d(x * 2 + 1, w, {.padding = {1, 1}})))) <= 1.5);
    CHECK(felt::all_close(y, expected));
}

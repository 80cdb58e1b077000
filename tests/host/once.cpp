// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <atomic>
#include <cmath>

using felt::index_t;

namespace {

std::atomic<long> calls = 0;  // statements may have threads

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

namespace {

struct counted_expensive : counted {
    static constexpr int cost = 20;
};

template <class T>
felt::Tensor<T, 2> numbers(felt::extents<2> const& e) {
    felt::Tensor<T, 2> x(e);
    x = felt::normal<T>(e, 5);
    return x;
}

}  // namespace

TEST_CASE("an expensive function of several loops is computed once for every element") {
    for (auto const& e : {felt::extents<2>{{4, 64}}, felt::extents<2>{{300, 1000}}}) {
        auto const x = numbers<double>(e);
        felt::Tensor<double, 2> y(e), z(e);
        calls = 0;
        y = felt::map(counted_expensive{}, x) /
            felt::sum<1>(felt::map(counted_expensive{}, x), felt::keepdims);
        CHECK(calls == x.size());
        z = x / felt::sum<1>(x, felt::keepdims);
        CHECK(bool(felt::all(y == z)));
        felt::Tensor<double, 1> m({e[0]});
        calls = 0;
        felt::fuse(assign(y, felt::map(counted_expensive{}, x)),
                   assign(m, felt::sum<1>(felt::map(counted_expensive{}, x))));
        CHECK(calls == x.size());
        felt::Tensor<double, 1> const sums = felt::sum<1>(x);
        CHECK(bool(felt::all(y == x)));
        CHECK(felt::all_close(m, sums, 1e-12));
    }
}

TEST_CASE(
    "an expensive function that sums of several statements read is computed once for each strip") {
    for (index_t n : {100, 500, 3000}) {
        auto const x = numbers<double>({{n, 33}});
        felt::Tensor<double, 2> w({n, 7}), product({33, 7});
        felt::Tensor<double, 1> columns({33});
        w = felt::normal<double>(w.extents(), 6);
        calls = 0;
        auto const t = felt::map(counted_expensive{}, x);
        felt::fuse(assign(product, matmul(transpose(t), w)), assign(columns, felt::sum<0>(t)));
        CHECK(calls < x.size() + 64);  // the last lanes of a strip may be computed twice
        felt::Tensor<double, 2> const expected = matmul(transpose(x), w);
        felt::Tensor<double, 1> const sums = felt::sum<0>(x);
        CHECK(felt::all_close(product, expected, 1e-12, 1e-12));
        CHECK(felt::all_close(columns, sums, 1e-12, 1e-12));
    }
}

TEST_CASE("shared strips, bit by bit for any number of threads") {
    index_t const n = 40;
    felt::Tensor<float, 4> x({n, 2, 12, 12}), a({n, 3, 10, 10}), h({n, 3, 5, 5}), w({3, 2, 3, 3});
    felt::Tensor<float, 4> b({1, 3, 1, 1}), w1(w.extents()), b1(b.extents());
    x = felt::normal<float>(x.extents(), 1), a = felt::uniform<float>(a.extents(), 2);
    h = felt::normal<float>(h.extents(), 3);
    auto const dz = upsample(h, {2, 2}) * 0.25f * a * (1 - a);
    auto const step = [&](auto how, auto& gw, auto& gb) {
        run(how, assign(gw, conv2d_weight_grad(x, dz, gw.extents())),
            assign(gb, felt::sum<0, 2, 3>(dz, felt::keepdims)));
    };
    auto const g = assign(w, conv2d_weight_grad(x, dz, w.extents()));
    auto const s = assign(b, felt::sum<0, 2, 3>(dz, felt::keepdims));
    auto const p = felt::explain(g, s);
    REQUIRE(p.passes().size() == 1);
    bool shared = false;
    for (auto id : p.g.nodes.ids()) shared |= p.g[id].optional && p.s[id].strip_axis == 0;
    CHECK(shared);
    step(felt::unfused, w, b);
    step(felt::fused, w1, b1);
    CHECK(felt::all_close(w1, w, 1e-4, 1e-4));
    CHECK(felt::all_close(b1, b, 1e-4, 1e-4));
    for (int count : {2, 3}) {
        felt::threads(count);
        felt::Tensor<float, 4> w2(w.extents()), b2(b.extents());
        step(felt::fused, w2, b2);
        felt::threads(1);
        CHECK(bool(felt::all(w2 == w1)));
        CHECK(bool(felt::all(b2 == b1)));
    }
}

TEST_CASE("softmax written by hand is softmax, bit by bit") {
    for (auto const& e : {felt::extents<2>{{5, 70}}, felt::extents<2>{{300, 1000}}}) {
        auto const x = numbers<float>(e);
        felt::Tensor<float, 2> y(e), z(e);
        auto const t = exp(x - felt::max<1>(x, felt::keepdims));
        y = t * (1.f / felt::sum<1>(t, felt::keepdims));
        z = felt::softmax<1>(x);
        CHECK(bool(felt::all(y == z)));
        y = x, y = exp(y) / felt::sum<1>(exp(y), felt::keepdims);  // in place
        felt::run(felt::unfused, assign(z, exp(x) / felt::sum<1>(exp(x), felt::keepdims)));
        CHECK(felt::all_close(y, z, 1e-6));
    }
}

TEST_CASE("what is not shared is right too") {
    auto const x = numbers<float>({{200, 300}}), a = felt::eval(x * 2);
    felt::Tensor<float, 2> y(x.extents()), z(x.extents());
    y = exp(x) / felt::sum<1>(exp(a), felt::keepdims);
    felt::Tensor<float, 2> const ex = exp(x), ea = exp(a);
    z = ex / felt::sum<1>(ea, felt::keepdims);
    CHECK(felt::all_close(y, z, 1e-6));
    felt::Tensor<float, 2> w({20, 200});
    w = felt::normal<float>({20, 200}, 3);
    felt::Tensor<float, 2> p = matmul(w, sigmoid(x)) * felt::sum<0>(sigmoid(x));
    felt::Tensor<float, 2> const s = sigmoid(x);
    felt::Tensor<float, 2> q = matmul(w, s) * felt::sum<0>(s);
    CHECK(felt::all_close(p, q, 1e-5, 1e-3));
}

TEST_CASE("softmax of rows and of columns sums to one") {
    felt::Tensor<double, 2> x({37, 130});
    x = felt::normal<double>({37, 130}, 5) * 30;
    felt::Tensor<double, 1> const rows = felt::sum<1>(felt::softmax<1>(x));
    felt::Tensor<double, 1> const columns = felt::sum<0>(felt::softmax<0>(x));
    for (index_t i = 0; i < 37; ++i) CHECK(rows(i) == doctest::Approx(1).epsilon(1e-14));
    for (index_t j = 0; j < 130; ++j) CHECK(columns(j) == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("rows of a product, too long for scratch: their sums stay within it") {
    index_t const n = 100000;
    felt::Tensor<float, 2> a({4, 8}), b({8, n});
    a = felt::normal<float>({4, 8}, 1);
    b = felt::normal<float>({8, n}, 2);
    felt::Tensor<index_t, 1> labels({4});
    labels = index_t(7);
    felt::Tensor<float, 1> r({4});
    felt::Tensor<float, 0> loss;
    auto const row = assign(r, felt::logsumexp<1>(matmul(a, b)));
    auto const entropy = assign(loss, -felt::mean(felt::sum<1>(felt::log_softmax<1>(matmul(a, b)) *
                                                               felt::one_hot<float>(labels, n))));
    // The scores are read in two loops and more: they are computed first, which the plan says.
    CHECK(felt::explain(row).intermediates().size() == 1);
    CHECK(felt::explain(entropy).intermediates().size() == 1);
    felt::detail::counters().scratch_peak = 0;
    auto const before = felt::allocations();
    felt::run(felt::fused, row);
    auto const after = felt::allocations();
    CHECK(after.tensors == before.tensors + 1);
    CHECK(after.scratch_peak <= felt::planning::scratch_limit);
    felt::run(felt::fused, entropy);
    double total = 0;
    for (index_t i = 0; i < 4; ++i) {
        double sum = 0, label = 0;
        for (index_t j = 0; j < n; ++j) {
            double x = 0;
            for (index_t l = 0; l < 8; ++l) x += static_cast<double>(a(i, l)) * b(l, j);
            sum += std::exp(x);
            if (j == 7) label = x;
        }
        CHECK(r(i) == doctest::Approx(std::log(sum)).epsilon(1e-5));
        total += std::log(sum) - label;
    }
    CHECK(loss() == doctest::Approx(total / 4).epsilon(1e-5));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;

namespace {

// The number of threads is what it was when this ends.
struct with_threads {
    int const before = felt::threads();
    explicit with_threads(int n) { felt::threads(n); }
    with_threads(with_threads const&) = delete;
    ~with_threads() { felt::threads(before); }
};

template <class T>
bool same_bits(T const& a, T const& b) {
    auto const bytes = static_cast<std::size_t>(a.size()) * sizeof(typename T::value_type);
    if (a.size() != b.size()) return false;
    return bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0;
}

// Of an expression without axes.
template <class E>
auto values(E const& e) {
    return eval(reshape(e, {1}));
}

// What make() yields by one thread, by two, three and seven.
template <class F>
void check_same_bits(F&& make) {
    with_threads const one(1);
    auto const expected = make();
    for (int n : {2, 3, 7}) {
        felt::threads(n);
        CHECK(same_bits(make(), expected));
    }
}

}  // namespace

TEST_CASE("the number of threads is what was asked for, at least one") {
    with_threads const three(3);
    CHECK(felt::threads() == 3);
    felt::threads(0);
    CHECK(felt::threads() == 1);
}

TEST_CASE("every task runs once, and an exception comes through") {
    for (int n : {1, 4}) {
        with_threads const count(n);
        std::vector<std::atomic<int>> runs(37);
        felt::host::parallel(37, [&](long i) { ++runs[static_cast<std::size_t>(i)]; });
        for (auto const& r : runs) CHECK(r == 1);
        CHECK_THROWS_AS(felt::host::parallel(9,
                                             [](long i) {
                                                 if (i == 5) throw felt::shape_error("five");
                                             }),
                        felt::shape_error);
    }
}

TEST_CASE("the same bits for any number of threads") {
    felt::Tensor<float, 2> x({611, 530}), w({530, 150});
    x = felt::normal<float>({611, 530}, 7);
    w = felt::normal<float>({530, 150}, 8);
    check_same_bits([&] { return eval(exp(x) * x + felt::uniform<float>({611, 530}, 9)); });
    check_same_bits([&] { return eval(transpose(x) * 2 + 1); });
    check_same_bits([&] { return eval(felt::sum<0>(x)); });
    check_same_bits([&] { return eval(felt::sum<1>(x * x)); });
    check_same_bits([&] { return eval(felt::sum(x) + felt::zeros<float>({3})); });
    check_same_bits([&] { return eval(sigmoid(matmul(x, w) + 1)); });
    check_same_bits([&] { return eval(matmul(x, w)); });
    check_same_bits([&] { return eval(matmul(matmul(x, w), transpose(w))); });
    check_same_bits([&] { return eval(x - felt::mean<0>(x)); });
    check_same_bits([&] { return eval(felt::softmax<1>(x)); });
    check_same_bits([&] { return eval(felt::softmax<0>(matmul(x, w))); });
    check_same_bits([&] { return eval(felt::sum<2, 3>(windows(x, {3, 3}, {.padding = {1, 1}}))); });
    check_same_bits([&] { return eval(pad(matmul(x, w), {{1, 2}, {3, 4}})); });
    check_same_bits(
        [&] { return eval(felt::gather<0>(x, felt::cast<int>(610 - felt::iota(611))) * 2); });
}

TEST_CASE("products of few rows beside a whole task give the same bits") {
    for (index_t m : {502, 504, 505, 506, 545, 546, 770}) {
        felt::Tensor<float, 2> a({m, 300}), w({100, 300});
        a = felt::normal<float>(a.extents(), 21);
        w = felt::normal<float>(w.extents(), 22);
        INFO("rows: " << m);
        check_same_bits([&] { return eval(matmul(a, transpose(w))); });
        check_same_bits([&] { return eval(matmul(w, transpose(a))); });
    }
}

TEST_CASE("sums to one value give the same bits for any number of threads") {
    for (index_t n : {0, 1, 2047, 524288, 600011, 1048577, 3000017}) {
        felt::Tensor<float, 1> x({n});
        x = felt::normal<float>({n}, 12);
        INFO("n = " << n);
        check_same_bits([&] { return values(felt::sum(x)); });
        check_same_bits([&] { return values(felt::norm2(x)); });
        check_same_bits([&] { return values(felt::dot(x, x + 1)); });
        check_same_bits([&] { return values(felt::mean(square(x - felt::mean(x)))); });
        check_same_bits([&] { return values(felt::sum(felt::cast<double>(x) * 0.1)); });
        check_same_bits([&] { return values(felt::sum(felt::cast<int>(x * 100))); });
        check_same_bits([&] { return values(felt::any(x > 6)); });
        check_same_bits([&] { return values(felt::all(x > -6)); });
        check_same_bits([&] { return values(felt::sum(x) / (felt::norm2(x) + 1)); });
        check_same_bits([&] { return eval(x - felt::mean(x)); });
    }
}

TEST_CASE("the best value and its first position, wherever it stands") {
    index_t const n = 2000003;
    felt::Tensor<float, 1> x({n});
    for (index_t at : {index_t{0}, index_t{400000}, n - 1}) {
        for (float best : {7.f, std::nanf("")}) {
            x = 0.f;
            x(at) = best;
            x(n - 2) = best;
            index_t const expected = std::min(at, n - 2);
            check_same_bits([&] { return values(felt::max(x)); });
            check_same_bits([&] { return values(felt::min(-x)); });
            for (int threads : {1, 2, 3, 7}) {
                with_threads const count(threads);
                CHECK(index_t(felt::argmax(x)) == expected);
                CHECK(index_t(felt::argmin(-x)) == expected);
            }
        }
    }
    x = 5.f;
    for (int threads : {1, 3}) {
        with_threads const count(threads);
        CHECK(index_t(felt::argmax(x)) == 0);
        CHECK(index_t(felt::argmin(x)) == 0);
    }
}

TEST_CASE("sums over a long axis give the same bits in every layout") {
    auto const check = [](auto const& x) {
        check_same_bits([&] { return eval(felt::sum<0>(x)); });
        check_same_bits([&] { return eval(felt::sum<1>(x)); });
        check_same_bits([&] { return eval(felt::max<0>(x * 2) - felt::mean<0>(x)); });
        check_same_bits([&] { return eval(felt::argmax<0>(x)); });
        check_same_bits([&] { return eval(felt::argmin<1>(x)); });
        check_same_bits([&] { return eval(x - felt::sum<0>(x) / felt::sum(x)); });
        if (x.extent(0) < 10) check_same_bits([&] { return eval(matmul(x, transpose(x)) * 2); });
        else check_same_bits([&] { return eval(matmul(transpose(x), x)); });
    };
    for (auto const& e : {felt::extents<2>{70001, 8}, felt::extents<2>{8, 70001}}) {
        felt::Tensor<float, 2> rows(e);
        felt::Tensor<double, 2, felt::Host, felt::ColMajor> columns(e);
        rows = felt::normal<float>(rows.extents(), 13);
        columns = felt::normal<double>(columns.extents(), 14);
        check(rows);
        check(columns);
    }
}

TEST_CASE("a group of statements gives the same bits for any number of threads") {
    for (index_t n : {1, 700, 511, 4096, 20011}) {
        felt::Tensor<float, 2> x({90, n}), y({90, n}), z({90, n}), w({25, 90}), h({25, n});
        x = felt::normal<float>({90, n}, 11);
        w = felt::normal<float>({25, 90}, 12);
        INFO("n = " << n);
        check_same_bits([&] {
            felt::Tensor<float, 1> s({90});
            felt::fuse(assign(y, exp(x)), assign(s, felt::sum<1>(y)));
            return eval(y * expand_dims<1>(s));
        });
        check_same_bits([&] {
            felt::fuse(assign(y, tanh(x) - felt::mean(x)), assign(z, y * x));
            return eval(y + z);
        });
        check_same_bits([&] {
            felt::Tensor<float, 1> r({25}), error({1}), columns({n});
            felt::Tensor<float, 2> g({25, 90}), G({90, 25});
            felt::fuse(assign(h, sigmoid(matmul(w, x))), assign(r, felt::mean<1>(h)),
                       assign(columns, felt::sum<0>(h)), assign(g, matmul(h, transpose(x))),
                       assign(G, matmul(x, transpose(h)) / 3 + transpose(w)),
                       assign(slice(error, 0), felt::sum(square(h - 1)) / 2));
            return eval(g + transpose(G) + expand_dims<1>(r) + error + sum(columns));
        });
    }
}

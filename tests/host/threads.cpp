// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
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
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), bytes) == 0;
}

// What make() yields by one thread, by two, three and five.
template <class F>
void check_same_bits(F&& make) {
    with_threads const one(1);
    auto const expected = make();
    for (int n : {2, 3, 5}) {
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

TEST_CASE("a group of statements gives the same bits for any number of threads") {
    felt::Tensor<float, 2> x({300, 700}), y({300, 700});
    x = felt::normal<float>({300, 700}, 11);
    check_same_bits([&] {
        felt::Tensor<float, 1> s({300});
        felt::fuse(assign(y, exp(x)), assign(s, felt::sum<1>(y)));
        return eval(y * expand_dims<1>(s));
    });
}

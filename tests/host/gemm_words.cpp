// SPDX-License-Identifier: BSD-3-Clause
//
// Products of bfloat16 against plain loops in double precision, those of bytes against plain loops
// of integers: the same with and without instructions for them.
#include "tests/plan/asked.hpp"
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::bfloat16;
using felt::index_t;
using felt::Tensor;
using felt::transpose;
using test::first_product_of;

namespace {

using matrix = Tensor<bfloat16, 2>;

matrix drawn(index_t m, index_t n, unsigned seed) {
    matrix x({m, n});
    x = felt::normal<float>(x.extents(), seed);
    return x;
}

// The largest error of y = a b, in terms' roots.
template <class Y, class A, class B>
double worst(Y const& y, A const& a, B const& b) {
    double most = 0;
    for (index_t i = 0; i < y.extent(0); ++i) {
        for (index_t j = 0; j < y.extent(1); ++j) {
            double sum = 0;
            for (index_t k = 0; k < a.extent(1); ++k)
                sum += double(float(a(i, k))) * double(float(b(k, j)));
            double const off = std::abs(double(y(i, j)) - sum);
            most = std::isnan(off) ? off : std::max(most, off);
        }
    }
    return most / std::sqrt(double(std::max<index_t>(a.extent(1), 1)));
}

}  // namespace

TEST_CASE("products of any extents, in all orders of memory") {
    for (index_t m : {1, 2, 13, 14, 15, 40, 200}) {
        for (index_t n : {1, 15, 16, 17, 33, 100}) {
            for (index_t k : {1, 2, 7, 300, 1025}) {
                auto const a = drawn(m, k, 1), b = drawn(k, n, 2);
                matrix at({k, m}), bt({n, k});
                at = transpose(a), bt = transpose(b);
                Tensor<float, 2> y({m, n});
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                y = matmul(a, b);
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(transpose(at), b);
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(a, transpose(bt));
                CHECK(worst(y, a, b) < 1e-4);
                y = matmul(transpose(at), transpose(bt)) * 2.F;
                y = y * 0.5F;
                CHECK(worst(y, a, b) < 1e-4);
            }
        }
    }
}

TEST_CASE("pairs are multiplied where all factors are bfloat16") {
    auto const a = drawn(64, 128, 1), b = drawn(128, 96, 2);
    Tensor<float, 2> const f = a;
    Tensor<float, 2> y({64, 96});
    CHECK(first_product_of(assign(y, matmul(a, b))).multiplies_words() == FELT_BFLOAT16_DOTS);
    CHECK(first_product_of(assign(y, matmul(a, transpose(drawn(96, 128, 3))))).multiplies_words() ==
          FELT_BFLOAT16_DOTS);
    CHECK_FALSE(first_product_of(assign(y, matmul(f, b))).multiplies_words());
    CHECK_FALSE(first_product_of(assign(y, matmul(a * 2, b))).multiplies_words());
}

TEST_CASE("of batches and slices, into bfloat16, with what is not finite") {
    Tensor<bfloat16, 3> x({3, 50, 70}), w({3, 70, 40}), z({3, 50, 40});
    x = felt::normal<float>(x.extents(), 1), w = felt::normal<float>(w.extents(), 2);
    z = matmul(x, w);
    for (index_t h = 0; h < 3; ++h) {
        Tensor<float, 2> const part = felt::slice(z, h, felt::ellipsis);
        CHECK(worst(part, eval(felt::slice(x, h, felt::ellipsis)),
                    eval(felt::slice(w, h, felt::ellipsis))) < 0.05);
    }
    auto a = drawn(20, 31, 3), b = drawn(31, 30, 4);
    a(3, 30) = INFINITY, b(7, 5) = NAN;
    Tensor<float, 2> y({20, 30});
    y = matmul(a, b);
    for (index_t i = 0; i < 20; ++i)
        for (index_t j = 0; j < 30; ++j) CHECK(std::isfinite(y(i, j)) == (i != 3 && j != 5));
    Tensor<float, 2> part({10, 20});
    part = matmul(felt::slice(a, felt::range(5, 15), felt::all()),
                  felt::slice(b, felt::all(), felt::range(8, 28)));
    CHECK(worst(part, eval(felt::slice(a, felt::range(5, 15), felt::all())),
                eval(felt::slice(b, felt::all(), felt::range(8, 28)))) < 1e-4);
}

TEST_CASE("any number of threads, fused and unfused") {
    auto const a = drawn(700, 900, 1), b = drawn(900, 300, 2);
    Tensor<float, 2> one({700, 300}), two({700, 300}), unfused({700, 300});
    int const before = felt::threads();
    felt::threads(1);
    one = felt::relu(matmul(a, b));
    felt::threads(2);
    two = felt::relu(matmul(a, b));
    felt::threads(before);
    run(felt::unfused, assign(unfused, felt::relu(matmul(a, b))));
    CHECK(bool(felt::all(one == two)));
    CHECK(felt::all_close(one, unfused, 1e-4, 1e-3));
}

namespace {

template <class T, std::size_t R>
Tensor<T, R> bytes(felt::extents<R> const& e, unsigned seed) {
    Tensor<T, R> x(e);
    x = felt::cast<T>(felt::floor(felt::uniform<float>(e, seed) * 255.99f) +
                      (std::is_signed_v<T> ? -128.f : 0.f));
    return x;
}
auto wide(auto const& x) { return felt::cast<std::int32_t>(x); }

template <class A, class B>
bool exact(Tensor<std::int32_t, 2> const& y, A const& a, B const& b) {
    bool same = true;
    for (index_t i = 0; i < y.extent(0); ++i) {
        for (index_t j = 0; j < y.extent(1); ++j) {
            std::int32_t sum = 0;
            for (index_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
            same = same && y(i, j) == sum;
        }
    }
    return same;
}

template <class A, class B>
void multiply_bytes() {
    for (index_t m : {1, 2, 13, 15, 40}) {
        for (index_t n : {1, 15, 17, 33, 100}) {
            for (index_t k : {1, 2, 3, 5, 300, 1026}) {
                auto const a = bytes<A, 2>({m, k}, 1);
                auto const b = bytes<B, 2>({k, n}, 2);
                Tensor<A, 2> at({k, m});
                Tensor<B, 2> bt({n, k});
                at = transpose(a), bt = transpose(b);
                Tensor<std::int32_t, 2> y({m, n});
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                y = matmul(wide(a), wide(b));
                CHECK(exact(y, a, b));
                y = matmul(wide(transpose(at)), wide(b));
                CHECK(exact(y, a, b));
                y = matmul(wide(a), transpose(wide(bt)));
                CHECK(exact(y, a, b));
                y = matmul(transpose(wide(at)), wide(transpose(bt))) + 1;
                y = y - 1;
                CHECK(exact(y, a, b));
            }
        }
    }
}

// A convolution of bytes is that of numbers in which all sums are exact.
template <class A, class B>
void convolve_bytes(index_t channels, felt::conv_options const& o, bool last) {
    index_t const group = channels / o.groups.value;
    auto const images = bytes<A, 4>({2, 11, 9, channels}, 3);
    auto const x = felt::permute<0, 3, 1, 2>(images);
    auto const first = bytes<A, 4>({2, channels, 11, 9}, 4);
    auto const filters = bytes<B, 4>({3, 3, group, 34}, 5);
    auto const w = felt::permute<3, 2, 0, 1>(filters);
    auto const check = [&](auto const& from) {
        auto const right = eval(felt::conv2d(felt::cast<double>(from), felt::cast<double>(w), o));
        auto const e = right.extents();
        Tensor<std::int32_t, 4> y({e[0], e[2], e[3], e[1]}), z(e);
        felt::permute<0, 3, 1, 2>(y) = felt::conv2d(wide(from), wide(w), o);
        z = felt::conv2d(wide(from), wide(w), o);
        CHECK(bool(felt::all(felt::cast<double>(felt::permute<0, 3, 1, 2>(y)) == right)));
        CHECK(bool(felt::all(felt::cast<double>(z) == right)));
    };
    last ? check(x) : check(felt::permute<0, 1, 2, 3>(first));
}

}  // namespace

TEST_CASE("products of bytes, with and without signs, in all orders of memory") {
    multiply_bytes<std::uint8_t, std::int8_t>();
    multiply_bytes<std::int8_t, std::uint8_t>();
    multiply_bytes<std::int8_t, std::int8_t>();
    multiply_bytes<std::uint8_t, std::uint8_t>();
}

TEST_CASE("words are multiplied where one factor has a sign, of what holds bytes") {
    auto const a = bytes<std::uint8_t, 2>({64, 128}, 1);
    auto const b = bytes<std::int8_t, 2>({128, 96}, 2);
    Tensor<std::int32_t, 2> const c = wide(b);
    Tensor<std::int32_t, 2> y({64, 96});
    Tensor<std::int64_t, 2> z({64, 96});
    auto const is_of_words = [](auto const& s) { return first_product_of(s).multiplies_words(); };
    CHECK(is_of_words(assign(y, matmul(wide(a), wide(b)))) == FELT_BYTE_DOTS);
    auto const padded =
        felt::pad(wide(slice(a, felt::all(), felt::range(1, 127))), {{0, 0}, {1, 1}});
    CHECK(is_of_words(assign(y, matmul(felt::flip<0>(padded), wide(b)))) == FELT_BYTE_DOTS);
    auto const unsigned_ones = bytes<std::uint8_t, 2>({128, 96}, 2);
    CHECK_FALSE(is_of_words(assign(y, matmul(wide(a), wide(unsigned_ones)))));
    CHECK_FALSE(is_of_words(assign(y, matmul(wide(a) * 2, wide(b)))));
    CHECK_FALSE(is_of_words(assign(y, matmul(wide(a), c))));
    CHECK_FALSE(
        is_of_words(assign(z, matmul(felt::cast<std::int64_t>(a), felt::cast<std::int64_t>(b)))));
}

TEST_CASE("convolutions of bytes") {
    for (bool last : {true, false}) {
        for (index_t channels : {1, 2, 3, 4, 8, 30}) {
            CAPTURE(channels);
            convolve_bytes<std::uint8_t, std::int8_t>(channels, {}, last);
            convolve_bytes<std::uint8_t, std::int8_t>(channels, {.padding = {1, 1}}, last);
            convolve_bytes<std::int8_t, std::int8_t>(channels, {{2, 2}, {1, 1}}, last);
            convolve_bytes<std::int8_t, std::uint8_t>(channels, {{1, 2}, {2, 0}, {2, 1}}, last);
        }
        convolve_bytes<std::uint8_t, std::int8_t>(8, {.padding = {1, 1}, .groups = 2}, last);
    }
}

TEST_CASE("what is requantised in the same statement") {
    auto const a = bytes<std::uint8_t, 2>({70, 130}, 1);
    auto const b = bytes<std::int8_t, 2>({130, 90}, 2);
    Tensor<std::int32_t, 2> sums({70, 90});
    Tensor<std::uint8_t, 2> y({70, 90}), right({70, 90}), unfused({70, 90});
    auto const narrow = [](auto const& x) {
        return felt::cast<std::uint8_t>(
            felt::clip(felt::round(felt::cast<float>(x) * 0.01f), 0.f, 255.f));
    };
    sums = matmul(wide(a), wide(b));
    right = narrow(sums);
    y = narrow(matmul(wide(a), wide(b)));
    run(felt::unfused, assign(unfused, narrow(matmul(wide(a), wide(b)))));
    CHECK(bool(felt::all(y == right)));
    CHECK(bool(felt::all(unfused == right)));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// The same bits for any number of threads, whatever is nested in what: sums in products, products
// in sums, equal nodes that are read in other loops; boxes whose last piece has one row or two.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstring>

using felt::index_t;
using felt::keepdims;
using felt::range;
using felt::Tensor;
using matrix = Tensor<float, 2>;

namespace {

struct threads_again {
    int const before = felt::threads();
    ~threads_again() { felt::threads(before); }
};

template <class T>
T random(decltype(T{}.extents()) const& e, unsigned seed) {
    T x(e);
    x = felt::normal<float>(e, seed);
    return x;
}

template <class Layout, class E>
bool gives_same_bits(E const& e) {
    threads_again const after;
    Tensor<float, felt::rank_of<E>, felt::Host, Layout> first(e.extents()), y(e.extents());
    felt::threads(1);
    noalias(first) = e;
    for (int n : {2, 3, 5}) {
        felt::threads(n);
        y = 0.f;
        noalias(y) = e;
        auto const bytes = static_cast<std::size_t>(y.size()) * sizeof(float);
        if (std::memcmp(y.data(), first.data(), bytes) != 0) return false;
    }
    return true;
}
template <class E>
void check(char const* what, E const& e) {
    CAPTURE(what);
    CHECK(gives_same_bits<felt::RowMajor>(e));
    CHECK(gives_same_bits<felt::ColMajor>(e));
}

// Columns and rows of p beside each other, of which each reader has boxes of its own.
template <class P>
void check_slices(P const& p) {
    index_t const n = p.extents()[0], c = p.extents()[1] / 2;
    auto const part = [&](index_t i, index_t j) {
        return slice(p, range(i, n - 2 + i), range(j, c + j));
    };
    check("columns", part(0, 0) + part(0, c));
    check("rows", part(0, 0) * part(2, 0));
}

}  // namespace

TEST_CASE("products of products, and of their softmax") {
    for (index_t n : {5000, 4097, 1026, 769, 258})
        for (index_t k : {3, 64})
            for (index_t m : {2, 5, 33})
                for (index_t c : {1, 8, 40}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(m);
                    CAPTURE(c);
                    auto const g = random<matrix>({{n, k}}, 1), w = random<matrix>({{k, m}}, 2);
                    auto const x = random<matrix>({{m, 2 * c}}, 3);
                    check_slices(matmul(felt::softmax<1>(matmul(g, w) * .25f), x));
                    check_slices(matmul(tanh(matmul(g, w)), x));
                }
}

TEST_CASE("products and sums of them, of many terms") {
    for (index_t n : {4097, 514, 258})
        for (index_t k : {3, 2600})
            for (index_t m : {1, 2, 33}) {
                CAPTURE(n);
                CAPTURE(k);
                CAPTURE(m);
                auto const g = random<matrix>({{n, k}}, 1), w = random<matrix>({{k, m}}, 2);
                auto const gt = random<matrix>({{k, n}}, 3);
                auto const q = matmul(g, w), t = matmul(transpose(gt), w);
                check("centred",
                      (q - felt::mean<0>(q, keepdims)) / sqrt(felt::var<0>(q, keepdims) + 1.f));
                check("rows", q - felt::mean<1>(q, keepdims));
                check("transposed", t - felt::max<0>(t, keepdims));
                check("shares", q / felt::sum<0>(q, keepdims));
                check("both ways", q + transpose(matmul(transpose(w), transpose(g))));
                check("sums", felt::sum<0>(tanh(q)));
                check_slices(t);
            }
}

TEST_CASE("one row of 10,000 terms, read from any column on") {
    auto const a = random<matrix>({{1, 10000}}, 1), b = random<matrix>({{10000, 700}}, 2);
    auto const p = matmul(a, b);
    matrix const all = p;
    for (index_t first : {1, 7, 33}) {
        matrix const some = slice(p, felt::all(), range(first, 650)) + 0.f;
        CHECK(test::values(some) == test::values(slice(all, felt::all(), range(first, 650))));
    }
}

TEST_CASE("sums alone and nested") {
    for (index_t n : {100000, 40001})
        for (index_t m : {1, 3, 16, 60}) {
            CAPTURE(n);
            CAPTURE(m);
            auto const x = random<matrix>({{n, m}}, 1);
            check("columns", felt::sum<0>(x));
            check("rows", felt::sum<1>(x * x));
            check("centred", x - felt::mean<0>(x, keepdims));
            check("variance", felt::var<0>(x));
            check("logsumexp", felt::logsumexp<0>(x));
        }
}

TEST_CASE("convolutions, normalised, pooled, and their derivatives") {
    using images = Tensor<float, 4>;
    for (index_t h : {17, 30})
        for (index_t c : {1, 2, 16}) {
            CAPTURE(h);
            CAPTURE(c);
            auto const x = random<images>({{3, c, h, h + 1}}, 1);
            auto const f = random<images>({{2 * c, c, 3, 3}}, 2);
            felt::conv_options const o{.padding = {1, 1}};
            auto const y = conv2d(x, f, o);
            check("normalised", relu((y - felt::mean<0, 2, 3>(y, keepdims)) /
                                     sqrt(felt::var<0, 2, 3>(y, keepdims) + .1f)));
            check("pools", felt::max_pool2d(y) - felt::avg_pool2d(y));
            check("by images", conv2d_input_grad(tanh(y), f, x.extents(), o));
            check("by filters", conv2d_weight_grad(x, y * y, f.extents(), o));
        }
}

TEST_CASE("a group that reads one product in four ways") {
    threads_again const after;
    for (index_t n : {4097, 769})
        for (index_t m : {2, 33}) {
            auto const g = random<matrix>({{n, 64}}, 1), w = random<matrix>({{64, m}}, 2);
            auto const q = matmul(g, w);
            std::vector<float> first;
            for (int count : {1, 2, 3, 5}) {
                felt::threads(count);
                matrix y({n, m}), z({n, m});
                Tensor<float, 1> columns({m}), rows({n});
                felt::fuse(assign(y, tanh(q)), assign(z, q * q), assign(columns, sum<0>(q)),
                           assign(rows, sum<1>(q * q)));
                std::vector<float> all(y.data(), y.data() + y.size());
                all.insert(all.end(), z.data(), z.data() + z.size());
                all.insert(all.end(), columns.data(), columns.data() + m);
                all.insert(all.end(), rows.data(), rows.data() + n);
                if (count == 1) first = all;
                CHECK(std::memcmp(all.data(), first.data(), all.size() * sizeof(float)) == 0);
            }
        }
}

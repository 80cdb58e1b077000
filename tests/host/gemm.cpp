// SPDX-License-Identifier: BSD-3-Clause
//
// Products of operands in every order and of expressions, which are packed, against plain loops.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

// A matrix of small whole numbers whose rows or columns are contiguous, with a gap after each.
template <class T>
struct matrix {
    felt::Tensor<T, 1> memory;
    felt::View<T, 2> view;

    matrix(index_t m, index_t n, char order, index_t factor)
        : memory({(m + 3) * (n + 3)}),
          view(memory.data(), {{m, n}}, {{order == 'r' ? n + 3 : 1, order == 'r' ? 1 : m + 3}}) {
        memory = T(99);
        for (index_t i = 0; i < m; ++i) {
            for (index_t j = 0; j < n; ++j) view(i, j) = static_cast<T>((i * factor + j) % 5 - 2);
        }
    }
};

template <class T, class C>
index_t wrong(matrix<T> const& a, matrix<T> const& b, C const& c) {
    index_t count = 0;
    for (index_t i = 0; i < c.extent(0); ++i) {
        for (index_t j = 0; j < c.extent(1); ++j) {
            T total = 0;
            for (index_t p = 0; p < a.view.extent(1); ++p) {
                total = static_cast<T>(total + a.view(i, p) * b.view(p, j));
            }
            count += c(i, j) != total;
        }
    }
    return count;
}

template <class T>
void check(index_t m, index_t n, index_t k) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    for (char const* order : {"rrr", "rcr", "crr", "ccr", "rrc", "ccc"}) {
        CAPTURE(order);
        matrix<T> a(m, k, order[0], 2), b(k, n, order[1], 3), c(m, n, order[2], 1);
        c.view = felt::matmul(a.view, b.view);
        CHECK(wrong(a, b, c.view) == 0);
        CHECK(c.memory((m + 3) * (n + 3) - 1) == T(99));
    }
    matrix<T> a(m, k, 'r', 2), b(k, n, 'r', 3);
    felt::Tensor<T, 2> c({m, n});
    c = felt::matmul(-a.view, -b.view);
    CHECK(wrong(a, b, c) == 0);
    c = felt::matmul(-a.view, b.view) + felt::matmul(a.view, b.view * T(2));
    CHECK(wrong(a, b, c) == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("products in every order", T, float, double) {
    index_t const w = felt::host::tile<T>::nr, h = felt::host::tile<T>::mr;
    for (index_t m : {index_t{1}, index_t{2}, index_t{3}, h, h + 1, 3 * h - 1}) {
        for (index_t n : {index_t{1}, w - 1, w, w + 1, 3 * w + 5}) {
            for (index_t k : {1, 7, 64}) check<T>(m, n, k);
        }
    }
}

TEST_CASE("products over several pieces, chunks of columns and chunks of rows") {
    check<float>(5, 40, 2311);
    check<float>(171, 33, 1031);
    check<float>(17, 1601, 300);
    check<float>(1, 70, 5003);
    check<float>(2, 800, 4099);
    check<double>(175, 797, 259);
}

TEST_CASE("products of nothing are zero or empty") {
    check<float>(3, 4, 0);
    check<float>(0, 4, 5);
    check<float>(3, 0, 5);
}

TEST_CASE("batches of products in place") {
    felt::Tensor<double, 3> a({4, 5, 40}), b({4, 40, 37}), c({4, 5, 37});
    a = felt::uniform<double>({4, 5, 40}, 1);
    b = felt::uniform<double>({4, 40, 37}, 2);
    c = felt::matmul(a, b);
    for (index_t l = 0; l < 4; ++l) {
        for (index_t j = 0; j < 37; j += 6) {
            double total = 0;
            for (index_t p = 0; p < 40; ++p) total += a(l, index_t{3}, p) * b(l, p, j);
            CHECK(c(l, index_t{3}, j) == doctest::Approx(total));
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Operands of products as tiles read them: packed, or computed row by row, for every extent about
// those of a tile, against plain loops.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::Tensor;
using felt::host::box;
using felt::host::label_list;
using felt::planning::label_id;

namespace {

// Small whole numbers, whose sums are exact in every order.
template <class T>
Tensor<T, 2> numbers(index_t m, index_t n, index_t factor) {
    Tensor<T, 2> x({m, n});
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) x(i, j) = static_cast<T>((i * factor + j) % 5 - 2);
    }
    return x;
}

// How many elements of c differ from sum_k f(a(i, k)) g(b(k, j)).
template <class T, class F, class G>
index_t wrong(Tensor<T, 2> const& c, Tensor<T, 2> const& a, Tensor<T, 2> const& b, F f, G g) {
    index_t count = 0;
    for (index_t i = 0; i < c.extent(0); ++i) {
        for (index_t j = 0; j < c.extent(1); ++j) {
            double sum = 0;
            for (index_t k = 0; k < a.extent(1); ++k) {
                sum += f(double(a(i, k))) * g(double(b(k, j)));
            }
            count += double(c(i, j)) != sum;
        }
    }
    return count;
}

constexpr auto same = [](double x) { return x; };
constexpr auto twice = [](double x) { return 2 * x; };
constexpr auto more = [](double x) { return x * x + 1; };

template <class T>
void check(index_t m, index_t n, index_t k) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    auto const a = numbers<T>(m, k, 2), b = numbers<T>(k, n, 3);
    Tensor<T, 2> c({m, n});
    c = matmul(a, b);
    CHECK(wrong(c, a, b, same, same) == 0);
    c = matmul(a * a + T(1), b);  // the left operand is computed along its rows
    CHECK(wrong(c, a, b, more, same) == 0);
    c = matmul(a, b * T(2));
    CHECK(wrong(c, a, b, same, twice) == 0);
    Tensor<T, 2> const columns = transpose(a);
    c = matmul(transpose(columns * T(2)), b * b + T(1));  // against its rows
    CHECK(wrong(c, a, b, twice, more) == 0);
}

}  // namespace

TEST_CASE("packed and computed operands give the sums of plain loops") {
    for (index_t m : {0, 1, 5, 13}) {
        for (index_t n : {0, 1, 7, 17, 33}) {
            for (index_t k : {0, 1, 19}) {
                check<float>(m, n, k);
                check<double>(m, n, k);
            }
        }
    }
    check<float>(97, 101, 1031);  // several blocks along every axis
}

TEST_CASE("the box of an operand has one element along the labels of the other") {
    box b;
    b.rank = 3;
    for (int l = 0; l < 3; ++l) b.lo[l] = l + 1, b.hi[l] = 2 * l + 4;
    label_list const labels{{label_id(0), label_id(2)}, 2};
    CHECK(felt::host::count(b, labels) == 3 * 5);
    CHECK(felt::host::count(b, label_list{}) == 1);
    box const rest = felt::host::without(b, labels);
    CHECK(rest.extent(0) == 1);
    CHECK(rest.lo[0] == 0);
    CHECK(rest.lo[1] == 2);
    CHECK(rest.hi[1] == 6);
    CHECK(rest.extent(2) == 1);
}

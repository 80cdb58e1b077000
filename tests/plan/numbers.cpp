// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan says it moves and computes, against a count by hand.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::make_plan;
using test::nowhere;

namespace {

constexpr index_t m = 300, n = 200, k = 50, value = sizeof(float);

template <class... S>
void check(index_t flops, index_t elements, S const&... s) {
    auto const p = make_plan(s...);
    CHECK(p.flops() == flops);
    CHECK(p.bytes() == elements * value);
}

template <class... S>
index_t unfused(S const&... s) {
    return make_plan(s...).bytes_unfused() / value;
}

}  // namespace

TEST_CASE("functions of elements cost one operation each and read every leaf once") {
    auto const x = nowhere(1, {m, n}), y = nowhere(2, {m, n}), z = nowhere(5, {m, m});
    auto const row = nowhere(3, {n});
    auto const column = nowhere(4, {m, 1});
    check(2 * m * n, m * n + m * n, assign(y, x * 2 + 1));
    check(5 * m * n, m * n + n + m + m * n,
          assign(y, felt::clip((x * row + column) * 0.5f - x, -1, 1)));
    check(m * m, m * m + m * m, assign(nowhere(6, {m, m}), z + transpose(z)));
    check(100 * n, 100 * n + 100 * n,
          assign(nowhere(6, {100, n}), slice(x, felt::range(50, 150), felt::all()) * 2));
    check(m * n, m * n + m * n, assign(y, x + felt::uniform<float>({m, n}, 1)));
    check(0, m + m * n, assign(y, felt::broadcast_to(column, {m, n})));
}

TEST_CASE("a reduction costs one operation for each element that it sees") {
    auto const x = nowhere(1, {m, n});
    check(m * n + m * n, m * n + m, assign(nowhere(2, {m}), felt::sum<1>(x * x)));
    check(m * n + n, m * n + n, assign(nowhere(2, {n}), felt::mean<0>(x)));
    check(m * n, m * n + 1, assign(nowhere(2, {1}), felt::max(x)));
    check(9 * (m - 2) * (n - 2), m * n + (m - 2) * (n - 2),
          assign(nowhere(2, {m - 2, n - 2}), felt::sum<2, 3>(windows(x, {3, 3}))));
    // max, -, exp, sum and * for each element, one division for each row.
    check(5 * m * n + m, m * n + m * n, assign(nowhere(2, {m, n}), felt::softmax<1>(x)));
}

TEST_CASE("a product costs two operations for each of its terms") {
    auto const w = nowhere(1, {m, k}), x = nowhere(2, {k, n}), b = nowhere(3, {m, 1});
    auto const v = nowhere(5, {70, m}), y = nowhere(4, {m, n});
    check(2 * m * n * k, m * k + k * n + m * n, assign(y, matmul(w, x)));
    check(2 * m * n * k + 2 * m * n, m * k + k * n + m + m * n,
          assign(y, sigmoid(matmul(w, x) + b)));
    check(2 * m * n * k + m * n + 2 * 70 * n * m, m * k + k * n + 70 * m + 70 * n,
          assign(nowhere(6, {70, n}), matmul(v, relu(matmul(w, x)))));
    auto const p = nowhere(1, {7, m, k}), q = nowhere(2, {7, k, n});
    check(2 * 7 * m * n * k, 7 * (m * k + k * n + m * n),
          assign(nowhere(3, {7, m, n}), felt::einsum<"bik,bkj->bij">(p, q)));
}

TEST_CASE("what is written twice is computed once, what a group has just written is not read") {
    auto const w = nowhere(1, {m, k}), x = nowhere(2, {k, n}), h = nowhere(3, {m, n});
    index_t const product = 2 * m * n * k, read = m * k + k * n;
    check(product + 2 * m * n, read + m * n, assign(h, matmul(w, x) * sigmoid(matmul(w, x))));
    check(product + m * n + m * n, read + m * n + m, assign(h, relu(matmul(w, x))),
          assign(nowhere(4, {m}), felt::sum<1>(h)));
}

TEST_CASE("an intermediate is written and read") {
    auto const x = nowhere(1, {m, m});
    auto const s = assign(x, x + transpose(x));
    auto const p = make_plan(s);
    REQUIRE(p.intermediates().size() == 1);
    CHECK(p.intermediates()[0].bytes == m * m * value);
    CHECK(p.bytes() == 4 * m * m * value);
    CHECK_FALSE(p.fused());
}

TEST_CASE("unfused every node reads its operands and writes its value") {
    auto const x = nowhere(1, {m, n}), y = nowhere(2, {m, n}), z = nowhere(3, {m, m});
    index_t const a = m * n;
    CHECK(unfused(assign(y, x)) == 2 * a);
    CHECK(unfused(assign(y, x * 2 + 1)) == 4 * a);
    CHECK(unfused(assign(y, exp(x) + exp(x))) == 2 * a + 3 * a);
    CHECK(unfused(assign(z, z + transpose(z))) == 3 * m * m);
    CHECK(unfused(assign(nowhere(4, {m}), felt::sum<1>(x * x))) == 3 * a + a + m);
    auto const w = nowhere(5, {m, k}), u = nowhere(6, {k, n});
    CHECK(unfused(assign(y, relu(matmul(w, u)))) == m * k + k * n + a + 2 * a);
}

namespace {

// The identity, which counts how many elements pass.
struct counted {
    static inline index_t elements = 0;
    float operator()(float x) const {
        ++elements;
        return x;
    }
};

template <class D, class E>
index_t read_by(D& y, E const& e) {
    counted::elements = 0;
    y = e;
    return counted::elements;
}

}  // namespace

TEST_CASE("an operand that counts is read as often as the plan says: once") {
    felt::Tensor<float, 2> x({96, 320}), y({96, 320}), z({320, 96});
    felt::Tensor<float, 1> row({320}), column({96});
    auto const e = felt::map(counted{}, x);
    CHECK(read_by(y, e * 2 + 1) == x.size());
    CHECK(read_by(z, transpose(e) + 1) == x.size());
    CHECK(read_by(row, felt::sum<0>(e)) == x.size());
    CHECK(read_by(column, felt::max<1>(e)) == x.size());
    CHECK(read_by(y, x - felt::sum<1>(e, felt::keepdims)) == x.size());
    CHECK(read_by(y, matmul(e, felt::zeros<float>({320, 320}))) == x.size());
    // What is read to the left and to the right of a sign is read twice.
    CHECK(read_by(y, e - felt::sum<1>(e, felt::keepdims)) == 2 * x.size());
}

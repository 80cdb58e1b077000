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
    CHECK(unfused(assign(nowhere(4, {m, m}), z + transpose(z))) == 3 * m * m);
    CHECK(unfused(assign(nowhere(4, {m}), felt::sum<1>(x * x))) == 3 * a + a + m);
    auto const w = nowhere(5, {m, k}), u = nowhere(6, {k, n});
    CHECK(unfused(assign(y, relu(matmul(w, u)))) == m * k + k * n + a + 2 * a);
}

TEST_CASE("unfused too a result that is kept aside is written and read once more") {
    auto const z = nowhere(3, {m, m}), w = nowhere(4, {m, m});
    index_t const a = m * m;
    CHECK(unfused(assign(z, transpose(z))) == 2 * a + 2 * a);
    CHECK(unfused(assign(z, z + transpose(z))) == 3 * a + 2 * a);
    CHECK(unfused(assign(z, matmul(z, w))) == 3 * a + 2 * a);
    // What was computed before is not in the way, nor is the same element.
    auto const s = assign(z, matmul(exp(z), w));
    CHECK_FALSE(make_plan(s).fused());
    CHECK(unfused(s) == 2 * a + 3 * a);
    CHECK(unfused(assign(z, z * 2 + 1)) == 2 * a + 2 * a);
    CHECK(unfused(assign(z, z - felt::max<1>(z, felt::keepdims))) == a + m + a + m + a);
}

TEST_CASE("ten expressions and two more, counted by hand") {
    // x is 300 x 200: 60,000 elements, 240,000 bytes; w 300 x 50, u 50 x 200, v 70 x 300.
    auto const x = nowhere(1, {300, 200}), y = nowhere(2, {300, 200}), z = nowhere(3, {300, 300});
    auto const w = nowhere(4, {300, 50}), u = nowhere(5, {50, 200}), v = nowhere(6, {70, 300});
    auto const b = nowhere(7, {300, 1});
    auto const row = nowhere(8, {200}), r = nowhere(9, {300});
    auto const counts = [](index_t flops, index_t bytes, auto const&... s) {
        auto const p = make_plan(s...);
        CHECK(p.flops() == flops);
        CHECK(p.bytes() == bytes);
    };
    // * and + for each element; x and y.
    counts(120000, 480000, assign(y, x * 2 + 1));
    // + for each; x, 200 values of the row, y.
    counts(60000, 480800, assign(y, x + row));
    // + for each of 90,000; z once, though it is read twice, and as much is written.
    counts(90000, 720000, assign(nowhere(10, {300, 300}), z + transpose(z)));
    // * and + for each; x and 300 sums.
    counts(120000, 241200, assign(r, felt::sum<1>(x * x)));
    // + and - for each, 300 divisions; x and y.
    counts(120300, 480000, assign(y, x - felt::mean<1>(x, felt::keepdims)));
    // max, -, exp, + and * for each, 300 divisions; x and y.
    counts(300300, 480000, assign(y, felt::softmax<1>(x)));
    // 300 x 200 x 50 times * and +; 15,000 of w, 10,000 of u, 60,000 of y.
    counts(6000000, 340000, assign(y, matmul(w, u)));
    // and + and sigmoid for each element; 300 of b.
    counts(6120000, 341200, assign(y, sigmoid(matmul(w, u) + b)));
    // relu for 60,000, then 70 x 200 x 300 times * and +; w, u, 21,000 of v, 14,000 results.
    counts(14460000, 240000, assign(nowhere(10, {70, 200}), matmul(v, relu(matmul(w, u)))));
    // 9 for each of 298 x 198 = 59,004 windows; x once, and the sums.
    counts(531036, 476016, assign(nowhere(10, {298, 198}), felt::sum<2, 3>(windows(x, {3, 3}))));
    // In place: z is read and written, and so is the result that is kept aside.
    counts(90000, 1440000, assign(z, z + transpose(z)));
    // Product, relu and sum; w, u, y, 300 sums: y is read while it is fresh.
    counts(6120000, 341200, assign(y, relu(matmul(w, u))), assign(r, felt::sum<1>(y)));
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

namespace {

// The identity, which counts what it is applied to, by numbers or by batches.
template <int Which>
struct tally {
    static inline index_t elements = 0;
    float operator()(float x) const {
        ++elements;
        return x;
    }
    template <class A>
    auto operator()(xsimd::batch<float, A> const& x) const {
        elements += static_cast<index_t>(x.size);
        return x;
    }
};
using loaded = tally<0>;
using stored = tally<1>;

// Runs s, in which x is written `times` times as map(loaded{}, x), and what is stored has passed
// map(stored{}, ..). Memory that is read again counts once.
template <class S>
void check_moved(index_t times, S const& s) {
    loaded::elements = stored::elements = 0;
    auto const p = make_plan(s);
    CHECK(p.fused());
    felt::run(felt::fused, s);
    CHECK(loaded::elements % times == 0);
    CHECK((loaded::elements / times + stored::elements) * value == p.bytes());
}

}  // namespace

TEST_CASE("loads and stores that are counted are the bytes of the plan") {
    felt::Tensor<float, 2> x({512, 1024}), y({512, 1024}), z({1024, 512});
    felt::Tensor<float, 1> rows({512}), columns({1024});
    x = felt::normal<float>({512, 1024}, 1);
    auto const in = felt::map(loaded{}, x);
    auto const out = [](auto const& e) { return felt::map(stored{}, e); };
    check_moved(1, assign(y, out(in * 2 + 1)));
    check_moved(1, assign(z, out(exp(transpose(in)))));
    check_moved(1, assign(rows, out(felt::sum<1>(in))));
    check_moved(1, assign(columns, out(felt::max<0>(in) * 2)));
    check_moved(2, assign(y, out(in - felt::mean<1>(in, felt::keepdims))));
    check_moved(2, assign(y, out(in - felt::mean<0>(in))));
    // Softmax reads its operand for the maximum and for exp, the second time from cache: a block
    // is a few rows.
    auto const s = assign(y, out(felt::softmax<1>(in)));
    check_moved(2, s);
    auto const p = make_plan(s);
    CHECK(p.s.spaces[0].block[0] * p.s.spaces[0].block[1] * value <= 65536);
    felt::Tensor<float, 0> total;
    auto const sum = assign(total, felt::sum(in));
    loaded::elements = 0;
    run(felt::fused, sum);
    CHECK((loaded::elements + 1) * value == make_plan(sum).bytes());
}

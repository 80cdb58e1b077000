// SPDX-License-Identifier: BSD-3-Clause
//
// What is marked as shared is decided by types alone.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::keepdims;
using felt::sum;
using felt::Tensor;

namespace {

// How many shared nodes there are in an expression.
template <class N>
inline constexpr int marks = 0;
template <class... X>
inline constexpr int marks<felt::tuple<X...>> = (0 + ... + marks<X>);
template <felt::node N>
inline constexpr int marks<N> = marks<felt::operands_of<N>>;
template <class X>
inline constexpr int marks<felt::shared_node<X>> = 1 + marks<X>;

template <class... S>
int marked(S const&... s) {
    static_assert(sizeof...(S) > 0);
    auto const t = felt::detail::shared(s...);
    return apply([](auto const&... m) { return (0 + ... + marks<decltype(m.expression)>); }, t);
}

struct cheap {
    FELT_FN float operator()(float x) const { return x; }
};
struct expensive {
    static constexpr int cost = 12;
    FELT_FN float operator()(float x) const { return x; }
};

struct shapes {
    Tensor<float, 2> x{{8, 8}}, y{{8, 8}}, z{{8, 8}};
    Tensor<float, 1> m{{8}};
};

}  // namespace

TEST_CASE_FIXTURE(shapes,
                  "an expensive function in the loops of a statement and in those of a sum") {
    CHECK(marked(assign(y, exp(x) / sum<1>(exp(x), keepdims))) == 2);
    CHECK(marked(assign(y, sum<0>(exp(x)) + exp(x))) == 2);
    CHECK(marked(assign(y, x - sum<1>(exp(x), keepdims))) == 0);
    CHECK(marked(assign(y, exp(x) * exp(x))) == 0);
    CHECK(marked(assign(y, exp(x) + sigmoid(x))) == 0);
    CHECK(marked(assign(y, matmul(sigmoid(x), x) + sigmoid(x))) == 2);
}

TEST_CASE_FIXTURE(shapes, "expensive is what says so") {
    auto const twice = [&](auto const& e) { return assign(y, e + felt::max<1>(e, keepdims)); };
    CHECK(marked(twice(felt::map(expensive{}, x))) == 2);
    CHECK(marked(twice(felt::map(cheap{}, x))) == 0);
    CHECK(marked(twice(x * x / x)) == 0);
    CHECK(marked(twice(x / x / x / x)) == 2);
    CHECK(marked(twice(felt::uniform<float>({8, 8}, 1))) == 2);
    CHECK(marked(twice(felt::iota<float>({8, 8}))) == 0);
    CHECK(marked(twice(felt::cast<float>(exp(x) < x))) == 2);
    auto const positive = felt::cast<float>(felt::where(exp(x) < x, exp(x) < y, x < y));
    CHECK(marked(twice(positive)) == 2);  // boxes of numbers, not of conditions
}

TEST_CASE_FIXTURE(shapes, "the largest is taken, unless what it contains is shared too") {
    auto const d = sigmoid(x) * (1 - sigmoid(x));
    CHECK(marked(assign(y, d - sum<1>(d, keepdims))) == 2);
    CHECK(marked(assign(y, felt::log_softmax<1>(sigmoid(x)))) == 4);
    auto const g = exp(sigmoid(x));
    CHECK(marked(assign(y, g - sum<1>(g, keepdims) + sigmoid(x))) == 2 * 2 + 1);
}

TEST_CASE_FIXTURE(shapes, "what is marked already is left alone") {
    CHECK(marked(assign(y, felt::softmax<1>(x))) == 0);
    auto const t = felt::detail::once(exp(x));
    CHECK(marked(assign(y, t / sum<1>(t, keepdims))) == 0);
}

TEST_CASE_FIXTURE(shapes, "sums beside each other share nothing, nor do statements") {
    CHECK(marked(assign(m, sum<1>(exp(x)) / sum<1>(exp(x) * y))) == 0);
    CHECK(marked(assign(y, exp(x)), assign(z, exp(x))) == 0);
    CHECK(marked(assign(y, exp(x)), assign(m, sum<1>(exp(x)))) == 2);
}

TEST_CASE_FIXTURE(shapes, "marks change no statement's memory") {
    auto s = assign(y, exp(x) / sum<1>(exp(x), keepdims));
    s.no_alias = true;
    auto const t = felt::detail::shared(s).head;
    CHECK(t.data == s.data);
    CHECK(t.e == s.e);
    CHECK(t.stride == s.stride);
    CHECK(t.no_alias);
}

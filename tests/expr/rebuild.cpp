// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::Tensor;
using felt::with_operands;

namespace {

// Node n over its own operands is n: the same type, and the same values.
template <class N>
void check_same(N const& n) {
    auto const again = with_operands(n, n.operands());
    static_assert(std::is_same_v<decltype(again), N const>);
    CHECK(again.extents() == n.extents());
    auto const x = felt::eval(n), y = felt::eval(again);
    CHECK(bool(felt::all(x == y)));
}

struct plus {
    float by;
    FELT_FN float operator()(float x) const { return x + by; }
};

}  // namespace

TEST_CASE("a node over its own operands is itself, whatever its kind") {
    Tensor<float, 2> x({4, 6}), w({4, 4});
    x = felt::normal<float>({4, 6}, 1);
    w = felt::normal<float>({4, 4}, 2);
    auto const rows = Tensor<felt::index_t, 1>::of({2, 0});
    check_same(x + w(1, 1));
    check_same(felt::map(plus{3}, x));
    check_same(felt::permute<1, 0>(felt::exp(x)));
    check_same(felt::pad(x, {{1, 1}, {2, 0}}, 5));
    check_same(felt::reshape(felt::exp(x), {3, 8}));
    check_same(felt::concat<1>(x, w));
    check_same(felt::gather<0>(x, rows));
    check_same(felt::scatter_add<0>({5, 6}, rows, felt::slice(x, felt::range(0, 2), felt::all())));
    check_same(felt::detail::once(felt::exp(x)));
    check_same(felt::sum<1>(x));
    check_same(felt::einsum<"ij,ik->jk">(w, x));
}

TEST_CASE("new operands may be of another type") {
    auto const x = Tensor<float, 1>::of({1, 4, 9});
    auto const n = felt::as_node(x) * felt::as_node(x);
    auto const m = with_operands(n, felt::make_tuple(felt::sqrt(x), felt::scalar<float>{2}));
    Tensor<float, 1> const y = m;
    CHECK(y(0) == 2);
    CHECK(y(1) == 4);
    CHECK(y(2) == 6);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

namespace {

using felt::index_t;
using felt::Tensor;
using matrix = Tensor<float, 2>;

struct shift {
    float by;
    FELT_FN float operator()(float x) const { return x + by; }
    FELT_FN bool operator==(shift const&) const = default;
};

matrix numbers() { return matrix::of({{1, 2, 3}, {4, 5, 6}}); }

template <class E>
inline constexpr bool is_plain = std::is_trivially_copyable_v<E>;

// e holds a tensor and so is not plain; lower(e) is, and has the same extents and values.
template <class E>
void check_lowered(E const& e) {
    using L = felt::lowered<E>;
    static_assert(felt::node<L>);
    static_assert(!is_plain<E>);
    static_assert(is_plain<L>);
    static_assert(std::is_same_v<typename L::value_type, typename E::value_type>);
    static_assert(std::is_same_v<typename L::space, typename E::space>);
    static_assert(std::is_same_v<felt::lowered<L>, L>);
    L const l = felt::lower(e);
    CHECK(l.extents() == e.extents());
    auto const from_tree = felt::eval(e), from_lowered = felt::eval(l);
    CHECK(bool(felt::all(from_tree == from_lowered)));
}

}  // namespace

TEST_CASE("a tensor that was moved in becomes a view of the same memory") {
    auto const e = felt::as_node(numbers());
    auto const l = felt::lower(e);
    static_assert(std::is_same_v<decltype(l), felt::leaf<float, 2, felt::Host> const>);
    CHECK(l.data == e.keep->data());
    CHECK(l.data[4] == 5);
    CHECK(l.extents() == felt::extents<2>{2, 3});
    CHECK(l.stride == felt::extents<2>{3, 1});
    check_lowered(e);
}

TEST_CASE("what is plain already stays as it is, type and value") {
    matrix const x = numbers();
    auto const named = felt::as_node(x);
    static_assert(std::is_same_v<felt::lowered<decltype(named)>, felt::leaf<float, 2, felt::Host>>);
    CHECK(felt::lower(named).data == x.data());

    constexpr auto value = felt::lower(felt::scalar<double>{2.5});
    static_assert(value.value == 2.5);

    auto const random = felt::uniform<float>({2, 3}, 7);
    static_assert(std::is_same_v<decltype(felt::lower(random)), std::decay_t<decltype(random)>>);
    CHECK(felt::lower(random).g.seed == 7);
    CHECK(felt::lower(felt::iota<int>({4})).extents()[0] == 4);
}

TEST_CASE("values of an expression over temporaries are kept: literal ones") {
    auto const e = 2 * numbers() + felt::map(shift{0.5F}, numbers());
    matrix const y = felt::lower(e);
    CHECK(y(0, 0) == 3.5F);
    CHECK(y(1, 2) == 18.5F);
}

TEST_CASE("maps and the two views of a tree are lowered") {
    check_lowered(felt::exp(numbers()) * 2 - numbers());
    check_lowered(felt::map(shift{3}, numbers()));
    check_lowered(felt::where(numbers() > 2, numbers(), 0));
    check_lowered(felt::transpose(numbers()));
    check_lowered(felt::slice(numbers(), 1, felt::range(0, 3, 2)));
    check_lowered(felt::pad(numbers(), {{1, 0}, {0, 2}}, 7));
    check_lowered(felt::windows(numbers(), {2, 2}));
    check_lowered(felt::upsample(numbers(), {2, 3}));
    check_lowered(felt::broadcast_to(numbers(), {4, 2, 3}));
}

TEST_CASE("reshape, concat, gather and scatter_add are lowered, the indices too") {
    using list = Tensor<int, 1>;
    check_lowered(felt::reshape(numbers(), {3, 2}));
    check_lowered(felt::concat<0>(numbers(), numbers()));
    check_lowered(felt::gather<1>(numbers(), list::of({2, 0})));
    matrix const x = numbers();
    check_lowered(felt::gather<1>(x, list::of({2, 0})));
    check_lowered(felt::scatter_add<1>({2, 4}, list::of({3, 0, 3}), x));
}

TEST_CASE("reductions and contractions are lowered, with their labels") {
    check_lowered(felt::sum<0>(numbers()));
    check_lowered(felt::mean<1>(numbers(), felt::keepdims));
    check_lowered(felt::argmax<1>(numbers()));
    check_lowered(felt::any<0>(numbers() > 5));
    check_lowered(felt::matmul(numbers(), felt::transpose(numbers())));
    check_lowered(felt::einsum<"ij,kj->ki">(numbers(), numbers()));
    check_lowered(felt::outer(Tensor<float, 1>::of({1, 2}), Tensor<float, 1>::of({3, 4})));
    auto const product = felt::einsum<"ij,kj->ki">(numbers(), numbers());
    auto const l = felt::lower(product);
    for (int r = 0; r < 2; ++r) {
        CHECK(l.a_label[r] == product.a_label[r]);
        CHECK(l.b_label[r] == product.b_label[r]);
    }
}

TEST_CASE("compositions are lowered through all their levels") {
    check_lowered(felt::softmax<1>(numbers()));
    check_lowered(felt::sigmoid(felt::matmul(numbers(), felt::transpose(numbers())) - 9));
    check_lowered(felt::kron(numbers(), numbers()));
}

TEST_CASE("a lowered statement is plain, and runs into the same destination") {
    matrix y({2, 3});
    auto const s = felt::assign(y, felt::exp(numbers()));
    auto const l = felt::lower(s);
    static_assert(!is_plain<decltype(s)>);
    static_assert(is_plain<decltype(l)>);
    CHECK(l.data == y.data());
    CHECK_FALSE(l.no_alias);
    felt::run(felt::fused, l);
    CHECK(y(1, 1) == doctest::Approx(std::exp(5.0)));
}

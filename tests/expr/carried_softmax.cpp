// SPDX-License-Identifier: BSD-3-Clause
//
// Which products carry a softmax is decided by types, and by the axis that is summed over.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using namespace felt;

namespace {

template <class E>
constexpr bool is_found(E const& e) {
    return felt::detail::has_carried<std::remove_cvref_t<decltype(as_node(e))>>;
}
template <class E>
bool goes_along_terms(E const& e) {
    return felt::detail::carries_along_terms(as_node(e));
}

struct shapes {
    Tensor<float, 2> x{{6, 6}}, v{{6, 6}}, y{{6, 6}};
};

}  // namespace

TEST_CASE("a softmax is found below a product, whatever is around that and in it") {
    shapes t;
    CHECK(is_found(matmul(softmax<-1>(t.x), t.v)));
    CHECK(is_found(matmul(softmax<1>(t.x * 2.F + t.v), relu(t.v))));
    CHECK(is_found(relu(matmul(softmax<1>(matmul(t.x, t.v)), t.v)) + t.x));
    CHECK(is_found(sum<0>(matmul(softmax<1>(t.x), matmul(softmax<1>(t.v), t.v)))));
}

TEST_CASE("nothing else is") {
    shapes t;
    CHECK_FALSE(is_found(softmax<1>(t.x)));
    CHECK_FALSE(is_found(matmul(t.x, t.v)));
    CHECK_FALSE(is_found(matmul(t.x, softmax<1>(t.v))));        // the right operand
    CHECK_FALSE(is_found(matmul(softmax<1>(t.x) * 2.F, t.v)));  // not the softmax itself
    CHECK_FALSE(is_found(matmul(exp(t.x) / sum<1>(exp(t.x), keepdims), t.v)));
    CHECK_FALSE(is_found(matmul(log_softmax<1>(t.x), t.v)));
}

TEST_CASE("terms are those of the product, however they are named") {
    shapes t;
    CHECK(goes_along_terms(matmul(softmax<1>(t.x), t.v)));
    CHECK_FALSE(goes_along_terms(matmul(softmax<0>(t.x), t.v)));
    CHECK(goes_along_terms(einsum<"ik,kj->ij">(softmax<1>(t.x), t.v)));
    CHECK(goes_along_terms(einsum<"ki,kj->ij">(softmax<0>(t.x), t.v)));
    CHECK_FALSE(goes_along_terms(einsum<"ki,kj->ij">(softmax<1>(t.x), t.v)));
    auto const both = matmul(softmax<1>(t.x), t.v) + matmul(softmax<0>(t.x), t.v);
    CHECK_FALSE(goes_along_terms(both));
}

TEST_CASE("a statement writes the same results in the same place") {
    shapes t;
    auto const s = assign(t.y, matmul(softmax<1>(t.x), t.v));
    auto const c = felt::detail::carried_in(s);
    CHECK(c.data == s.data);
    CHECK(c.e == s.e);
    CHECK(c.no_alias == s.no_alias);
    CHECK(c.expression.x.head.extents() == t.x.extents());
    static_assert(!felt::detail::have_carried<std::remove_cvref_t<decltype(c)>>);
}

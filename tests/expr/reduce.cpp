// SPDX-License-Identifier: BSD-3-Clause
//
// The node and its monoids, without the loops.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/reduce.hpp>
#include <type_traits>

namespace monoid = felt::monoid;

namespace {

template <unsigned Mask>
felt::extents<felt::detail::kept_axes(3, Mask)> kept(felt::Tensor<float, 3> const& x) {
    using node = felt::leaf<float, 3, felt::Host>;
    return felt::reduce_node<monoid::sum, Mask, node>{{felt::as_node(x)}}.extents();
}

}  // namespace

TEST_CASE("a reduction has the axes that it keeps, in their order") {
    felt::Tensor<float, 3> const x({2, 3, 5});
    CHECK(kept<0b000>(x) == felt::extents<3>{{2, 3, 5}});
    CHECK(kept<0b001>(x) == felt::extents<2>{{3, 5}});
    CHECK(kept<0b010>(x) == felt::extents<2>{{2, 5}});
    CHECK(kept<0b101>(x) == felt::extents<1>{{3}});
    CHECK(kept<0b111>(x) == felt::extents<0>{});
}

TEST_CASE("axes become a mask, negative ones from the end") {
    CHECK(felt::detail::axis_mask<3, 0, -1>() == 0b101);
    CHECK(felt::detail::axis_mask<3, 1>() == 0b010);
    CHECK(felt::detail::all_axes(3) == 0b111);
    CHECK(felt::detail::all_axes(0) == 0);
}

TEST_CASE_TEMPLATE("the identity of a monoid changes nothing", M, monoid::sum, monoid::prod,
                   monoid::max, monoid::min) {
    for (int x : {-7, 0, 5}) {
        CHECK(M{}(x, M::template identity<int>()) == x);
        CHECK(M{}(M::template identity<float>(), static_cast<float>(x)) == static_cast<float>(x));
    }
}

TEST_CASE("any and all start from false and true") {
    CHECK(monoid::any::identity<unsigned char>() == 0);
    CHECK(monoid::all::identity<unsigned char>() == 1);
}

TEST_CASE("sums and products of integers and bool are index_t, positions always are") {
    CHECK(std::is_same_v<monoid::sum::result<bool>, felt::index_t>);
    CHECK(std::is_same_v<monoid::prod::result<short>, felt::index_t>);
    CHECK(std::is_same_v<monoid::sum::result<float>, float>);
    CHECK(std::is_same_v<monoid::max::result<int>, int>);
    CHECK(std::is_same_v<monoid::argmax::result<double>, felt::index_t>);
}

TEST_CASE("a position is better if its value is larger, or the first NaN") {
    double const q = test::not_a_number;
    CHECK(monoid::argmax::better(2.0, 1.0));
    CHECK_FALSE(monoid::argmax::better(1.0, 1.0));
    CHECK(monoid::argmin::better(1.0, 2.0));
    CHECK(monoid::argmax::better(q, 1.0));
    CHECK_FALSE(monoid::argmax::better(1.0, q));
    CHECK_FALSE(monoid::argmax::better(q, q));
    CHECK(monoid::argmin::better(q, 1.0));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// What parts go on into, and where their derivatives divide.
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {
struct two_layers {
    Tensor<double, 2> w{{3, 4}}, x{{4, 5}}, memory;
    Tensor<double, 1> b{{3}};

    auto layer() {
        return keep<"h">(memory, sigmoid(matmul(named<"w">(w), x) + expand_dims<1>(named<"b">(b))));
    }
};
}  // namespace

TEST_CASE("values by let come before the parts that read them") {
    Tensor<double, 1> v({3}), a;
    v = 2.0;
    auto const z = let<"z">(exp(named<"v">(v)));
    auto const p = keep<"a">(a, z * z);
    auto const found = derive::parts_in(program(p).items, tuple<>{});
    CHECK(std::string(get<0>(found).label) == "z");
    CHECK(std::string(get<1>(found).label) == "a");
    auto const again = derive::parts_in(program(z, p).items, tuple<>{});
    static_assert(std::is_same_v<decltype(found), decltype(again)>);
}

TEST_CASE("readers are names, each counted once") {
    two_layers of;
    auto const h = of.layer();
    using E = std::remove_cvref_t<decltype(h.expression())>;
    static_assert(derive::readers_of<E, tuple<>, decltype(wrt<"w", "b">())> == 2);
    static_assert(derive::readers_of<E, tuple<>, decltype(wrt<"w", "c">())> == 1);
    static_assert(derive::readers_of<E, tuple<>, decltype(wrt<"c">())> == 0);
    CHECK(h.extents() == extents<2>{{3, 5}});
}

TEST_CASE("a derivative divides below the functions of one operand") {
    two_layers of;
    auto const h = of.layer();
    Tensor<double, 2> const dy({3, 5});
    auto const at = derive::narrowed<tuple<>, decltype(wrt<"w", "b">())>(h.expression(), h.value(),
                                                                         as_node(dy));
    using At = std::remove_cvref_t<decltype(at.e)>;
    CHECK(std::string(At::function::name) == "+");
    CHECK(at.d.extents() == dy.extents());
}

TEST_CASE("products that occur again") {
    two_layers of;
    auto const w = named<"w">(of.w);
    auto const forward = exp(matmul(w, of.x));
    using F = std::remove_cvref_t<decltype(forward)>;
    static_assert(derive::repeats_product<F, decltype(forward * 2.0)>);
    static_assert(!derive::repeats_product<F, decltype(sum(w))>);
    CHECK(forward.extents()[0] == 3);
}

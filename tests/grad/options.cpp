// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

TEST_CASE("an option names the parts that it is about") {
    Tensor<double, 1> v({3});
    v = 2.0;
    auto const z = let<"z">(exp(named<"v">(v)));
    using Z = std::remove_cvref_t<decltype(z)>;
    static_assert(derive::is_inlined<Z, decltype(inlined<"a", "z">())>);
    static_assert(!derive::is_inlined<Z, decltype(inlined<"a">())>);
    static_assert(!derive::is_inlined<Z, decltype(written<"z">())>);
    static_assert(derive::is_written<Z, decltype(written<"z">())>);
    using both = wrt_names<literal_name<"w">, literal_name<"b">>;
    static_assert(std::is_same_v<decltype(wrt<"w", "b">()), both>);
    CHECK(z.extents() == v.extents());
}

TEST_CASE("in place of the value: the same derivatives, and no memory for one of them") {
    Tensor<double, 2> w({3, 4}), x({4, 5}), z, dw({3, 4}), known({3, 4});
    Tensor<double, 1> b({3}), db({3});
    Tensor<int, 1> labels({3});
    w = normal<double>(w.extents(), 1), x = normal<double>(x.extents(), 2), b = 0.5, labels = 1;
    auto const step = [&](auto& memory, auto... option) {
        auto const v = keep<"z">(z, matmul(named<"w">(w), x) + expand_dims<1>(named<"b">(b)));
        auto g = gradient(program(v), cross_entropy(v, labels), wrt<"w", "b">(), memory, option...);
        double const cost = g(fused, dw, db);
        CHECK(g.cost() == cost);
        return cost;
    };
    workspace<> one, other;
    double const cost = step(one);
    known = dw;
    CHECK(step(other, in_place<"z">()) == cost);
    CHECK(all_close(dw, known, 1e-14, 1e-15));
    CHECK(one.bytes() == other.bytes() + 15 * 8);
    CHECK(double(abs(sum(z))) < 1e-12);  // it is dz now, whose rows have the sum 0
}

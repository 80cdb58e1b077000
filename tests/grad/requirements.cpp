// SPDX-License-Identifier: BSD-3-Clause
//
// What may be differentiated; the words for what may not are in tests/reject/gradients.cpp.
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {

Tensor<double, 2> w({3, 4}), x({4, 5}), y, z;
Tensor<int, 2> counts({3, 5});
struct halve {
    auto operator()(auto v) const { return v / 2; }
};

auto first() { return keep<"y">(y, matmul(named<"w">(w), x)); }
template <class P, class J, fixed_string... Name>
concept may_be_derived = requires(P const& p, J const& j) { gradient(p, j, wrt<Name...>()); };
template <fixed_string... Name>
bool derives(auto const& p, auto const& j) {
    return may_be_derived<decltype(p), decltype(j), Name...>;
}

}  // namespace

TEST_CASE("names occur in the cost, in a part, or are parts") {
    auto const h = first();
    auto const j = sum(square(h)) + sum(named<"v">(w));
    CHECK(derives<"w">(program(h), j));
    CHECK(derives<"v", "y">(program(h), j));
    CHECK_FALSE(derives<"x">(program(h), j));
    CHECK_FALSE(derives<"w", "x">(program(h), j));
    CHECK(derives<"w", "y">(program(h), cotangent<"y">(y)));
    CHECK_FALSE(derives<"w">(program(h), cotangent<"z">(y)));
}

TEST_CASE("functions without a derivative are in the way only of what goes through them") {
    auto const h = first();
    auto const apart = sum(felt::map(halve{}, named<"v">(x))) + sum(square(h));
    CHECK(derives<"w">(program(h), apart));
    CHECK_FALSE(derives<"v">(program(h), apart));
    auto const second = keep<"z">(z, felt::map(halve{}, h));
    CHECK_FALSE(derives<"w">(program(h, second), sum(second)));
    auto const constant = keep<"z">(z, felt::map(halve{}, stop(h)));
    CHECK(derives<"w">(program(h, constant), sum(constant * h)));
}

TEST_CASE("integers and steps have none") {
    auto const h = first();
    auto const n = named<"n">(counts);
    CHECK_FALSE(derives<"n">(program(h), sum(h * n)));
    CHECK(derives<"w">(program(h), sum(h * n)));
    CHECK_FALSE(derives<"w">(program(h), sum(floor(h))));
    CHECK(derives<"w">(program(h), sum(floor(h) * h)));
}

TEST_CASE("of a scan by itself, with memory and options") {
    Tensor<double, 2> X({4, 3}), H({4, 3});
    Tensor<double, 1> h0({3}), b({3}), db({3});
    h0 = 0.0, b = 1.0, X = 1.0;
    auto const h = keep<"h">(steps(H), named<"x">(steps(X)) + named<"h0">(h0) + named<"b">(b));
    auto const loop = scan(program(h), state<"h0", "h">, series<"x">);
    auto const j = sum(named<"h">(H));
    CHECK(derives<"b", "x">(loop, j));
    CHECK_FALSE(derives<"c">(loop, j));
    workspace<> memory;
    auto step = gradient(loop, j, wrt<"b">(), memory, inlined<"h">());
    CHECK(double(step(fused, db)) == 3 * (2 + 4 + 6 + 8));
    CHECK(db(1) == 1 + 2 + 3 + 4);
}

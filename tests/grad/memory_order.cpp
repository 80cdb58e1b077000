// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;

namespace {

auto normals(index_t seed) {
    Tensor<double, 1> x({5});
    x = normal<double>({5}, static_cast<std::uint64_t>(seed));
    return x;
}
bool says(std::string const& text, char const* words) {
    return text.find(words) != std::string::npos;
}

// y = tanh(v w): the derivative by one factor reads the other.
struct product {
    Tensor<double, 1> v = normals(1), w = normals(2), y, dv{{5}}, dw{{5}};
    Tensor<double, 1> known_v{{5}}, known_w{{5}};

    auto step() {
        auto const h = keep<"y">(y, tanh(named<"v">(v) * named<"w">(w)));
        return gradient(program(h), sum(square(h)), wrt<"v", "w">());
    }
    void know() { step()(fused, known_v, known_w); }
};

}  // namespace

TEST_CASE("what is read is the value of its name, in memory that was not written since") {
    double memory[8] = {};
    auto const at = [&](index_t first, index_t n) {
        return detail::strided_memory(memory + first, extents<1>{{n}}, extents<1>{{1}}, 8);
    };
    char const a[] = "a", b[] = "b", x[] = "x";
    derive::memory_order order;
    order.reads(x, at(4, 4));
    order.keeps(a, at(0, 4), false);
    order.reads(nullptr, at(1, 6));
    order.keeps(b, at(2, 4), false);
    order.reads(nullptr, at(1, 5));
    order.begin_backward();
    order.reads(b, at(2, 4));
    CHECK_THROWS_AS(order.reads(a, at(0, 4)), error);
    CHECK_THROWS_AS(order.reads(x, at(4, 4)), error);
    CHECK_THROWS_AS(order.reads(nullptr, at(1, 6)), error);
    order.reads(nullptr, at(1, 5));  // which was read after b was written
    order.reads(x, at(0, 8));        // which the forward pass does not read
    order.overwrites(b, at(2, 4));
    CHECK_THROWS_AS(order.reads(b, at(2, 4)), error);
    order.reads(nullptr, at(3, 1));  // a part of the derivative
    order.reads(a, at(0, 2));
}

TEST_CASE("a loop reads states that it has left itself") {
    Tensor<double, 2> states({5, 3}), x({4, 3});
    Tensor<double, 1> w({3}), dw({3});
    states = 0.5, x = normal<double>(x.extents(), 1), w = 0.25;
    auto const before = named<"h0">(steps(states));
    auto const h = keep<"h">(steps(states, 1), tanh(named<"w">(w) * before + steps(x)));
    auto const layer = scan(program(h), state<"h0", "h">);
    auto step = gradient(layer, sum(named<"h">(slice(states, from(1), all()))), wrt<"w">());
    double const cost = step(fused, dw);
    w(1) += 1e-6;
    step.run_forward(fused);
    CHECK((step.cost() - cost) / 1e-6 == doctest::Approx(dw(1)).epsilon(1e-5));
}

TEST_CASE("an operand that a value is written over, whatever it is called") {
    Tensor<double, 1> x = normals(1), w = normals(2), z, dw({5});
    auto const u = named<"w">(w);
    auto const by_name = keep<"y">(x, named<"x">(x) * u);
    CHECK(message([&] { (void)gradient(program(by_name), sum(by_name), wrt<"w">()); }) ==
          "gradient: \"x\" is overwritten by \"y\" before the backward pass reads it: keep them "
          "apart");
    auto const unnamed = keep<"y">(x, x * u);
    CHECK(message([&] { (void)gradient(program(unnamed), sum(unnamed), wrt<"w">()); }) ==
          "gradient: an operand is overwritten by \"y\" before the backward pass reads it: keep "
          "them apart");
    // The derivatives of these read the value alone, or nothing.
    auto const alone = keep<"y">(x, exp(x + u));
    auto const after = keep<"z">(z, x * u);  // x, as "y" has left it
    auto const both = program(keep<"y">(x, u + 1), after);
    double const c = gradient(both, sum(after), wrt<"w">())(fused, dw);
    CHECK(double(sum(x * w)) == doctest::Approx(c));
    CHECK(all_close(dw, w + 1, 1e-15, 0));
    double const cost = gradient(program(alone), sum(alone), wrt<"w">())(fused, dw);
    CHECK(double(sum(dw)) == doctest::Approx(cost));
}

TEST_CASE("a derivative over an operand that was read for the last time before") {
    product p;
    p.know();
    auto step = p.step();
    step(fused, p.dv, p.w);  // dw reads v
    CHECK(all_close(p.w, p.known_w, 0, 0));
    CHECK(all_close(p.dv, p.known_v, 0, 0));

    product q;  // y is read before, for what goes on into both
    q.step()(fused, q.y, q.dw);
    CHECK(all_close(q.y, p.known_v, 0, 0));
    CHECK(all_close(q.dw, p.known_w, 0, 0));
}

TEST_CASE("and one that is read after that, by each way to say where") {
    product p;
    auto step = p.step();
    std::string const words = "the derivative by \"v\" is written over \"v\", which is read after";
    CHECK(says(message([&] { step(fused, p.v, p.dw); }), words.c_str()));
    CHECK(says(message([&] { step(unfused, p.v, p.dw); }), words.c_str()));
    CHECK(says(message([&] { step.run_backward(fused, p.v, p.dw); }), words.c_str()));
    CHECK(says(message([&] { (void)step.statements(p.v, p.dw); }), words.c_str()));
    step(fused, p.dv, p.dw);  // the right ones after the wrong
    CHECK(says(message([&] { step(fused, p.v, p.dw); }), words.c_str()));
}

TEST_CASE("destinations are told apart by their elements") {
    product p;
    p.know();
    auto step = p.step();
    Tensor<double, 2> both({5, 2});
    step(fused, slice(both, all(), 0), slice(both, all(), 1));
    CHECK(all_close(slice(both, all(), 0), p.known_v, 0, 0));
    CHECK(all_close(slice(both, all(), 1), p.known_w, 0, 0));
    CHECK(message([&] { step(fused, slice(both, all(), 0), slice(both, all(), 0)); }) ==
          "gradient: the derivatives by \"v\" and \"w\" are written to the same memory");
    Tensor<double, 1> nine({9});
    CHECK_THROWS_AS(step(fused, slice(nine, until(5)), slice(nine, from(4))), error);
    step(fused, flip<0>(slice(nine, until(5))), p.dw);
    CHECK(nine(4) == p.known_v(0));
}

TEST_CASE("a part of a value is lost as all of it") {
    Tensor<double, 1> v = normals(1), memory({6});
    auto const y = keep<"y">(slice(memory, until(5)), named<"v">(v) + 1);
    auto const z = keep<"z">(slice(memory, from(1)), exp(y) + square(y));
    auto const derive = [&] { (void)gradient(program(y, z), sum(z), wrt<"v">()); };
    CHECK(says(message(derive), "\"y\" is overwritten by \"z\""));
}

TEST_CASE("a derivative in the place of a value, where another lies as well") {
    Tensor<double, 1> u = normals(1), v = normals(2), memory, apart, a, du({5}), dv({5});
    auto const run_with = [&](auto& of_y, auto const& cost_of, auto... options) {
        auto const x = keep<"a">(a, named<"u">(u) * named<"v">(v));
        auto const y = keep<"y">(of_y, x * named<"v">(v) + 0.5);
        auto const z = keep<"z">(memory, sigmoid(y));
        gradient(program(x, y, z), cost_of(z), wrt<"u", "v">(), options...)(fused, du, dv);
    };
    // dy reads "z" where it is written.
    auto const by_z = [](auto const& z) { return sum(square(z)); };
    run_with(apart, by_z);
    auto const known = dv;
    run_with(memory, by_z, in_place<"y">());
    CHECK(all_close(dv, known, 1e-14, 1e-14));
    // The derivative by u reads "z" at the end.
    auto const by_both = [&](auto const& z) { return sum(square(z) * named<"u">(u)); };
    run_with(apart, by_both, in_place<"y">());
    CHECK(
        says(message([&] { run_with(memory, by_both, in_place<"y">()); }),
             "\"z\" is overwritten by the derivative by \"y\" before the backward pass reads it"));
}

TEST_CASE("destinations are looked at again where they change") {
    Tensor<double, 1> a({2}), b({2});
    auto const place = [](auto const&... x) { return derive::hash_of_places(x...); };
    CHECK(place(a, b) == place(a, b));
    CHECK(place(a, b) != place(b, a));
    CHECK(place(a) != place(slice(a, until(1))));
    CHECK(place(a) != place(flip<0>(flip<0>(flip<0>(a)))));
}

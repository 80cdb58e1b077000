// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>
#include <sstream>

using namespace felt;

namespace {

// Three convolutions with norms; w: their filters. Derivatives by z are of one size.
struct three_norms {
    index_t n;
    Tensor<double, 4> x{{n, 3, 5, 4}}, w1{{3, 3, 3, 3}}, w2{{3, 3, 3, 3}}, w3{{3, 3, 3, 3}};
    Tensor<double, 4> y1, y2, y3, dz{{n, 3, 5, 4}};
    Tensor<double, 1> g{{3}}, b{{3}};

    explicit three_norms(index_t count) : n(count) {
        std::uint64_t seed = 1;
        for (auto* t : {&x, &w1, &w2, &w3, &dz}) *t = normal<double>(t->extents(), seed++);
        g = 1.5, b = 0.25;
    }
    template <class F>
    void with_program(F const& f) {
        conv_options const o{.padding = {1, 1}};
        auto const u = keep<"y1">(y1, conv2d(x, named<"w1">(w1), o));
        auto const v = keep<"y2">(y2, conv2d(relu(batch_norm<"n1">(u, g, b)), named<"w2">(w2), o));
        auto const w = keep<"y3">(y3, conv2d(relu(batch_norm<"n2">(v, g, b)), named<"w3">(w3), o));
        auto const z = let<"z">(batch_norm<"n3">(w, g, b));
        f(program(u, v, w, z), cotangent<"z">(dz), wrt<"w1", "w2", "w3">());
    }
};

std::string text_of(auto const& g) {
    std::ostringstream out;
    out << explain(g);
    return out.str();
}

}  // namespace

TEST_CASE("derivatives that are needed one after the other share memory") {
    three_norms t(2);
    t.with_program([&](auto const& p, auto const& cost, auto by) {
        workspace<> memory;
        Tensor<double, 4> d1({3, 3, 3, 3}), d2 = d1, d3 = d1, e1 = d1, e2 = d1, e3 = d1;
        auto in_place_of_y = gradient(p, cost, by, memory, in_place<"y1", "y2", "y3">());
        // dz of n1 is written where that of n3 was read; vectors are small.
        index_t const one = t.y1.size() * static_cast<index_t>(sizeof(double));
        CHECK(memory.bytes() < 2 * one + 2000);
        CHECK(text_of(in_place_of_y).find("in the memory of") != std::string::npos);
        in_place_of_y(fused, d1, d2, d3);
        auto apart = gradient(p, cost, by);
        apart(unfused, e1, e2, e3);
        CHECK(all_close(d1, e1, 1e-12, 1e-12));
        CHECK(all_close(d2, e2, 1e-12, 1e-12));
        CHECK(all_close(d3, e3, 1e-12, 1e-12));
    });
}

TEST_CASE("a program of other extents finds its places anew") {
    workspace<> memory;
    for (index_t n : {2, 5, 0, 3}) {
        three_norms t(n);
        t.with_program([&](auto const& p, auto const& cost, auto by) {
            Tensor<double, 4> d1({3, 3, 3, 3}), d2 = d1, d3 = d1, e1 = d1, e2 = d1, e3 = d1;
            auto shared = gradient(p, cost, by, memory);
            shared(fused, d1, d2, d3);
            auto apart = gradient(p, cost, by);
            apart(fused, e1, e2, e3);
            if (n > 0) CHECK(all_close(d1, e1, 0, 0));
            if (n > 0) CHECK(all_close(d3, e3, 0, 0));
        });
    }
}

TEST_CASE("programs that run one after the other share what only their backward passes need") {
    workspace<> scratch;
    auto first = workspace<>::with(scratch), second = workspace<>::with(scratch);
    three_norms a(2), b(4);
    Tensor<double, 4> d1({3, 3, 3, 3}), d2 = d1, d3 = d1, e1 = d1, e2 = d1, e3 = d1;
    auto const derived = [&](three_norms& t, auto& memory, auto const& f) {
        t.with_program([&](auto const& p, auto const& cost, auto by) {
            auto g = gradient(p, cost, by, memory, in_place<"y1", "y2", "y3">());
            f(g);
        });
    };
    auto const step = [&] {
        derived(a, first, [](auto& g) { g.run_forward(fused); });
        derived(b, second, [](auto& g) { g.run_forward(fused); });
        derived(b, second, [&](auto& g) { g.run_backward(fused, e1, e2, e3); });
        derived(a, first, [&](auto& g) { g.run_backward(fused, d1, d2, d3); });
    };
    step();
    auto const known1 = d1, known3 = d3, known_of_b = e3;
    // Statistics are a program's own.
    CHECK(first.bytes() < 2000);
    CHECK(scratch.bytes() > b.y1.size() * static_cast<index_t>(sizeof(double)));
    auto const bytes = scratch.bytes();
    step();
    CHECK(scratch.bytes() == bytes);
    CHECK(all_close(d1, known1, 0, 0));
    CHECK(all_close(d3, known3, 0, 0));
    CHECK(all_close(e3, known_of_b, 0, 0));
    three_norms alone(2);
    workspace<> memory;
    derived(alone, memory, [&](auto& g) { g(fused, d1, d2, d3); });
    CHECK(all_close(d1, known1, 1e-13, 1e-13));
    CHECK(all_close(d3, known3, 1e-13, 1e-13));
}

TEST_CASE("addresses of nothing are told apart") {
    for (std::size_t k : {0, 1, 7, 1000}) {
        auto const at = derive::address_of_nothing(k);
        CHECK(derive::take_of_address(reinterpret_cast<void*>(at - 4096)) == std::ptrdiff_t(k));
        CHECK(derive::take_of_address(reinterpret_cast<void*>(at + 4096)) == std::ptrdiff_t(k));
    }
    int here = 0;
    CHECK(derive::take_of_address(&here) == -1);
}

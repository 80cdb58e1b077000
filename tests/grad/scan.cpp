// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;
using test::message;

namespace {

constexpr index_t batch = 3, inputs = 4, hidden = 5;

struct layer {
    index_t count;
    Tensor<double, 3> X, H;
    Tensor<double, 2> wx{{inputs, hidden}}, wh{{hidden, hidden}}, H0{{batch, hidden}};

    explicit layer(index_t t) : count(t), X({t, batch, inputs}), H({t, batch, hidden}) {
        X = normal<double>(X.extents(), 1);
        wx = 0.5 * normal<double>(wx.extents(), 2);
        wh = 0.5 * normal<double>(wh.extents(), 3);
        H0 = normal<double>(H0.extents(), 4);
    }
    auto steps_of_all() {
        auto const x = named<"x">(steps(X));
        auto const h0 = named<"h0">(H0);
        auto const h = keep<"h">(steps(H), tanh(matmul(x, wx) + matmul(h0, wh)));
        return scan(program(h), state<"h0", "h">, series<"x">);
    }
    Tensor<double, 3> by_loop() const {
        Tensor<double, 3> all(H.extents());
        Tensor<double, 2> now = H0;
        for (index_t t = 0; t != count; ++t) {
            now = eval(tanh(matmul(slice(X, t, felt::all(), felt::all()), wx) + matmul(now, wh)));
            slice(all, t, felt::all(), felt::all()) = now;
        }
        return all;
    }
};

}  // namespace

TEST_CASE("a scan is the loop over its steps") {
    for (index_t count : {1, 2, 7}) {
        layer of(count);
        auto const all = of.by_loop();
        of.steps_of_all()(fused);
        CHECK(all_close(of.H, all, 0, 1e-15));
        of.H = 0.0;
        of.steps_of_all()(unfused);
        CHECK(all_close(of.H, all, 1e-14, 1e-15));
        of.H = 0.0;
        run(fused, program(of.steps_of_all()));
        CHECK(all_close(of.H, all, 0, 1e-15));
    }
}

TEST_CASE("a state in its series, in front of what the steps leave") {
    layer of(6);
    Tensor<double, 3> all({7, batch, hidden});
    slice(all, 0, felt::all(), felt::all()) = of.H0;
    auto const x = named<"x">(steps(of.X));
    auto const h0 = named<"h0">(steps(all));
    auto const h = keep<"h">(steps(all, 1), tanh(matmul(x, of.wx) + matmul(h0, of.wh)));
    scan(program(h), state<"h0", "h">, series<"x">)(fused);
    CHECK(all_close(slice(all, range(1, 7), felt::all(), felt::all()), of.by_loop(), 0, 1e-15));
}

TEST_CASE("several states, several series, series without a name") {
    index_t const count = 9;
    Tensor<double, 2> a({count, 4}), b({count, 4}), s({count, 4}), q({count, 4});
    Tensor<double, 1> s0({4}), q0({4});
    a = normal<double>(a.extents(), 1);
    b = normal<double>(b.extents(), 2);
    s0 = 1.0, q0 = 2.0;
    auto const before = named<"s0">(s0);
    auto const before_q = named<"q0">(q0);
    auto const sum_of = keep<"s">(steps(s), before + named<"a">(steps(a)) * steps(b));
    auto const product = keep<"q">(steps(q), before_q * 0.5 + sum_of);
    scan(program(sum_of, product), state<"s0", "s">, state<"q0", "q">, series<"a">)(fused);
    Tensor<double, 1> now = s0, then = q0;
    for (index_t t = 0; t != count; ++t) {
        now = eval(now + slice(a, t, all()) * slice(b, t, all()));
        then = eval(then * 0.5 + now);
        CHECK(all_close(slice(s, t, all()), now, 1e-14, 1e-15));
        CHECK(all_close(slice(q, t, all()), then, 1e-14, 1e-15));
    }
}

TEST_CASE("all have the same number of steps, but for the series of a state, which may be longer") {
    layer of(4);
    Tensor<double, 3> other({5, batch, inputs}), shorter({3, batch, hidden});
    auto const h0 = named<"h0">(of.H0);
    auto const with = [&](auto const& x, auto& to, auto const& before) {
        auto const h = keep<"h">(steps(to), tanh(matmul(x, of.wx) + matmul(before, of.wh)));
        return message([&] { (void)scan(program(h), state<"h0", "h">); });
    };
    CHECK(with(named<"x">(steps(other)), of.H, h0) == "scan: \"x\" has 5 steps, not 4");
    CHECK(with(steps(other), of.H, h0) == "scan: \"a series\" has 5 steps, not 4");
    CHECK(with(named<"x">(steps(of.X)), of.H, named<"h0">(steps(shorter))) ==
          "scan: \"h0\" has 3 steps, not 4");
    CHECK(with(named<"x">(steps(of.X)), of.H, named<"h0">(steps(of.H))) == "nothing thrown");
    Tensor<double, 3> z({5, batch, hidden});
    auto const first = keep<"z">(steps(z), steps(of.H) * 2);
    auto const second = keep<"h">(steps(of.H), first + 1);
    CHECK(message([&] { (void)scan(program(first, second)); }) == "scan: \"h\" has 4 steps, not 5");
}

TEST_CASE("what a value does not fit into") {
    layer of(4);
    Tensor<double, 3> wrong({4, batch, 2});
    CHECK(message([&] { (void)keep<"h">(steps(wrong), matmul(steps(of.X), of.wx)); }) ==
          "assign: (3, 5) does not fit (3, 2)");
}

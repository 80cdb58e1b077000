// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::takes_batches;
using plain::array;
using test::dice;
using test::field;
using test::order;

namespace {

struct only_scalars {
    float operator()(float x, float y) const { return x > y ? x - y : y * 2; }
};
struct scalars_and_batches {
    FELT_FN auto operator()(auto x, auto y) const { return x * x + y; }
};
struct with_state {
    float slope;
    float operator()(float x) const { return slope * x; }
    bool operator==(with_state const&) const = default;
};
struct to_index {
    index_t operator()(float x) const { return static_cast<index_t>(x * 4); }
};

}  // namespace

TEST_CASE("functors that take batches are found") {
    CHECK(takes_batches<scalars_and_batches, float, float>);
    CHECK_FALSE(takes_batches<only_scalars, float, float>);
    CHECK(takes_batches<felt::op::add, int, int>);
    CHECK(takes_batches<felt::op::divide, int, int>);
    CHECK_FALSE(takes_batches<felt::op::divide, std::int64_t, std::int64_t>);
    CHECK(takes_batches<felt::op::divide, double, double>);
    CHECK(felt::runs_by_element<only_scalars, float, float>);
    CHECK_FALSE(felt::runs_by_element<felt::op::logical_and, bool, bool>);
}

TEST_CASE("a user's function of scalars, of batches, and with a state") {
    dice d(71);
    for (index_t n : {1, 2, 15, 16, 17, 67}) {
        array const x = test::whole_numbers({n}, d), y = test::whole_numbers({n}, d);
        field<float, 1> fx(x, order::steps), fy(y, order::rows), fz({n}, order::rows);
        field<index_t, 1> fi({n}, order::rows);
        auto const vx = fx.view(), vy = fy.view();
        auto check = [&](auto const& expression, auto const& f) {
            fz.view() = expression;
            array const z = fz.get();
            for (std::size_t i = 0; i < z.v.size(); ++i) {
                CHECK(z.v[i] == f(static_cast<float>(x.v[i]), static_cast<float>(y.v[i])));
            }
            CHECK(fz.guards_hold());
        };
        check(felt::map(only_scalars{}, vx, vy), only_scalars{});
        check(felt::map(scalars_and_batches{}, vx, vy), scalars_and_batches{});
        check(felt::map(with_state{3}, vx) + vy, [](float a, float b) { return 3 * a + b; });
        check(felt::map(only_scalars{}, vx, 1.f),
              [](float a, float) { return only_scalars{}(a, 1); });
        fi.view() = felt::map(to_index{}, vx * 0.5f);
        for (index_t i = 0; i < n; ++i) {
            CHECK(fi.view()(i) == static_cast<index_t>(2 * x.v[static_cast<std::size_t>(i)]));
        }
    }
}

TEST_CASE("types are mixed in one expression") {
    dice d(72);
    for (index_t n : {1, 15, 33, 130}) {
        array const x = test::whole_numbers({n}, d), y = test::whole_numbers({n}, d);
        field<int, 1> fx(x, order::flipped);
        field<float, 1> fy(y, order::rows);
        field<std::uint8_t, 1> fu({n}, order::rows);
        field<double, 1> fz({n}, order::steps);
        for (index_t i = 0; i < n; ++i) fu.view()(i) = static_cast<std::uint8_t>(200 + i % 50);
        fz.view() = (felt::cast<double>(fx.view()) + fy.view()) * fu.view();
        array const z = fz.get();
        for (std::size_t i = 0; i < z.v.size(); ++i) {
            CHECK(z.v[i] == (x.v[i] + y.v[i]) * static_cast<double>(200 + i % 50));
        }
    }
}

TEST_CASE("conditions: of one type used for another, from memory, and combined") {
    dice d(73);
    for (index_t n : {1, 7, 16, 63, 65, 200}) {
        array const x = test::whole_numbers({n}, d), y = test::whole_numbers({n}, d);
        array b(plain::shape{n});
        for (double& v : b.v) v = static_cast<double>(d.between(0, 1));
        field<float, 1> fx(x, order::rows);
        field<double, 1> fy(y, order::rows), fd({n}, order::rows);
        field<bool, 1> fb(b, order::steps), fc({n}, order::rows);
        field<std::int16_t, 1> fs({n}, order::rows);
        auto const vx = fx.view();
        auto const vy = fy.view();
        auto const vb = fb.view();
        fd.view() = where(vx > 0 && vb, vy, -1.0);
        fc.view() = !(vx == 1) || (vy < 0) != vb;
        fs.view() = where(vb, felt::full({n}, std::int16_t{7}), std::int16_t{9});
        array const z = fd.get(), c = fc.get(), s = fs.get();
        for (std::size_t i = 0; i < z.v.size(); ++i) {
            bool const bit = b.v[i] != 0;
            CHECK(z.v[i] == (x.v[i] > 0 && bit ? y.v[i] : -1));
            CHECK(c.v[i] == (!(x.v[i] == 1) || (y.v[i] < 0) != bit));
            CHECK(s.v[i] == (bit ? 7 : 9));
        }
    }
}

TEST_CASE("conditions from memory alone are combined, chosen and counted") {
    dice d(74);
    for (index_t n : {1, 7, 8, 15, 16, 17, 64, 131}) {
        array a(plain::shape{n}), b(plain::shape{n}), c(plain::shape{n});
        for (array* x : {&a, &b, &c}) {
            for (double& v : x->v) v = static_cast<double>(d.between(0, 1));
        }
        field<bool, 1> fa(a, order::rows), fb(b, order::steps), fc(c, order::flipped);
        field<bool, 1> none({n}, order::rows), differ = none, both = none, chosen = none;
        field<int, 1> count({n}, order::rows);
        field<double, 1> widened({n}, order::rows);
        auto const va = fa.view(), vb = fb.view(), vc = fc.view();
        none.view() = !va;
        differ.view() = va != vb;
        both.view() = va && (vb || vc);
        chosen.view() = where(va, vb, vc);
        count.view() = va + vb + vc;
        widened.view() = where(va, 2.0, felt::cast<double>(vb));
        for (index_t i = 0; i < n; ++i) {
            auto const at = static_cast<std::size_t>(i);
            bool const x = a.v[at] != 0, y = b.v[at] != 0, z = c.v[at] != 0;
            CHECK(none.view()(i) == !x);
            CHECK(differ.view()(i) == (x != y));
            CHECK(both.view()(i) == (x && (y || z)));
            CHECK(chosen.view()(i) == (x ? y : z));
            CHECK(count.view()(i) == int{x} + int{y} + int{z});
            CHECK(widened.view()(i) == (x ? 2 : int{y}));
        }
        CHECK(chosen.guards_hold());
    }
}

TEST_CASE("integers divide, floor and abs of them by batches") {
    auto const x =
        felt::Tensor<int, 1>::of({7, -7, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
    felt::Tensor<int, 1> const q = x / 2, a = abs(x), f = floor(x);
    for (index_t i = 0; i < x.size(); ++i) {
        CHECK(q(i) == x(i) / 2);
        CHECK(a(i) == std::abs(x(i)));
        CHECK(f(i) == x(i));
    }
}

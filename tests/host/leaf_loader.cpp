// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include "tests/differential/sums.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::host::box;
using felt::host::first;
using felt::host::leaf_loader;
using plain::array;
using plain::shape;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);

// Reads the last `count` columns of every row of b, as a loop would.
void check_reader(order o, int lane, box const& b, dice& d) {
    array const x = test::whole_numbers({9, 40}, d);
    field<float, 2> f(x, o);
    auto const v = f.view();
    felt::planning::graph g;
    index_t const extent[2] = {9, 40};
    auto const sp = g.add_space(extent, 2);
    felt::planning::schedule s(g);
    s[sp].lane = felt::planning::loop_id(lane);
    felt::host::loop_view const in(g[sp], s[sp]);
    felt::host::arena scratch;
    index_t const by_loop[felt::planning::max_axes] = {v.strides()[0], v.strides()[1]};
    leaf_loader<float> r(in, v.data(), by_loop);
    r.prepare(b, scratch);
    constexpr int N = felt::host::batch_size<float>;
    felt::planning::for_each_row(b, lane, [&](index_t const* at) {
        auto const row = r.row(at);
        for (index_t j = b.lo[lane]; j < b.hi[lane]; j += N) {
            int const n = static_cast<int>(std::min<index_t>(N, b.hi[lane] - j));
            float t[N];
            row.run<N>(j, first{n}).store(t, first{n});
            for (int k = 0; k < n; ++k) {
                shape const i = lane == 1 ? shape{at[0], j + k} : shape{j + k, at[1]};
                CHECK(t[k] == x.v[plain::position(x.e, i)]);
            }
        }
    });
}

}  // namespace

TEST_CASE("a box is read along either axis, whatever lies contiguous") {
    dice d(101);
    for (int o = 0; o < orders; ++o) {
        for (int lane : {0, 1}) {
            box b;
            b.rank = 2;
            b.lo[0] = 2;
            b.hi[0] = 9;
            b.lo[1] = 3;
            b.hi[1] = 40;
            check_reader(static_cast<order>(o), lane, b, d);
        }
    }
}

TEST_CASE("three operands and a destination in all their layouts") {
    dice d(102);
    shape const extents[] = {{19, 37}, {1, 65}, {64, 1}, {33, 16}};
    for (int i = 0; i < orders * orders * orders; ++i) {
        auto const oa = static_cast<order>(i % orders),
                   ob = static_cast<order>(i / orders % orders);
        auto const oy = static_cast<order>(i / orders / orders);
        shape const& e = extents[i % 4];
        array const a = test::whole_numbers(e, d), b = test::whole_numbers({e[1], e[0]}, d);
        array const r = test::whole_numbers({e[1]}, d);
        field<float, 2> fa(a, oa), fb(b, ob), fy(e, oy);
        field<float, 1> fr(r, order::flipped);
        fy.view() = fa.view() * transpose(fb.view()) + fr.view();
        INFO(name_of(oa) << " " << name_of(ob) << " " << name_of(oy));
        array const expected = plain::add(plain::multiply(a, plain::transpose(b)), r);
        CHECK(test::difference(fy.get(), expected, 0) == "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("three axes, broadcast and turned round") {
    dice d(103);
    for (int i = 0; i < orders * orders; ++i) {
        array const a = test::whole_numbers({3, 17, 35}, d), b = test::whole_numbers({35, 1, 3}, d);
        field<double, 3> fa(a, static_cast<order>(i % orders)), fb(b, order::rows);
        field<double, 3> fy({3, 17, 35}, static_cast<order>(i / orders));
        fy.view() = felt::flip<2>(fa.view()) - transpose(fb.view());
        array const right = plain::multiply(plain::transpose(b), array({}, -1));
        CHECK(test::difference(fy.get(), plain::add(plain::flip(a, {2}), right), 0) == "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("a large transposed operand is staged piece by piece") {
    dice d(104);
    array const x = test::whole_numbers({520, 610}, d);
    for (order o : {order::rows, order::columns, order::steps, order::flipped}) {
        field<float, 2> fx(x, order::rows), fy({610, 520}, o);
        fy.view() = transpose(fx.view()) * 2;
        CHECK(test::difference(fy.get(), plain::multiply(plain::transpose(x), array({}, 2)), 0) ==
              "");
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("a short row of several loops is repeated where all of it is asked for") {
    index_t const extent[4] = {3, 5, 4, 3};
    felt::planning::graph g;
    auto const sp = g.add_space(extent, 4);
    felt::planning::schedule s(g);
    s[sp].lane = felt::planning::loop_id(3);
    felt::host::loop_view const in(g[sp], s[sp]);
    std::vector<float> row(12);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i);
    index_t const by_loop[felt::planning::max_axes] = {0, 0, 3, 1};
    felt::host::arena scratch;
    leaf_loader<float> r(in, row.data(), by_loop);
    auto const check = [&](box const& b, bool joins) {
        r.prepare(b, scratch);
        CHECK(r.continues_row(1, 12) == joins);
        felt::planning::for_each_row(b, 3, [&](index_t const* at) {
            auto const c = r.row(at);
            for (index_t j = b.lo[3]; j < b.hi[3]; ++j)
                CHECK(c.p[j] == row[static_cast<std::size_t>(3 * at[2] + j)]);
        });
    };
    box b = felt::planning::whole_box(extent, 4);
    check(b, true);
    b.lo[1] = 2;
    check(b, true);
    b.lo[2] = 1, b.hi[0] = 2;
    check(b, false);  // rows of 9 now
    CHECK(r.continues_row(1, 9));
    b.lo[3] = 1;
    check(b, false);
    check(felt::planning::whole_box(extent, 4), true);
}

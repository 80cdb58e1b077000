// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::label_id;

namespace {

struct place_of {
    float const* data = nullptr;
    index_t neighbour = 0, term = 0;
};

// Where the operands of matmul(a, b) lie, for the box of all labels.
template <class A, class B>
std::pair<place_of, place_of> places(A const& a, B const& b) {
    auto const e = felt::matmul(a, b);
    felt::Tensor<float, 2> y(e.extents());
    auto const statement = felt::assign(y, e);  // the plan refers to it
    auto const p = felt::explain(statement);
    auto const& axes = p.s[p.g.nodes[0].product].axes;
    felt::host::scratch_scope const scope(felt::host::this_thread_arena());
    felt::host::environment env(p, felt::host::this_thread_arena());
    auto const& x = statement.expression.x;
    felt::host::bound<std::remove_cvref_t<decltype(x.head)>> left(x.head, env, 1);
    felt::host::bound<std::remove_cvref_t<decltype(x.tail.head)>> right(x.tail.head, env,
                                                                        p.g.operand(0, 1));
    auto const& in = p.g[p.g.nodes[0].inner];
    auto box = felt::planning::whole_box(in.extent, in.rank);
    using felt::host::find_in_memory;
    using felt::host::rows_of;
    auto const place = [&](felt::host::in_memory<float> const& lies, int own) -> place_of {
        if (lies.data == nullptr) return {};
        return {lies.data, lies.stride[own], lies.stride[axes.k[0]]};
    };
    return {place(find_in_memory(rows_of(left), box), axes.m[0]),
            place(find_in_memory(rows_of(right), box), axes.n[0])};
}

}  // namespace

TEST_CASE("a matrix in memory is found with its steps, whatever its order") {
    felt::Tensor<float, 2> a({3, 5}), b({5, 7});
    felt::Tensor<float, 2, felt::Host, felt::ColMajor> f({5, 7});
    auto const [left, right] = places(a, b);
    CHECK(left.data == a.data());
    CHECK(left.neighbour == 5);
    CHECK(left.term == 1);
    CHECK(right.data == b.data());
    CHECK(right.neighbour == 1);
    CHECK(right.term == 7);
    auto const columns = places(a, f).second;
    CHECK(columns.data == f.data());
    CHECK(columns.neighbour == 5);
    CHECK(columns.term == 1);
}

TEST_CASE("a slice is found where it begins") {
    felt::Tensor<float, 2> a({9, 9}), b({5, 7});
    auto const part = felt::slice(a, felt::range(2, 5), felt::range(3, 8));
    auto const left = places(part, b).first;
    CHECK(left.data == a.data() + 2 * 9 + 3);
    CHECK(left.neighbour == 9);
}

TEST_CASE("an expression does not lie in memory") {
    felt::Tensor<float, 2> a({3, 5}), b({5, 7});
    CHECK(places(a + 1, b).first.data == nullptr);
    CHECK(places(a, b * 2).second.data == nullptr);
}

TEST_CASE("labels that are evenly spaced count as one") {
    felt::planning::box b;
    b.rank = 3;
    index_t const extent[] = {4, 5, 6};
    for (int l = 0; l < 3; ++l) b.lo[l] = 1, b.hi[l] = 1 + extent[l];
    felt::planning::label_list const all_labels{{label_id(0), label_id(1), label_id(2)}, 3}, none;
    index_t const dense[] = {60, 12, 2}, apart[] = {70, 12, 2}, window[] = {60, 3, 1};
    using felt::host::evenly_spaced;
    auto const all = evenly_spaced(b, all_labels, dense);
    CHECK(all.first == 0);
    CHECK(all.length == 120);
    CHECK(all.step == 2);
    auto const two = evenly_spaced(b, all_labels, apart);
    CHECK(two.first == 1);
    CHECK(two.length == 30);
    CHECK(evenly_spaced(b, all_labels, window).length == 6);
    b.hi[1] = 2;  // an extent of one is no step
    CHECK(evenly_spaced(b, all_labels, window).length == 6);
    b.hi[2] = 2;
    CHECK(evenly_spaced(b, all_labels, window).step == 60);
    CHECK(evenly_spaced(b, none, window).length == 1);
}

TEST_CASE("shared terms are walked in the runs that both operands have") {
    felt::planning::box b;
    b.rank = 2;
    for (int l = 0; l < 2; ++l) b.lo[l] = 0, b.hi[l] = 3;
    felt::planning::label_list const labels{{label_id(0), label_id(1)}, 2};
    index_t const dense[] = {6, 2}, apart[] = {10, 1};
    felt::host::term_walk walk;
    auto const& packed = walk.over(b, labels, nullptr, nullptr);
    CHECK(packed.length == 9);
    CHECK(packed.count == 1);
    auto const& one = walk.over(b, labels, dense, nullptr);
    CHECK(one.length == 9);
    CHECK(walk.a_step == 2);
    auto const& both = walk.over(b, labels, dense, apart);
    REQUIRE(both.count == 3);
    CHECK(both.length == 3);
    CHECK(walk.a_step == 2);
    CHECK(walk.b_step == 1);
    for (index_t i = 0; i < 3; ++i) {
        CHECK(both.a[i] == 6 * i);
        CHECK(both.b[i] == 10 * i);
    }
}

TEST_CASE("strips of rows do not cross from one run to the next") {
    felt::planning::box b;
    b.rank = 2;
    b.lo[0] = b.lo[1] = 0;
    b.hi[0] = 2, b.hi[1] = 20;
    felt::planning::label_list const labels{{label_id(0), label_id(1)}, 2};
    index_t const stride[] = {30, 1}, to[] = {200, 10}, to_apart[] = {300, 10};
    felt::host::row_walk rows;
    rows.over(b, labels, stride, to, 14);
    float const x = 0;
    auto const strips = rows.strips(&x, 1);
    REQUIRE(strips.strips == 4);
    index_t const offset[] = {0, 10, 30, 40}, goes[] = {0, 100, 200, 300};
    for (int i = 0; i < 4; ++i) {
        CHECK(strips.strip[i].height == 10);
        CHECK(strips.strip[i].offset == offset[i]);
        CHECK(strips.strip[i].to == goes[i]);
    }
    CHECK(rows.step == 1);
    CHECK(rows.to_step == 10);
    index_t const dense[] = {20, 1};  // from one run into two
    rows.over(b, labels, dense, to_apart, 14);
    auto const two = rows.strips(&x, 1);
    REQUIRE(two.strips == 4);
    CHECK(two.strip[2].offset == 20);
    CHECK(two.strip[2].to == 300);
}

TEST_CASE("of terms that are not all wanted, those that are make runs of their own") {
    felt::planning::box b;
    b.rank = 2;
    b.lo[0] = 1, b.hi[0] = 4;
    b.lo[1] = 0, b.hi[1] = 3;
    felt::planning::label_list const labels{{label_id(0), label_id(1)}, 2};
    index_t const a[] = {3, 1}, right[] = {10, 1};
    felt::host::term_walk walk;
    index_t packed_by[2];
    felt::host::strides_of_packed(b, labels, 16, packed_by);
    auto const odd = [](index_t const* at) { return at[0] % 2 == 1; };
    auto const& packed = walk.some(b, b, labels, a, packed_by, 1, odd);
    REQUIRE(packed.count == 2);
    CHECK(packed.length == 3);
    CHECK(packed.a[1] == 6);
    CHECK(packed.b[1] == 2 * 3 * 16);
    CHECK(walk.a_step == 1);
    auto const& lying = walk.some(b, b, labels, a, right, 1, odd);
    REQUIRE(lying.count == 2);
    CHECK(lying.b[1] == 20);
    CHECK(walk.b_step == 1);
    CHECK(walk.some(b, b, labels, a, packed_by, 1, [](auto) { return false; }).count == 0);
}

TEST_CASE("a part of the terms begins where all of them do, and makes longer runs if it can") {
    felt::planning::box b;
    b.rank = 2;
    b.hi[0] = 4, b.hi[1] = 3;
    felt::planning::label_list const labels{{label_id(0), label_id(1)}, 2};
    index_t const a[] = {3, 1};
    felt::host::term_walk walk;
    index_t packed_by[2];
    felt::host::strides_of_packed(b, labels, 16, packed_by);
    auto const all = [](index_t const*) { return true; };
    felt::planning::box part = b;
    part.lo[0] = 1, part.hi[0] = 3;
    auto const& rows = walk.some(b, part, labels, a, packed_by, 0, all);
    REQUIRE(rows.count == 1);
    CHECK(rows.length == 6);
    CHECK(rows.a[0] == 3);
    CHECK(rows.b[0] == 3 * 16);
    part.lo[1] = 1;
    auto const& pieces = walk.some(b, part, labels, a, packed_by, 0, all);
    REQUIRE(pieces.count == 2);
    CHECK(pieces.length == 2);
    CHECK(pieces.a[1] == 7);
    CHECK(pieces.b[1] == 7 * 16);
    CHECK(walk.b_step == 16);
    part.hi[0] = 1;
    CHECK(walk.some(b, part, labels, a, packed_by, 0, all).count == 0);
}

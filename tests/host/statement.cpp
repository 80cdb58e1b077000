// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using namespace felt::host;
using felt::index_t;
using felt::Tensor;

namespace {

// Binds the only statement of s and hands it to f.
template <class S, class F>
void with_bound(S const& s, F&& f) {
    plan const p = felt::planning::make_plan(s);
    arena scratch, room;
    environment env(p, scratch);
    erased_statement const erased = erase(s);
    bound_statement* const bound = erased.bind(erased.self, env, 0, room.take<char>(erased.bytes));
    f(*bound, p);
    bound->destroy();
}

target memory_of(plan const& p, void* data) {
    target to{data, {}};
    auto const& written = p.g.statements[0];
    std::copy(written.by_loop, written.by_loop + written.rank, to.stride);
    return to;
}

}  // namespace

TEST_CASE("a bound statement stores a part of its loops, and nothing else") {
    auto const x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}}), y = x;
    Tensor<float, 2> z({2, 3});
    with_bound(felt::assign(z, x * y), [&](bound_statement& r, plan const& p) {
        box part = felt::planning::whole_box(p.g.spaces[0].extent, p.g.spaces[0].rank);
        part.lo[0] = part.hi[0] - 1;
        r.store(part, memory_of(p, z.data()));
    });
    CHECK(z(1, 2) == 36);
    CHECK(z(0, 0) == 0);
}

TEST_CASE("a product at the root goes straight to memory of contiguous columns") {
    auto const a = Tensor<double, 2>::of({{1, 2}, {3, 4}});
    Tensor<double, 2> c({2, 2});
    with_bound(felt::assign(c, matmul(a, a)), [&](bound_statement& r, plan const& p) {
        r.store(felt::planning::whole_box(p.g.spaces[0].extent, 2), memory_of(p, c.data()));
    });
    CHECK(c(0, 0) == 7);
    CHECK(c(1, 0) == 15);
    CHECK(c(1, 1) == 22);
    with_bound(felt::assign(c, matmul(a, a) + 1), [&](bound_statement& r, plan const& p) {
        r.store(felt::planning::whole_box(p.g.spaces[0].extent, 2), memory_of(p, c.data()));
    });
    CHECK(c(0, 1) == 11);
}

TEST_CASE("an index outside is found before anything is written") {
    auto const x = Tensor<float, 1>::of({1, 2, 3});
    auto const i = Tensor<int, 1>::of({0, 3});
    Tensor<float, 1> y({2});
    auto const wrong = felt::assign(y, felt::gather<0>(x, i));
    erased_statement const erased = erase(wrong);
    CHECK_THROWS_AS(erased.check(erased.self), felt::shape_error);
    auto const inside = Tensor<int, 1>::of({2, 0});
    auto const right = felt::assign(y, felt::gather<0>(x, inside));
    CHECK_NOTHROW(erase(right).check(&right));
}

TEST_CASE("elements are copied by the type of the statement") {
    auto const x = Tensor<short, 1>::of({1, 2, 3});
    Tensor<short, 1> y({3});
    short from[] = {7, 8, 9}, to[] = {0, 0, 0};
    box const b = felt::planning::whole_box(x.extents().value, 1);
    with_bound(felt::assign(y, x * x),
               [&](bound_statement& r, plan const&) { r.copy({to, {1}}, {from, {1}}, b); });
    CHECK(to[0] == 7);
    CHECK(to[2] == 9);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {
Tensor<double, 2> w({3, 4}), v({4, 5}), x({2, 3}), y, z;

auto first() { return keep<"y">(y, matmul(x, named<"w">(w))); }
auto second() { return keep<"z">(z, matmul(tanh(first()), named<"v">(v))); }
struct counting {
    int* runs;
};
template <class... S>
void run(counting c, S const&...) {
    ++*c.runs;
}

using parts = tuple<decltype(first()), decltype(second())>;
template <fixed_string Name>
using name = literal_name<Name>;
}  // namespace

TEST_CASE("a derivative is complete when no earlier part adds to it") {
    static_assert(derive::is_complete<name<"v">, 1, parts>);
    static_assert(!derive::is_complete<name<"v">, 2, parts>);
    static_assert(!derive::is_complete<name<"w">, 1, parts>);
    CHECK(derive::is_complete<name<"w">, 0, parts>);
}

TEST_CASE("what reads a value is found, where it was lost before") {
    auto const d = as_node(named<"y">(w) * 2);
    using D = std::remove_const_t<decltype(d)>;
    using lost = derive::overwritten<name<"y">>;
    static_assert(derive::reads_overwritten<lost, D>);
    static_assert(!derive::reads_overwritten<D, lost>);
    static_assert(!derive::reads_overwritten<derive::overwritten<name<"z">>, D>);
    CHECK(derive::reads_name<name<"y">, D>);
}

TEST_CASE("weights whose derivative reads a value are asked for before that is lost") {
    w = normal<double>(w.extents(), 1), v = normal<double>(v.extents(), 2);
    x = normal<double>(x.extents(), 3);
    Tensor<double, 2> dw({3, 4}), dv({4, 5}), kw({3, 4}), kv({4, 5});
    auto const one = first();
    auto const two = keep<"z">(z, matmul(tanh(one), named<"v">(v)));
    auto const cost = sum(square(two));
    gradient(program(one, two), cost, wrt<"w", "v">())(fused, kw, kv);
    auto step = gradient(program(one, two), cost, wrt<"w", "v">(), in_place<"y">());
    step(fused, dw, dv);
    CHECK(all_close(dw, kw, 1e-13, 1e-14));
    CHECK(all_close(dv, kv, 1e-13, 1e-14));
    step.run_forward(fused);
    step.run_backward(fused, dw, dv);
    CHECK(all_close(dv, kv, 1e-13, 1e-14));
    CHECK(step.with_statements([](auto const&... s) { return sizeof...(s); }, dw, dv) == 7);
}

TEST_CASE("a derivative that is in memory where it is wanted is not copied") {
    Tensor<double, 2> x({3, 4}), y, dy({3, 4}), dx({3, 4});
    x = 1.0, dy = normal<double>(x.extents(), 2);
    auto const sum_of = keep<"y">(y, named<"x">(x) + 1.0);
    auto step = gradient(program(sum_of), cotangent<"y">(dy), wrt<"x">());
    step(fused, dx);
    CHECK(all_close(dx, dy, 0, 0));
    int runs = 0;
    step.run_backward(counting{&runs}, dx);
    CHECK(runs == 1);
    step.run_backward(counting{&runs}, dy);
    CHECK(runs == 1);
}

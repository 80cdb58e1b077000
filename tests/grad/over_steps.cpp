// SPDX-License-Identifier: BSD-3-Clause
//
// Every kind of expression that a cell may be made of: over all steps it is what it is at each.
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {

constexpr index_t T = 4, N = 3, H = 6;

struct cell {
    Tensor<double, 3> X{{T, N, H}}, out{{T, N, H}};
    Tensor<double, 2> W{{H, H}}, v{{T, H}}, h0{{N, H}};
    Tensor<double, 1> b{{H}}, s{{T}};
    Tensor<int, 2> index{{T, N}};

    cell() {
        X = normal<double>(X.extents(), 1);
        W = normal<double>(W.extents(), 2);
        b = normal<double>(b.extents(), 3);
        v = normal<double>(v.extents(), 4);
        s = normal<double>(s.extents(), 5);
        h0 = normal<double>(h0.extents(), 6);
        out = normal<double>(out.extents(), 7);
        index = cast<int>(uniform<double>(index.extents(), 8) * double(H));
    }
    auto x() const { return named<"x">(steps(X)); }
    auto before() const { return named<"h0">(h0); }
};

// e of all steps beside e at each; rows of `before` are h0, and then those that the steps leave.
template <class E>
bool alike(cell& of, E const& e) {
    auto const h = keep<"h">(steps(of.out), of.x() + of.before());
    auto const items = felt::make_tuple(h);
    using item = std::remove_const_t<decltype(h)>;
    using names = state_names<literal_name<"h0">, literal_name<"h">>;
    derive::scan_states<tuple<names>, tuple<item>> const states{items};
    auto const n = as_node(e);
    auto const all = eval(derive::over_steps<std::remove_const_t<decltype(states)>>{states, T}(n));
    for (index_t t = 0; t != T; ++t) {
        auto const now = eval(derive::at_step(n, states, t));
        Tensor<int, 1> const place = Tensor<int, 1>::of({int(t)});
        auto const row = eval(gather<0>(all, place));
        auto const flat = [](auto const& y) { return eval(flatten(y)); };
        if (!all_close(flat(row), flat(now), 1e-13, 1e-14)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("maps, whose operands have fewer axes or are the same at all steps") {
    cell of;
    auto const x = of.x();
    CHECK(alike(of, tanh(x) * 2 + of.b));
    CHECK(alike(of, x + steps(of.v)));
    CHECK(alike(of, x * steps(of.s)));
    CHECK(alike(of, x + expand_dims<1>(sum<1>(x))));
    CHECK(alike(of, let<"z">(x + 1) * stop(x)));
    CHECK(alike(of, x + felt::detail::once(exp(x))));
}
TEST_CASE("states") {
    cell of;
    CHECK(alike(of, of.x() + of.before()));
    CHECK(alike(of, matmul(of.before(), of.W) + matmul(of.x(), of.W)));
    CHECK(alike(of, sum<0>(of.before()) + of.b));
}
TEST_CASE("products of which one side has steps, or both") {
    cell of;
    auto const x = of.x();
    CHECK(alike(of, matmul(x, of.W)));
    CHECK(alike(of, matmul(transpose(of.W), transpose(x))));
    CHECK(alike(of, matmul(x, transpose(tanh(x)))));
    CHECK(alike(of, einsum<"nh,nh->n">(x, x)));
    CHECK(alike(of, einsum<"nh,h->">(x, of.b)));
}
TEST_CASE("reductions") {
    cell of;
    auto const x = of.x();
    CHECK(alike(of, sum<0>(x)));
    CHECK(alike(of, max<1>(x, keepdims) - x));
    CHECK(alike(of, mean(x) * x));
}
TEST_CASE("views") {
    cell of;
    auto const x = of.x();
    CHECK(alike(of, transpose(x)));
    CHECK(alike(of, slice(x, all(), range(1, 4)) * 2));
    CHECK(alike(of, slice(x, 1, all())));
    CHECK(alike(of, pad(x, {{1, 0}, {0, 2}})));
    CHECK(alike(of, flip<1>(x)));
    CHECK(alike(of, roll<0>(x, 1)));
    CHECK(alike(of, reshape(x, {2, N * H / 2})));
    CHECK(alike(of, concat<1>(x, of.h0)));
    CHECK(alike(of, concat<0>(of.h0, x)));
    CHECK(alike(of, along<1>(slice(x, 0, all())) + x));
    auto const [a, b] = split<1, 2>(x);
    CHECK(alike(of, a * b));
    CHECK(alike(of, gather<0>(of.W, steps(of.index))));
}
TEST_CASE("compositions") {
    cell of;
    auto const x = of.x();
    CHECK(alike(of, softmax<1>(x)));
    CHECK(alike(of, (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + 1e-5)));
    CHECK(alike(of, logsumexp<0>(x)));
}

// SPDX-License-Identifier: BSD-3-Clause
//
// What stands for something else is that for the engine.
#include <doctest/doctest.h>
#include <felt/grad.hpp>
#include <sstream>

using namespace felt;

namespace {
template <class E>
std::string explained(Tensor<float, 2>& y, E const& e) {
    std::ostringstream out;
    out << explain(assign(y, e));
    return out.str();
}
Tensor<float, 2> values(extent_arg const (&e)[2], std::uint64_t seed) {
    Tensor<float, 2> x(e);
    x = normal<float>(x.extents(), seed);
    return x;
}
}  // namespace

TEST_CASE("a statement has the type of the one without names") {
    auto const x = values({4, 5}, 1), w = values({3, 4}, 2);
    Tensor<float, 1> const b = iota<float>({3});
    Tensor<float, 2> y({3, 5}), z({3, 5});
    auto const plainly = assign(y, tanh(matmul(w, x) + expand_dims<1>(b)));
    auto const v = named<"w">(w);
    auto const c = named<"b">(b);
    auto const by_name = assign(z, tanh(matmul(v, x) + expand_dims<1>(c)));
    static_assert(std::is_same_v<decltype(plainly), decltype(by_name)>);
    fuse(plainly);
    fuse(by_name);
    CHECK(all_close(y, z, 0, 0));
    CHECK(explained(y, tanh(matmul(v, x) + expand_dims<1>(c))) ==
          explained(y, tanh(matmul(w, x) + expand_dims<1>(b))));
}

TEST_CASE("views of what has a name are views of memory") {
    auto const x = values({4, 6}, 3);
    auto const n = named<"x">(x);
    Tensor<float, 2> y({3, 4});
    auto const plainly = assign(y, transpose(slice(x, all(), range(1, 4))) * 2);
    auto const by_name = assign(y, transpose(slice(n, all(), range(1, 4))) * 2);
    static_assert(std::is_same_v<decltype(plainly), decltype(by_name)>);
    fuse(by_name);
    CHECK(y(2, 1) == x(1, 3) * 2);
}

TEST_CASE("values by let, and what is stopped, are what they are of") {
    auto const x = values({4, 6}, 4);
    Tensor<float, 2> y({4, 6});
    auto const z = let<"z">(exp(x));
    auto const named_once = assign(y, z * stop(z + 1));
    using plainly = decltype(assign(y, exp(x) * (exp(x) + 1)));
    static_assert(std::is_same_v<decltype(named_once), plainly const>);
    fuse(named_once);
    CHECK(y(3, 2) == doctest::Approx(std::exp(x(3, 2)) * (std::exp(x(3, 2)) + 1)));
    float const one = sum(let<"s">(x * 0 + 1)) / 24;
    CHECK(one == 1);
}

TEST_CASE("types say where axes were put in") {
    auto const x = values({4, 6}, 5);
    auto const n = named<"x">(x);
    auto const put = expand_dims<1>(n);
    CHECK(put.extents() == extents<3>{{4, 1, 6}});
    CHECK(sum<1>(n, keepdims).extents() == extents<2>{{4, 1}});
    static_assert(derive::unit_axes<std::remove_cvref_t<decltype(put)>> == 2U);
}

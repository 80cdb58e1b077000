// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/tensor/tensor.hpp>
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

using felt::index_t;
using felt::Tensor;
using test::message;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("a tensor is filled with zeros unless it is uninitialized") {
    CHECK(values(Tensor<float, 2>({2, 3})) == plain{{2, 3}, {0, 0, 0, 0, 0, 0}});
    Tensor<float, 2> const x({2, 3}, felt::uninitialized);
    CHECK(x.extents() == felt::extents<2>{{2, 3}});
    CHECK(x.extent(1) == 3);
    CHECK(x.size() == 6);
}

TEST_CASE("constructors take extents only, from any mix of integer types") {
    std::size_t const n = 3;
    CHECK(values(Tensor<float, 1>({n})) == plain{{3}, {0, 0, 0}});
    CHECK(Tensor<int, 3>({n, 2, std::uint8_t{1}}).extents() == felt::extents<3>{{3, 2, 1}});
    Tensor<float, 2> const x({2, 3});
    CHECK(Tensor<double, 2>(x.extents()).extents() == x.extents());
    CHECK(Tensor<double, 2>(x.extents(), felt::uninitialized).size() == 6);
}

TEST_CASE("a negative extent is an error") {
    index_t const volatile n = -3;  // a constant would be a warning
    CHECK(message([&] { Tensor<float, 2>({2, n}); }) == "Tensor: negative extent in (2, -3)");
    CHECK_THROWS_AS((Tensor<float, 2>({n, n}, felt::uninitialized)), felt::shape_error);
}

TEST_CASE("a default-constructed tensor is empty; one of rank 0 holds a zero") {
    CHECK(Tensor<float, 2>().size() == 0);
    Tensor<float, 0> loss;
    CHECK(loss.size() == 1);
    CHECK(loss() == 0);
    loss = 2.5f;
    CHECK(loss() == 2.5f);
    loss() = 3;
    loss *= 2;
    CHECK(loss() == 6);
}

TEST_CASE("elements are where the layout puts them") {
    auto const a = numbered<Tensor<int, 4>>({2, 3, 4, 5});
    auto const b = numbered<Tensor<int, 4, felt::Host, felt::ColMajor>>({2, 3, 4, 5});
    auto const c = numbered<Tensor<int, 4, felt::Host, felt::ChannelsLast>>({2, 3, 4, 5});
    CHECK(a(1, 2, 3, 4) == b(1, 2, 3, 4));
    CHECK(a(1, 2, 3, 4) == c(1, 2, 3, 4));
    CHECK(&b(1, 0, 0, 0) == b.data() + 1);
    CHECK(&c(0, 1, 0, 0) == c.data() + 1);
    CHECK(values(a) == values(b));
    CHECK(values(a) == values(c));
}

TEST_CASE("element access outside throws where it is checked") {
    Tensor<float, 2> const x({2, 3});
    if (FELT_CHECKED) {
        CHECK(message([&] { x(2, 0); }) == "element access: index (2, 0) in (2, 3)");
        CHECK_THROWS_AS(x(0, -1), felt::shape_error);
    }
}

TEST_CASE("a copy has elements of its own") {
    auto a = Tensor<int, 1>::of({1, 2, 3});
    auto b = a;
    b(0) = 10;
    CHECK(a(0) == 1);
    Tensor<int, 1> c({3});
    int* const where = c.data();
    c = b;
    CHECK(c.data() == where);
    CHECK(values(c) == plain{{3}, {10, 2, 3}});
    auto const& same = c;
    c = same;
    CHECK(values(c) == plain{{3}, {10, 2, 3}});
}

TEST_CASE("a tensor moves with its memory and leaves an empty one behind") {
    auto a = Tensor<int, 1>::of({1, 2, 3});
    int* const where = a.data();
    auto b = std::move(a);
    CHECK(b.data() == where);
    CHECK(a.size() == 0);
    a = b;
    CHECK(values(a) == plain{{3}, {1, 2, 3}});
    Tensor<int, 1> c;
    c = std::move(b);
    CHECK(c.data() == where);
    std::swap(a, c);
    CHECK(a.data() == where);
}

TEST_CASE("a tensor of rank 0 can be used after it has moved") {
    Tensor<float, 0> a;
    a = 5.f;
    Tensor<float, 0> b = std::move(a);
    CHECK(b() == 5);
    a = 6.f;
    CHECK(a() == 6);
    Tensor<float, 0> c = std::move(a) * 2;
    CHECK(c() == 12);
    a = 7.f;
    CHECK(a() == 7);
}

TEST_CASE("a tensor keeps its extents: other ones are an error, also of a tensor that moves") {
    auto y = Tensor<float, 2>::of({{1, 2}, {3, 4}});
    Tensor<float, 2> x({2, 3});
    CHECK(message([&] { y = x; }) == "assign: (2, 3) does not fit (2, 2)");
    CHECK(message([&] { y = std::move(x); }) == "assign: (2, 3) does not fit (2, 2)");
    CHECK(x.size() == 6);
    CHECK(values(y) == plain{{2, 2}, {1, 2, 3, 4}});
    y = Tensor<float, 2>::of({{5, 6}, {7, 8}});
    CHECK(values(y) == plain{{2, 2}, {5, 6, 7, 8}});
}

TEST_CASE("an empty tensor takes the extents of what it is assigned") {
    Tensor<float, 2> y;
    y = Tensor<float, 2, felt::Host, felt::ColMajor>::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(values(y) == plain{{2, 3}, {1, 2, 3, 4, 5, 6}});
    Tensor<double, 2> const wide = y;
    CHECK(values(wide) == values(y));
}

TEST_CASE("tensors of different shapes live in a vector") {
    std::vector<Tensor<float, 1>> all;
    for (index_t n = 0; n < 20; ++n) all.push_back(numbered<Tensor<float, 1>>({n}));
    for (index_t n = 0; n < 20; ++n) {
        CHECK(values(all[static_cast<std::size_t>(n)]) ==
              test::computed({n}, [](index_t const* i) { return test::number(*i); }));
    }
}

namespace {

// Rows of a length that is a multiple of 16, whatever the extents are.
struct padded {
    static felt::extents<2> strides(felt::extents<2> const& e) {
        return {{(e[1] + 15) / 16 * 16, 1}};
    }
    static felt::index_t required_span_size(felt::extents<2> const& e) {
        return e[0] * strides(e)[0];
    }
};
using gappy = Tensor<float, 2, felt::Host, padded>;

}  // namespace

TEST_CASE("a tensor whose layout leaves gaps is a tensor like any other") {
    Tensor<float, 2> rows({37, 53});
    rows = reshape(felt::iota<float>(37 * 53), {37, 53});
    gappy x({37, 53});
    CHECK(x.span_size() == 37 * 64);
    CHECK(x.size() == 37 * 53);
    x = rows;
    CHECK(x(36, 52) == 37 * 53 - 1);
    gappy copy = x, moved = std::move(copy), other({37, 53}), empty;
    other = x * 2;
    std::swap(moved, other);
    empty = x + moved;
    CHECK(felt::all_close(empty, 3 * rows));
    CHECK(felt::all_close(other, rows));
    other = gappy(x) + 1;  // a temporary that the expression owns
    CHECK(felt::all_close(other, rows + 1));
    other = other - felt::sum<1>(other, felt::keepdims);
    run(felt::unfused, assign(moved, x - felt::sum<1>(x, felt::keepdims)));
    CHECK(felt::all_close(other, moved - 52));
    gappy square({40, 40}), product({40, 40});
    square = felt::uniform<float>(square.extents(), 1);
    Tensor<float, 2> const dense = square;
    product = matmul(square, transpose(square));
    CHECK(felt::all_close(product, felt::eval(matmul(dense, transpose(dense)))));
    square = square + transpose(square);
    CHECK(felt::all_close(square, dense + transpose(dense)));
    CHECK(gappy::of({{1, 2}, {3, 4}})(1, 0) == 3);
}

TEST_CASE("a tensor is a range of its elements, in the order of memory") {
    auto t = Tensor<float, 2>::of({{1, 2}, {3, 4}});
    Tensor<float, 2, felt::Host, felt::ColMajor> const c = t;
    static_assert(std::ranges::contiguous_range<decltype(t)>);
    static_assert(std::is_same_v<decltype(t.begin()), float*>);
    static_assert(std::is_same_v<decltype(c.begin()), float const*>);
    CHECK(std::vector<float>(t.begin(), t.end()) == std::vector<float>{1, 2, 3, 4});
    CHECK(std::vector<float>(c.begin(), c.end()) == std::vector<float>{1, 3, 2, 4});
    for (float& v : t) v *= 2;
    CHECK(std::ranges::max(t) == 8);
    CHECK(std::ranges::empty(Tensor<float, 2>()));
    CHECK(std::ranges::size(Tensor<int, 0>()) == 1);
    CHECK_THROWS_AS((void)gappy({2, 3}).begin(), felt::shape_error);
}

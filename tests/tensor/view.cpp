// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/tensor/view.hpp>
#include <algorithm>
#include <ranges>
#include <type_traits>
#include <vector>

using felt::view;
using test::message;
using test::plain;
using test::values;

TEST_CASE("a view shows somebody else's memory in the order of a layout or by strides") {
    std::vector<int> const x{1, 2, 3, 4, 5, 6};
    CHECK(values(view(x.data(), {2, 3})) == plain{{2, 3}, {1, 2, 3, 4, 5, 6}});
    CHECK(values(view<felt::ColMajor>(x.data(), {2, 3})) == plain{{2, 3}, {1, 3, 5, 2, 4, 6}});
    CHECK(values(view<felt::ChannelsLast>(x.data(), {1, 3, 2, 1})) ==
          plain{{1, 3, 2, 1}, {1, 4, 2, 5, 3, 6}});
    CHECK(values(view(x.data() + 5, {3}, {-2})) == plain{{3}, {6, 4, 2}});
    CHECK(values(view(x.data(), {2, 2}, {0, 1})) == plain{{2, 2}, {1, 2, 1, 2}});
}

TEST_CASE("assigning to a view writes the elements that it shows") {
    std::vector<float> x(6, 0.f);
    auto odd = view(x.data() + 1, {3}, {2});
    odd = 7.f;
    CHECK(x == std::vector<float>{0, 7, 0, 7, 0, 7});
    auto even = view(x.data(), {3}, {2});
    even = odd;
    CHECK(x == std::vector<float>(6, 7.f));
    even += odd;
    CHECK(x == std::vector<float>{14, 7, 14, 7, 14, 7});
}

TEST_CASE("a view never resizes") {
    std::vector<float> x(6, 1.f);
    auto v = view(x.data(), {2, 3});
    CHECK_THROWS_AS((v = felt::Tensor<float, 2>({3, 2})), felt::shape_error);
    CHECK_THROWS_AS((v = felt::Tensor<float, 2>({2, 2})), felt::shape_error);
    CHECK(x == std::vector<float>(6, 1.f));
    auto none = view(x.data(), {0, 0});
    CHECK_THROWS_AS((none = felt::Tensor<float, 2>({3, 2})), felt::shape_error);
}

TEST_CASE("elements of a view are read and written by index") {
    std::vector<int> x{1, 2, 3, 4, 5, 6};
    auto v = view(x.data(), {2, 3});
    v(1, 0) = 40;
    CHECK(x[3] == 40);
    CHECK(v(std::size_t{1}, 2L) == 6);
    CHECK(v.extent(1) == 3);
    CHECK(v.size() == 6);
}

TEST_CASE("element access outside throws where it is checked") {
    std::vector<int> x{1, 2, 3, 4, 5, 6};
    auto v = view(x.data(), {2, 3});
    if (FELT_CHECKED) {
        CHECK(message([&] { v(1, 3); }) == "element access: index (1, 3) in (2, 3)");
        CHECK_THROWS_AS(v(-1, 0), felt::shape_error);
    }
}

TEST_CASE("a view of elements is a view of constant elements, not the other way round") {
    using writable = felt::View<float, 1>;
    using constant = felt::View<float const, 1>;
    CHECK(std::is_convertible_v<writable, constant>);
    CHECK_FALSE(std::is_convertible_v<constant, writable>);
    CHECK(std::is_same_v<constant::value_type, float>);
    CHECK_FALSE(std::is_assignable_v<constant&, float>);
    CHECK(std::is_assignable_v<writable&, float>);
}

TEST_CASE("view(tensor) shows the tensor's elements") {
    auto t = felt::Tensor<float, 2, felt::Host, felt::ColMajor>::of({{1, 2}, {3, 4}});
    auto v = view(t);
    v(0, 1) = 20;
    CHECK(t(0, 1) == 20);
    CHECK(v.strides() == felt::extents<2>{{1, 2}});
    auto const& constant = t;
    CHECK(std::is_same_v<decltype(view(constant)), felt::View<float const, 2>>);
}

TEST_CASE("a view whose elements lie side by side is a range of them, in the order of memory") {
    std::vector<int> memory{6, 5, 4, 3, 2, 1};
    auto const v = view<felt::ColMajor>(memory.data(), {3, 2});
    static_assert(std::ranges::contiguous_range<decltype(v)>);
    static_assert(!std::ranges::range<felt::View<int, 1, felt::Anywhere>>);
    CHECK(v.begin() == memory.data());
    CHECK(v.end() == memory.data() + 6);
    std::ranges::sort(v);
    CHECK(memory == std::vector<int>{1, 2, 3, 4, 5, 6});
    for (int& x : view(memory.data() + 1, {1, 2, 1}, {100, 1, 7})) x = 0;
    CHECK(memory == std::vector<int>{1, 0, 0, 4, 5, 6});
    CHECK(std::ranges::distance(view(memory.data(), {3, 0, 2}, {9, 9, 9})) == 0);
    CHECK(std::ranges::distance(view(memory.data(), {1, 1}, {-1, 0})) == 1);
}

TEST_CASE("elements with gaps, backwards or repeated are no range") {
    std::vector<float> memory(6);
    float* const x = memory.data();
    CHECK(message([&] { (void)view(x, {2, 2}, {3, 1}).begin(); }) ==
          "begin: the elements of (2, 2) with strides (3, 1) do not lie side by side");
    CHECK_THROWS_AS((void)view(x, {3}, {2}).begin(), felt::shape_error);
    CHECK_THROWS_AS((void)view(x + 5, {3}, {-1}).begin(), felt::shape_error);
    CHECK_THROWS_AS((void)view(x, {2, 3}, {0, 1}).begin(), felt::shape_error);
    CHECK_THROWS_AS((void)view(x, {2, 2}, {1, 1}).begin(), felt::shape_error);
}

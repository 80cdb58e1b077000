// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of other libraries as destinations, by a matrix that knows nothing of Felt; and what
// memory must be to become a view.
#include <felt/foreign.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

namespace {

// Owns its elements; `shown` shows those of another.
struct foreign_matrix {
    std::vector<float> elements = std::vector<float>(6, 1.f);
};
struct shown {
    foreign_matrix* of;
};

using felt::Tensor, felt::View;
using felt::detail::an_element_is_shown_twice;

}  // namespace

template <>
struct felt::foreign_array<foreign_matrix> {
    static View<float, 2> view(foreign_matrix& x) { return felt::view(x.elements.data(), {2, 3}); }
    static View<float const, 2> view(foreign_matrix const& x) {
        return felt::view(x.elements.data(), {2, 3});
    }
};
template <>
struct felt::foreign_array<shown> {
    using borrows = void;
    static View<float, 2> view(shown const& x) {
        return foreign_array<foreign_matrix>::view(*x.of);
    }
};

TEST_CASE("a foreign array is written by assign and noalias, and is never resized") {
    foreign_matrix a;
    auto const x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    felt::fuse(felt::assign(a, x + a));
    CHECK(a.elements == std::vector<float>{2, 3, 4, 5, 6, 7});
    felt::run(felt::unfused, felt::assign(a, x * 2.f));
    CHECK(a.elements == std::vector<float>{2, 4, 6, 8, 10, 12});
    felt::noalias(a) = x;
    CHECK(a.elements == std::vector<float>{1, 2, 3, 4, 5, 6});
    felt::fuse(assign(shown{&a}, -x));
    CHECK(a.elements[5] == -6);
    Tensor<float, 2> const tall({3, 2});
    CHECK_THROWS_WITH_AS(felt::fuse(felt::assign(a, tall)), "assign: (3, 2) does not fit (2, 3)",
                         felt::shape_error);
}

TEST_CASE("a constant array is no destination, nor is a temporary that owns its elements") {
    static_assert(felt::foreign_destination<foreign_matrix&>);
    static_assert(!felt::foreign_destination<foreign_matrix const&>);
    static_assert(!felt::foreign_destination<foreign_matrix>);
    static_assert(felt::foreign_destination<shown>);
    static_assert(!felt::foreign_destination<Tensor<float, 2>&>);
}

TEST_CASE("statements that read what they write are right: the array is seen in both places") {
    foreign_matrix a;
    felt::fuse(felt::assign(a, Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}})));
    felt::fuse(felt::assign(a, felt::flip<1>(felt::foreign_array<foreign_matrix>::view(a)) + a));
    CHECK(a.elements == std::vector<float>{4, 4, 4, 10, 10, 10});
}

TEST_CASE("whether an element is shown twice is found exactly") {
    auto const twice = [](felt::extents<2> e, felt::extents<2> s) {
        return an_element_is_shown_twice(e.value, s.value, 2);
    };
    CHECK(!twice({{3, 4}}, {{4, 1}}));
    CHECK(!twice({{3, 4}}, {{-4, -1}}));
    CHECK(!twice({{3, 2}}, {{2, 3}}));  // 0 2 4, 3 5 7
    CHECK(!twice({{1, 4}}, {{0, 1}}));
    CHECK(!twice({{0, 4}}, {{0, 0}}));
    CHECK(twice({{2, 4}}, {{0, 1}}));
    CHECK(twice({{3, 4}}, {{3, 1}}));
    CHECK(twice({{3, 4}}, {{1, 1}}));
    CHECK(twice({{4, 3}}, {{2, 3}}));  // 6 = 3 * 2 = 2 * 3
    CHECK(twice({{4, 3}}, {{2, -3}}));
}

TEST_CASE("it agrees with all offsets, written down, for all small extents and strides") {
    int wrong = 0;
    for (int code = 0; code < 4 * 4 * 9 * 9; ++code) {
        felt::extents<2> const e{{code % 4, code / 4 % 4}};
        felt::extents<2> const s{{code / 16 % 9 - 4, code / 144 - 4}};
        std::vector<int> seen(64);
        bool twice = false;
        for (felt::index_t i = 0; i < e[0]; ++i) {
            for (felt::index_t j = 0; j < e[1]; ++j) {
                twice |= seen[static_cast<std::size_t>(32 + i * s[0] + j * s[1])]++ > 0;
            }
        }
        wrong += twice != an_element_is_shown_twice(e.value, s.value, 2);
    }
    CHECK(wrong == 0);
}

TEST_CASE("memory that cannot be a view is refused by name") {
    using felt::detail::checked_view;
    alignas(float) char bytes[32] = {};
    auto* const odd = reinterpret_cast<float*>(bytes + 1);
    CHECK_THROWS_WITH_AS(checked_view<float>("f", odd, felt::extents<1>{{2}}, {{1}}),
                         "f: elements are not aligned to 4 bytes", felt::foreign_error);
    float* const none = nullptr;
    CHECK_THROWS_WITH_AS(checked_view<float>("f", none, felt::extents<1>{{2}}, {{1}}),
                         "f: a null pointer to 2 elements", felt::foreign_error);
    CHECK(checked_view<float>("f", none, felt::extents<1>{{0}}, {{1}}).size() == 0);
    float x = 0;
    CHECK_THROWS_WITH_AS(checked_view<float>("f", &x, felt::extents<1>{{-1}}, {{1}}),
                         "f: negative extent in (-1)", felt::shape_error);
    CHECK_THROWS_WITH_AS(checked_view<float>("f", &x, felt::extents<1>{{3}}, {{0}}),
                         "f: strides (0) of (3) show an element twice: read it as const",
                         felt::shape_error);
    CHECK(checked_view<float const>("f", &x, felt::extents<1>{{3}}, {{0}}).size() == 3);
}

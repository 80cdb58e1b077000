// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/batches.hpp>

using felt::runs_by_element;
using felt::takes_batches;
using felt::takes_conditions;

namespace {

struct of_numbers {
    float operator()(float x, float y) const { return x > y ? x : y * 2; }
};
struct of_anything {
    FELT_FN auto operator()(auto x, auto y) const { return x * x + y; }
};
struct of_floating_batches {
    template <class T>
        requires(!std::is_integral_v<felt::math::lane_t<T>> || std::is_integral_v<T>)
    FELT_FN T operator()(T x, T y) const {
        return T(x / y);
    }
};
struct either {
    FELT_FN auto operator()(auto x, auto y) const { return x || y; }
};
struct implies {
    bool operator()(bool x, bool y) const { return !x || y; }
};
struct count_of_two {
    int operator()(bool x, bool y) const { return int{x} + int{y}; }
};
struct conversion {
    using converts_to = int;
    int operator()(float x) const { return static_cast<int>(x); }
};
struct selection {
    static constexpr bool selects = true;
    float operator()(bool c, float x, float y) const { return c ? x : y; }
};

}  // namespace

TEST_CASE("functors that take batches of one type of number") {
    CHECK(takes_batches<of_anything, float, float>);
    CHECK(takes_batches<of_anything, int, int>);
    CHECK_FALSE(takes_batches<of_numbers, float, float>);
    CHECK_FALSE(takes_batches<of_anything, float, double>);
    CHECK(takes_batches<of_floating_batches, double, double>);
    CHECK_FALSE(takes_batches<of_floating_batches, int, int>);
}

TEST_CASE("functors that take conditions and yield one") {
    CHECK(takes_conditions<either, bool, bool>);
    CHECK_FALSE(takes_conditions<either, float, float>);
    CHECK_FALSE(takes_conditions<implies, bool, bool>);
    CHECK_FALSE(takes_conditions<count_of_two, bool, bool>);
    CHECK_FALSE(takes_batches<either, bool, bool>);
}

TEST_CASE("all others run element by element, but for conversions and selections") {
    CHECK(runs_by_element<of_numbers, float, float>);
    CHECK(runs_by_element<of_anything, float, double>);
    CHECK(runs_by_element<of_floating_batches, int, int>);
    CHECK(runs_by_element<implies, bool, bool>);
    CHECK(runs_by_element<count_of_two, bool, bool>);
    CHECK_FALSE(runs_by_element<of_anything, int, int>);
    CHECK_FALSE(runs_by_element<either, bool, bool>);
    CHECK_FALSE(runs_by_element<conversion, float>);
    CHECK_FALSE(runs_by_element<selection, bool, float, float>);
}

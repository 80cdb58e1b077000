// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <functional>
#include <sstream>

using felt::Tensor;
using felt::user_function;

namespace {

enum class by { batches, elements };

// Whether y = map(f, x) is f of each element, and said to run so.
template <class T, class F>
void check(Tensor<T, 1> const& x, F const& f, by how) {
    auto const e = felt::map(f, x);
    auto y = felt::eval(e);
    int differ = 0;
    for (felt::index_t i = 0; i < x.extent(0); ++i) {
        auto const want = static_cast<double>(f(x(i)));
        differ += !(std::abs(static_cast<double>(y(i)) - want) <= 1e-5 * std::abs(want));
    }
    CHECK(differ == 0);
    std::ostringstream plan;
    plan << explain(assign(y, e));
    CHECK((plan.str().find("[runs element by element]") != std::string::npos) ==
          (how == by::elements));
}

template <class T>
Tensor<T, 1> spread() {
    Tensor<T, 1> x({1003});
    x = felt::cast<T>(felt::iota<int>(1003) * 7 - felt::iota<int>(1003) * 7 / 23 * 23 - 11);
    return x;
}

struct steep {
    float from;
    auto operator()(auto v) const {
        if (v > from) return v * 2;
        return v;
    }
    bool operator==(steep const&) const = default;
};

float rectified(float v) { return v > 0 ? v : 0; }

template <class F, class G>
bool equal(F const& f, G const& g) {
    auto const x = spread<float>();
    felt::planning::graph a;
    describe(felt::map(f, x) + felt::map(g, x), a);
    return felt::planning::same_value(a, a.operand(0, 0), a.operand(0, 1));
}

}  // namespace

TEST_CASE("a functor may branch, and runs by batches all the same") {
    auto const x = spread<float>();
    check(x, [](auto v) { return v > 0 ? v : 0.1f * v; }, by::batches);
    check(x, [](auto v) { return std::max(v, decltype(v)(0)); }, by::batches);
    check(x, [](auto v) { return v > 0 && v < 1; }, by::batches);
    check(x, steep{3}, by::batches);
    check(spread<double>(), [](auto v) { return v > 0 ? v : 0.1 * v; }, by::batches);
    Tensor<float, 1> const y =
        felt::map([](auto a, auto b) { return a > b ? a : b; }, x, expand_dims<0>(sum(x)) / 1e3f);
    CHECK(felt::all_close(y, maximum(x, sum(x) / 1e3f)));
}

TEST_CASE("a functor chooses lane by lane, numbers beside batches") {
    namespace math = felt::math;
    auto const x = spread<float>();
    check(x, [](auto v) { return math::select(v > 0, v, 0.1f * v); }, by::batches);
    check(x, [](auto v) { return v * math::select(v > 0, 1.f, -1.f); }, by::batches);
    check(x, [](auto v) { return math::select(v > 0, v, 0); }, by::batches);
    check(x, [](auto v) { return math::select(v > 0, 0.f, v); }, by::batches);
}

TEST_CASE("what batches would not compute as numbers do runs element by element") {
    auto const x = spread<float>();
    check(x, [](auto v) -> double { return v * 0.1; }, by::elements);
    check(x, [](auto v) { return v > 0 ? 1 : -1; }, by::elements);
    check(x, [](auto v) { return v > 0 ? 1.f : -1.f; }, by::elements);
    check(x, [](auto v) -> bool { return v > 0; }, by::elements);
    check(x, [](auto v) -> float { return std::fmod(v, 2.f); }, by::elements);
    check(x, [](float v) { return v > 0 ? v : -2 * v; }, by::elements);
    check(spread<int>(), [](auto v) { return v < 0.5 ? v : 2 * v; }, by::elements);
    check(spread<std::uint8_t>(), [](auto v) { return v + v > 255; }, by::elements);
    check(spread<bool>(), [](auto v) { return v ? false : true; }, by::elements);
}

TEST_CASE("any callable with a const call is taken") {
    auto const x = spread<float>();
    float k = 3;
    check(x, [&](auto v) { return v > 0 ? v : 2 * v; }, by::batches);
    check(x, [&](auto v) { return v * k; }, by::batches);
    check(x, [=](float v) { return v * k; }, by::elements);
    check(x, rectified, by::elements);
    check(x, &rectified, by::elements);
    check(x, std::function<float(float)>(rectified), by::elements);
    check(x, std::negate<>{}, by::batches);
    auto const named = [&](auto v) { return v + 1; };
    auto const& reference = named;
    check(x, reference, by::batches);
}

TEST_CASE("equal functions are one if their state can be compared") {
    auto const nothing = [&](auto v) { return v + 1; };
    auto const number = [k = 2.f](auto v) { return v + k; };
    CHECK(equal(nothing, nothing));
    CHECK(equal(steep{3}, steep{3}));
    CHECK_FALSE(equal(steep{3}, steep{4}));
    CHECK(equal(&rectified, rectified));
    CHECK_FALSE(equal(number, number));
}

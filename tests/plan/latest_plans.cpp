// SPDX-License-Identifier: BSD-3-Clause
//
// Plans that are found again by what statements have of their own: only those of the same types
// over the same memory, and what runs by them is right whatever changes from one run to the next.
#include "tests/plan/nowhere.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/latest_plans.hpp>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

using felt::index_t;
using felt::range;
using felt::planning::algorithm_choice;
using felt::planning::plan;
using felt::planning::detail::any;
using felt::planning::detail::any_statement;
using felt::planning::detail::latest_plan;
using felt::planning::detail::latest_plans;
using test::nowhere;
using test::numbered;
using matrix = felt::Tensor<float, 2>;
using vector = felt::Tensor<float, 1>;

namespace {

std::string text(plan const& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}

template <class... S>
void keep(latest_plan& latest, S const&... s) {
    any_statement const all[] = {any(s)...};
    CHECK(latest_plan::may_be_kept(all, sizeof...(S)));
    latest.keep(all, sizeof...(S), felt::explain(s...));
}
// Whether the plan is that of s; then it is what would be planned.
template <class... S>
bool is_of(latest_plan& latest, S const&... s) {
    any_statement const all[] = {any(s)...};
    if (!latest.is_of(all, sizeof...(S), {})) return false;
    CHECK(text(latest.get()) == text(felt::explain(s...)));
    return true;
}

auto scaled(auto const& x, auto&& y, float a, float b) {
    return assign(y, x * a + felt::sum<1>(x * b, felt::keepdims));
}
auto shifted(auto const& x, auto&& y, float by) { return assign(y, felt::tanh(x) - by); }

float at(matrix const& x, index_t i, index_t j) { return x(i, j); }

}  // namespace

TEST_CASE("a statement is known whatever its numbers are, wherever it is") {
    latest_plan latest;
    auto const x = nowhere(1, {30, 70}), y = nowhere(2, {30, 70});
    CHECK_FALSE(is_of(latest, shifted(x, y, 2)));
    keep(latest, shifted(x, y, 2));
    CHECK(is_of(latest, shifted(x, y, 2)));
    CHECK(is_of(latest, shifted(x, y, 3)));
    auto const elsewhere = std::make_unique<decltype(shifted(x, y, 4))>(shifted(x, y, 4));
    CHECK(is_of(latest, *elsewhere));
    CHECK(is_of(latest, shifted(x, y, 2)));
}

TEST_CASE("other memory, extents, strides, destinations, algorithms or types are not") {
    latest_plan latest;
    auto const x = nowhere(1, {30, 70}), y = nowhere(2, {30, 70});
    keep(latest, shifted(x, y, 2));
    CHECK_FALSE(is_of(latest, shifted(nowhere(3, {30, 70}), y, 2)));
    CHECK_FALSE(is_of(latest, shifted(x, nowhere(3, {30, 70}), 2)));
    CHECK_FALSE(is_of(latest, shifted(x, x, 2)));
    CHECK_FALSE(is_of(latest, shifted(nowhere(1, {31, 70}), nowhere(2, {31, 70}), 2)));
    CHECK_FALSE(is_of(latest, shifted(nowhere<float, felt::ColMajor>(1, {30, 70}), y, 2)));
    CHECK_FALSE(is_of(latest, shifted(x, nowhere<float, felt::ColMajor>(2, {30, 70}), 2)));
    CHECK_FALSE(is_of(latest, assign(y, felt::tanh(x) + 2.f)));
    CHECK_FALSE(is_of(latest, shifted(x, y, 2), shifted(x, y, 2)));
    auto const same = shifted(x, y, 2);
    any_statement const s[] = {any(same)};
    CHECK(latest.is_of(s, 1, {}));
    CHECK_FALSE(latest.is_of(s, 1, algorithm_choice{.exact = true}));
}

TEST_CASE("numbers that may be equal to each other have to stay as they are") {
    latest_plan latest;
    auto const x = nowhere(1, {30, 70}), y = nowhere(2, {30, 70});
    keep(latest, scaled(x, y, 2, 2));
    CHECK(is_of(latest, scaled(x, y, 2, 2)));
    CHECK_FALSE(is_of(latest, scaled(x, y, 2, 3)));
}

TEST_CASE("what is owned, packed or large is not kept") {
    auto const x = numbered<matrix>({4, 5});
    auto const y = nowhere(2, {4, 5});
    auto const owns = assign(y, numbered<matrix>({4, 5}) + x);
    auto const packs = assign(y, matmul(x, felt::packed(numbered<matrix>({5, 5}))));
    any_statement const all[] = {any(owns), any(packs)};
    CHECK_FALSE(latest_plan::may_be_kept(all, 1));
    CHECK_FALSE(latest_plan::may_be_kept(all + 1, 1));
}

TEST_CASE("statements run by it are right, whatever changes between their runs") {
    // Views of memory without an owner: what has one is described each time where that is checked.
    std::vector<float> first(240), second(240), third(240);
    auto x = felt::view(first.data(), {6, 40}), z = felt::view(second.data(), {6, 40});
    auto y = felt::view(third.data(), {6, 40});
    x = numbered<matrix>({6, 40}), z = numbered<matrix>({6, 40}, 5);
    SUBCASE("numbers") {
        float const a[] = {2, 2, 2, 3, 3, 2}, b[] = {2, 3, 2, 3, 2, 2};
        for (int k = 0; k < 6; ++k) {
            run(felt::fused, scaled(x, y, a[k], b[k]));
            double sum = 0;
            for (index_t j = 0; j < 40; ++j) sum += static_cast<double>(x(3, j)) * b[k];
            CHECK(y(3, 7) == doctest::Approx(static_cast<double>(x(3, 7)) * a[k] + sum));
        }
    }
    SUBCASE("parts of tensors, and destinations") {
        for (int round = 0; round < 2; ++round) {
            for (index_t i = 0; i < 5; ++i) {
                matrix w({2, 10});
                slice(y, range(i, i + 2), range(0, 10)) =
                    slice(x, range(4 - i, 6 - i), range(i, i + 10)) * 2;
                w = slice(x, range(4 - i, 6 - i), range(i, i + 10)) * 2;
                CHECK(y(i + 1, 3) == 2 * x(5 - i, i + 3));
                CHECK(w(1, 3) == 2 * x(5 - i, i + 3));
            }
        }
    }
    SUBCASE("extents") {
        for (index_t n : {3, 30, 3, 7, 30, 7}) {
            vector const v = slice(x, 2, range(0, n));
            float const s = felt::sum(v * v);
            double want = 0;
            for (index_t j = 0; j < n; ++j) want += static_cast<double>(x(2, j)) * x(2, j);
            CHECK(s == doctest::Approx(want));
        }
    }
    SUBCASE("what is shared") {
        std::vector<float> memory(900 * 1000), result(memory.size());
        auto u = felt::view(memory.data(), {900, 1000});
        auto v = felt::view(result.data(), {900, 1000});
        u = felt::normal<float>(u.extents(), 1);
        for (float by : {1.f, 2.f, 1.f, 3.f}) {
            for (int k = 0; k < 2; ++k) {
                v = exp(u * by) / felt::sum<1>(exp(u * by), felt::keepdims);
                double sum = 0;
                for (index_t j = 0; j < 1000; ++j) sum += std::exp(double(u(7, j)) * by);
                CHECK(v(7, 999) == doctest::Approx(std::exp(double(u(7, 999)) * by) / sum));
            }
        }
    }
    SUBCASE("what a function holds") {
        for (float by : {1.f, 2.f, 1.f, 5.f}) {
            y = felt::map([by](auto v) { return v * by; }, x);
            CHECK(y(5, 39) == x(5, 39) * by);
        }
    }
    SUBCASE("whether the destination is read") {
        matrix square = numbered<matrix>({9, 9}), other({9, 9});
        for (int k = 0; k < 4; ++k) {
            matrix const before = square + 0;
            matrix& to = k % 2 == 0 ? square : other;
            to = transpose(square) + square;
            CHECK(at(to, 2, 7) == before(2, 7) + before(7, 2));
            CHECK(at(to, 7, 2) == before(2, 7) + before(7, 2));
        }
    }
    SUBCASE("groups") {
        vector r({6});
        for (float by : {1.f, 3.f, 1.f}) {
            run(felt::fused, assign(y, x * by), assign(r, felt::max<1>(x * by)));
            run(felt::fused, assign(y, y + z), assign(r, r * 2.f));
            CHECK(y(2, 8) == x(2, 8) * by + z(2, 8));
            float most = x(1, 0) * by;
            for (index_t j = 1; j < 40; ++j) most = std::max(most, x(1, j) * by);
            CHECK(r(1) == 2 * most);
        }
    }
    SUBCASE("indices, which are looked through by statements of their own") {
        felt::Tensor<index_t, 1> k({3});
        matrix few({3, 40});
        for (index_t i : {0, 3, 1}) {
            k(0) = i, k(1) = i + 1, k(2) = 2;
            few = felt::gather<0>(x, k + 1);
            CHECK(few(1, 4) == x(i + 2, 4));
        }
        k(0) = 6;
        CHECK_THROWS_AS(few = felt::gather<0>(x, k + 1), felt::shape_error);
    }
}

TEST_CASE("what has an owner that is checked is not kept") {
    matrix y({3, 4});
    auto x = std::make_optional<matrix>(numbered<matrix>({3, 4}));
    auto const s = assign(y, *x + 1);
    any_statement const all[] = {any(s)};
    CHECK(latest_plan::may_be_kept(all, 1) == !FELT_CHECKED);
    for (int k = 0; k < 3; ++k) run(felt::fused, s);
    CHECK(y(2, 3) == (*x)(2, 3) + 1);
    x.reset();
    if (FELT_CHECKED) CHECK_THROWS_AS(run(felt::fused, s), felt::error);
}

TEST_CASE("a plan in use is nobody else's") {
    auto const x = nowhere(1, {3, 4}), y = nowhere(2, {3, 4});
    auto const s = shifted(x, y, 1);
    any_statement const all[] = {any(s)};
    latest_plans latest;
    int made = 0;
    auto const with = [&](auto const& use) {
        if (!latest.if_known(all, 1, use)) latest.keep(all, 1, (++made, felt::explain(s)), use);
    };
    for (int k = 0; k < 3; ++k) {
        with([&](plan& outer) { with([&](plan& inner) { CHECK(&inner != &outer); }); });
    }
    CHECK(made == 2);  // one of each, which stay
    auto const fails = [&](plan&) { throw felt::error("no"); };
    CHECK_THROWS_AS(with(fails), felt::error);
    with([](plan&) {});
    CHECK(made == 2);  // it is free again
}

TEST_CASE("statements of one type and destination have several places") {
    auto const y = nowhere(2, {3, 4});
    latest_plans latest;
    int made = 0;
    auto const with = [&](std::uintptr_t operand) {
        auto const s = shifted(nowhere(operand, {3, 4}), y, 1);
        any_statement const all[] = {any(s)};
        auto const use = [](plan&) {};
        if (!latest.if_known(all, 1, use)) latest.keep(all, 1, (++made, felt::explain(s)), use);
    };
    for (int k = 0; k < 3; ++k) {
        for (unsigned operand : {3U, 4U, 5U, 6U}) with(operand);
    }
    CHECK(made == 4);
    with(7);  // instead of 3, which was used least recently
    with(4), with(5), with(6);
    CHECK(made == 5);
    with(3);
    CHECK(made == 6);
}

TEST_CASE("statements that were marked for sharing are known by what was marked") {
    auto const x = nowhere(1, {400, 4000}), y = nowhere(2, {400, 4000}), z = nowhere(3, {40, 40});
    auto const times_made = [](auto const& s) {
        latest_plans latest;
        int made = 0;
        auto const use = [](plan&) {};
        auto const known = [&](auto const& as) {
            any_statement const all[] = {any(as)};
            return latest.if_known(all, 1, use);
        };
        for (int k = 0; k < 3; ++k) {
            if (felt::planning::any_form(known, s)) continue;
            felt::planning::with_best_plan(
                [&](plan p, auto const& as) {
                    any_statement const all[] = {any(as)};
                    latest.keep(all, 1, (++made, std::move(p)), use);
                },
                s);
        }
        return made;
    };
    auto const of = [](auto const& v) { return exp(v) / felt::sum<1>(exp(v), felt::keepdims); };
    CHECK(felt::explain(assign(y, of(x))).keep != nullptr);
    CHECK(times_made(assign(y, of(x))) == 1);
    CHECK(felt::explain(assign(z, of(z))).keep == nullptr);  // it would not pay
    CHECK(times_made(assign(z, of(z))) == 1);
    CHECK(times_made(assign(z, matmul(felt::softmax<1>(z), z))) == 1);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// Plans that are found again: only for statements of which a plan knows nothing different.
#include "tests/plan/nowhere.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::keepdims;
using felt::planning::plan;
using felt::planning::detail::recent_plans;
using test::nowhere;
using test::numbered;
using matrix = felt::Tensor<float, 2>;

namespace {

// Plans s by `recent`; whether that took an arrangement.
template <class S>
bool arranges(recent_plans& recent, S const& s) {
    plan p;
    felt::planning::detail::add_statement<S>(p.g, &s);
    bool anew = false;
    recent.arrange(p, [&](felt::planning::graph& g) {
        anew = true;
        return felt::planning::detail::arrange(g);
    });
    std::ostringstream known, fresh;
    known << p;
    fresh << felt::explain(s);
    CHECK(known.str() == fresh.str());
    return anew;
}

auto normalised(auto const& x, auto const& y, float by) {
    return assign(y, (x - felt::mean<1>(x, keepdims)) * by);
}

}  // namespace

TEST_CASE("the same statement over the same memory is planned once, whatever its numbers are") {
    recent_plans recent;
    auto const x = nowhere(1, {300, 700}), y = nowhere(2, {300, 700});
    CHECK(arranges(recent, normalised(x, y, 2)));
    CHECK_FALSE(arranges(recent, normalised(x, y, 2)));
    CHECK_FALSE(arranges(recent, normalised(x, y, 3)));
}

TEST_CASE("other extents, strides, memory or overlap are planned anew") {
    recent_plans recent;
    auto const x = nowhere(1, {300, 700}), y = nowhere(2, {300, 700});
    arranges(recent, normalised(x, y, 2));
    CHECK(arranges(recent, normalised(nowhere(1, {301, 700}), nowhere(2, {301, 700}), 2)));
    CHECK(arranges(recent, normalised(nowhere<float, felt::ColMajor>(1, {300, 700}), y, 2)));
    CHECK(arranges(recent, normalised(nowhere(3, {300, 700}), y, 2)));
    CHECK(arranges(recent, normalised(x, x, 2)));
}

TEST_CASE("what is equal within a statement is told from what is not") {
    recent_plans recent;
    auto const x = nowhere(1, {300, 700}), y = nowhere(2, {300, 700});
    auto const pair = [&](float a, float b) {
        return assign(y, felt::softmax<1>(x * a) + felt::softmax<1>(x * b));
    };
    CHECK(arranges(recent, pair(2, 2)));
    CHECK(arranges(recent, pair(2, 3)));
    CHECK_FALSE(arranges(recent, pair(4, 5)));
    CHECK_FALSE(arranges(recent, pair(7, 7)));
}

TEST_CASE("a plan that is found again computes with the numbers and rules of its own statement") {
    auto const x = numbered<matrix>({40, 50});
    matrix y({40, 50});
    for (int turn = 0; turn < 3; ++turn) {
        for (index_t shift : {0, 1, 7}) {
            auto const by = static_cast<float>(shift + turn);
            y = felt::pad(slice(x, felt::range(0, 40 - shift), felt::range(0, 50)) * by,
                          {{shift, 0}, {0, 0}});
            index_t wrong = 0;
            for (index_t i = 0; i < 40; ++i) {
                for (index_t j = 0; j < 50; ++j)
                    wrong += y(i, j) != (i < shift ? 0 : x(i - shift, j) * by);
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("the statements of a recurrent network's steps are all found again, turn after turn") {
    recent_plans recent;
    auto const of = [](index_t m) { return normalised(nowhere(1, {m, 9}), nowhere(2, {m, 9}), 2); };
    index_t anew = 0;
    for (int turn = 0; turn < 3; ++turn) {
        for (index_t m = 1; m <= 200; ++m) anew += arranges(recent, of(m));
    }
    CHECK(anew == 200);
}

TEST_CASE("after many other statements an old one is planned anew") {
    recent_plans recent;
    auto const of = [](index_t m) { return normalised(nowhere(1, {m, 9}), nowhere(2, {m, 9}), 2); };
    constexpr auto many = static_cast<index_t>(recent_plans::bytes_kept / 1000);
    for (index_t m = 1; m <= many; ++m) CHECK(arranges(recent, of(m)));
    index_t old = 0, late = 0;
    for (index_t m = 1; m <= 50; ++m) old += !arranges(recent, of(m));
    CHECK(old < 5);
    for (int turn = 0; turn < 12; ++turn) {
        for (index_t m = many + 1; m <= many + 50; ++m) (void)arranges(recent, of(m));
    }
    for (index_t m = many + 1; m <= many + 50; ++m) late += !arranges(recent, of(m));
    CHECK(late > 30);
}

TEST_CASE("of a few more statements in turn than there is room for, most are found again") {
    recent_plans recent;
    auto const of = [](index_t m) { return normalised(nowhere(1, {m, 9}), nowhere(2, {m, 9}), 2); };
    index_t room = 0, found = 0;
    for (bool fits = true; fits; ++room) {  // until the first one is left out
        (void)arranges(recent, of(room + 1));
        if (room % 50 != 49) continue;
        recent_plans again;
        index_t here = 0;
        for (int turn = 0; turn < 2; ++turn) {
            for (index_t m = 1; m <= room; ++m) here += !arranges(again, of(m));
        }
        fits = here == room;
    }
    index_t const many = room * 6 / 5;
    for (int turn = 0; turn < 8; ++turn) {
        found = 0;
        for (index_t m = 1; m <= many; ++m) found += !arranges(recent, of(m));
    }
    CHECK(found > many / 2);
}

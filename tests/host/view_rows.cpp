// SPDX-License-Identifier: BSD-3-Clause
//
// Views by any rules, against the formula of a view: boxes in any order of a source in memory or
// computed, and whole statements.
#include "tests/differential/memory.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::axis_rule;
using felt::index_t;
using felt::host::box;
using plain::array;
using plain::shape;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);
constexpr index_t awkward[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 37};

index_t any_extent(dice& d) { return awkward[d.between(0, 12)]; }
order any_order(dice& d) { return static_cast<order>(d.between(0, orders - 1)); }

// A rule for an axis of n elements of a view with extents e, which mostly stays near it.
axis_rule any_rule(dice& d, index_t n, shape const& e) {
    auto const last = static_cast<index_t>(e.size()) - 1;
    axis_rule r;
    r.out1 = static_cast<int>(d.between(-1, last));
    if (r.out1 >= 0) r.stride = d.between(0, 2) == 0 ? d.between(-3, 4) : 1;
    if (d.between(0, 3) == 0) {
        r.out2 = static_cast<int>(d.between(0, last));
        r.dilation = d.between(-2, 3);
        if (r.out2 == r.out1) r.out2 = -1, r.dilation = 0;
    }
    r.divide = d.between(0, 2) == 0 ? d.between(1, 5) : 1;
    r.exact = d.between(0, 1) == 0;
    r.offset = d.between(0, 1) == 0 ? 0 : d.between(-4, n * r.divide + 1);
    return r;
}

// What the view is: in double, element by element.
template <std::size_t S, std::size_t R>
array plain_view(array const& x, felt::view_map<S, R> const& m, double fill) {
    array y(shape(m.e.begin(), m.e.end()));
    std::size_t k = 0;
    plain::each(y.e, [&](shape const& at) {
        shape from;
        bool inside = true;
        for (std::size_t s = 0; s < S; ++s) {
            axis_rule const& r = m.rule[s];
            index_t i = r.offset;
            if (r.out1 >= 0) i += at[static_cast<std::size_t>(r.out1)] * r.stride;
            if (r.out2 >= 0) i += at[static_cast<std::size_t>(r.out2)] * r.dilation;
            if (r.mode != felt::pad_mode::constant) i = felt::folded(r.mode, i, x.e[s]);
            inside = inside && i >= 0 && i / r.divide < x.e[s];
            inside = inside && !(r.exact && i % r.divide != 0);
            from.push_back(i / r.divide);
        }
        y.v[k++] = inside ? x.v[plain::position(x.e, from)] : fill;
    });
    return y;
}

// Whether the loops are the axes of a view, in order: not if what is only other strides is walked
// by fewer of them, or by others.
template <class Node, class Space>
bool runs_over(Node const& n, Space const& loops, shape const& e) {
    auto const rank = static_cast<int>(e.size());
    if (loops.rank != rank || n.at.rank != rank) return false;
    for (int a = 0; a < rank; ++a) {
        if (loops.extent[a] != e[static_cast<std::size_t>(a)] || n.at.offset[a] != 0) return false;
        for (int l = 0; l < rank; ++l) {
            if (n.at.coef[a][l] != (a == l)) return false;
        }
    }
    return true;
}

// Boxes of the view, one after the other, as rows are read by whoever wants them.
template <class S>
int wrong_in_boxes(S const& s, array const& expected, dice& d) {
    constexpr int R = static_cast<int>(felt::rank_of<decltype(s.expression)>);
    auto const p = felt::planning::make_plan(s);
    felt::host::arena scratch;
    felt::host::environment env(p, scratch);
    felt::host::bound<std::remove_cvref_t<decltype(s.expression)>> root(s.expression, env, 0);
    auto const rows = felt::host::rows_of(root);
    auto const in = env.loops(p.g.statements[0].space);
    if (!runs_over(env.described(0), p.g[p.g.statements[0].space], expected.e)) return 0;
    std::vector<float> room(512);
    int wrong = 0;
    for (int trial = 0; trial < 4; ++trial) {
        box b = felt::planning::whole_box(expected.e.data(), R);
        for (int a = 0; a < R && trial > 0; ++a) {
            b.lo[a] = d.between(0, b.hi[a] - 1);
            b.hi[a] = d.between(b.lo[a] + 1, b.hi[a]);
        }
        rows.prepare(b);
        felt::planning::for_each_row(b, in.lane, [&](index_t const* at) {
            index_t const lo = in.lane < 0 ? 0 : b.lo[in.lane];
            index_t const hi = in.lane < 0 ? 1 : b.hi[in.lane];
            float const* const line = rows.line(at, lo, hi, room.data());
            shape i(at, at + R);
            for (index_t j = lo; j < hi; ++j) {
                if (in.lane >= 0) i[static_cast<std::size_t>(in.lane)] = j;
                wrong += line[j - lo] != expected.v[plain::position(expected.e, i)];
            }
        });
    }
    return wrong;
}

std::string in_words(axis_rule const& r, index_t n) {
    std::ostringstream out;
    out << n << " at (" << r.stride << " [" << r.out1 << "] + " << r.dilation << " [" << r.out2
        << "] + " << r.offset << ") / " << r.divide << (r.exact ? " exactly;" : ";");
    return out.str();
}

template <std::size_t S, std::size_t R, class View>
void check_view(felt::view_map<S, R> const& m, array const& x, dice& d, View const& view) {
    array const expected = plain_view(x, m, -9);
    array twice = x;
    for (double& v : twice.v) v *= 2;
    array const expected_twice = plain_view(twice, m, -9);
    field<float, S> fx(x, any_order(d));
    field<float, R> fy(expected.e, any_order(d));
    std::string rules = felt::to_string(expected.e.data(), R) + " of";
    for (std::size_t s = 0; s < S; ++s) rules += " " + in_words(m.rule[s], x.e[s]);
    INFO(rules);
    fy.view() = view(fx.view());
    CHECK(test::difference(fy.get(), expected, 0) == "");
    fy.view() = view(fx.view() * 2);
    CHECK(test::difference(fy.get(), expected_twice, 0) == "");
    CHECK(fy.guards_hold());
    auto to = fy.view();
    CHECK(wrong_in_boxes(assign(to, view(fx.view())), expected, d) == 0);
    CHECK(wrong_in_boxes(assign(to, view(fx.view() * 2)), expected_twice, d) == 0);
}

template <std::size_t S, std::size_t R>
void check_any_rules(std::uint64_t seed, int trials) {
    for (int trial = 0; trial < trials; ++trial) {
        dice d(seed * 10000 + static_cast<std::uint64_t>(trial));
        felt::view_map<S, R> m{};
        shape e, of;
        for (index_t& n : m.e.value) e.push_back(n = any_extent(d));
        for (std::size_t s = 0; s < S; ++s) {
            of.push_back(any_extent(d));
            m.rule[s] = any_rule(d, of[s], e);
        }
        CAPTURE(seed);
        CAPTURE(trial);
        check_view(m, test::whole_numbers(of, d, 8), d,
                   [&](auto const& x) { return felt::make_general_view(x, m, -9.f, "view"); });
    }
}

}  // namespace

TEST_CASE("a view of a row by any rule") { check_any_rules<1, 1>(1, 400); }
TEST_CASE("windows and rows of a row") { check_any_rules<1, 2>(2, 300); }
TEST_CASE("diagonals of a matrix") { check_any_rules<2, 1>(3, 300); }
TEST_CASE("a view of a matrix by any rules") { check_any_rules<2, 2>(4, 300); }
TEST_CASE("views of three axes, in three") { check_any_rules<3, 3>(5, 40); }

TEST_CASE("two axes follow one, which only one of them stays at for several indices") {
    dice d(8);
    for (index_t times : {1, 2, 4, 5})
        for (int slow : {0, 1})
            for (int follows : {0, 1}) {
                felt::view_map<2, 2> m{{{9, 15}}, {}};
                m.rule[0] = m.rule[1] = {follows, -1, 1};
                m.rule[slow].divide = times;
                check_view(m, test::whole_numbers({17, 17}, d, 8), d, [&](auto const& x) {
                    return felt::make_general_view(x, m, -9.f, "view");
                });
            }
}

TEST_CASE("an empty source is all fill") {
    dice d(6);
    for (index_t n : {1, 8, 17}) {
        felt::view_map<2, 2> m{{{n, 3}}, {}};
        m.rule[0] = {0, -1, 1, 0, -1}, m.rule[1] = {1, -1, 1, 0, 0};
        check_view(m, array({0, 3}), d,
                   [&](auto const& x) { return felt::make_general_view(x, m, -9.f, "view"); });
    }
}

TEST_CASE("folded views, part by part") {
    dice d(7);
    for (auto mode : {felt::pad_mode::wrap, felt::pad_mode::reflect, felt::pad_mode::edge})
        for (index_t n : {1, 2, 5, 8, 17})
            for (index_t k : {1, 7, 33}) {
                index_t const most = mode == felt::pad_mode::reflect ? n - 1 : 2 * n;
                index_t const before = d.between(0, most), after = d.between(0, most);
                felt::view_map<2, 2> m{{{n + before + after, k}}, {}};
                m.rule[0] = {0, -1, 1, 0, -before}, m.rule[1] = {1, -1, 1, 0, 0};
                m.rule[0].mode = mode;
                array const x = test::whole_numbers({n, k}, d, 8);
                auto const view = [&](auto const& of) {
                    return felt::make_folded_view(of, m, "view");
                };
                check_view(m, x, d, view);
                std::swap(m.rule[0], m.rule[1]);
                m = {{{k, n + before + after}}, {m.rule[0], m.rule[1]}};
                m.rule[0].out1 = 0, m.rule[1].out1 = 1;
                check_view(m, plain::transpose(x), d, view);
            }
}

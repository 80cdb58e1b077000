// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/wolfe.hpp>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <vector>

namespace {

using point = felt::line_point<std::vector<double>>;
using function = std::function<double(double)>;

struct searched {
    point found;
    int probes = 0;
};

// The search over p(t) with slope p'(t); a point keeps {its own t} as its gradient.
searched search(function const& p, function const& slope, double t,
                felt::wolfe_options const& o = {}) {
    searched s;
    auto const probe = [&](point& q) {
        q.value = p(q.t);
        q.slope = slope(q.t);
        q.gradient = {q.t};
        ++s.probes;
    };
    s.found = felt::wolfe_search(point{0, p(0), slope(0), {}}, t, probe, o);
    return s;
}

bool strong_wolfe(point const& q, function const& p, function const& slope,
                  felt::wolfe_options const& o = {}) {
    return q.t > 0 && q.value == p(q.t) && q.gradient == std::vector<double>{q.t} &&
           q.value <= p(0) + o.c1 * q.t * slope(0) &&
           std::abs(slope(q.t)) <= o.c2 * std::abs(slope(0));
}

double parabola(double t) { return (t - 3) * (t - 3); }
double parabola_slope(double t) { return 2 * (t - 3); }

// Many minima along the way down.
double waves(double t) { return 0.1 * t * t - t + 0.1 * std::sin(9 * t); }
double waves_slope(double t) { return 0.2 * t - 1 + 0.9 * std::cos(9 * t); }

}  // namespace

TEST_CASE("a first step that meets both conditions is taken as it is") {
    auto const s = search(parabola, parabola_slope, 2.5);
    CHECK(s.found.t == 2.5);
    CHECK(s.probes == 1);
}

TEST_CASE("the cubic through a parabola finds its minimum at once") {
    felt::wolfe_options o;
    o.c2 = 0.01;
    auto const far = search(parabola, parabola_slope, 8, o);
    CHECK(far.found.t == doctest::Approx(3));
    CHECK(far.probes == 2);
    auto const near = search(parabola, parabola_slope, 1, o);
    CHECK(near.found.t == doctest::Approx(3));
    CHECK(near.probes == 2);
}

TEST_CASE("the search steps out at most ten times as far as before") {
    std::vector<double> asked;
    auto const probe = [&](point& q) {
        asked.push_back(q.t);
        q.value = -q.t;
        q.slope = -1;
    };
    felt::wolfe_options o;
    o.most_steps = 4;
    auto const found = felt::wolfe_search(point{0, 0, -1, {}}, 1.0, probe, o);
    REQUIRE(asked.size() == 4);
    for (std::size_t i = 1; i < asked.size(); ++i) {
        CHECK(asked[i] > asked[i - 1]);
        CHECK(asked[i] <= 10 * asked[i - 1]);
    }
    CHECK(found.t == asked.back());
}

TEST_CASE("both conditions hold for many functions, first steps and constants") {
    struct line {
        function p, slope;
    };
    std::vector<line> const lines = {
        {parabola, parabola_slope},
        {waves, waves_slope},
        {[](double t) { return std::exp(t) - 4 * t; }, [](double t) { return std::exp(t) - 4; }},
        {[](double t) { return -t / (t * t + 2); },
         [](double t) { return (t * t - 2) / ((t * t + 2) * (t * t + 2)); }},
        {[](double t) { return std::pow(t + 0.004, 5) - 2 * std::pow(t + 0.004, 4); },
         [](double t) { return 5 * std::pow(t + 0.004, 4) - 8 * std::pow(t + 0.004, 3); }},
    };
    for (std::size_t k = 0; k < lines.size(); ++k) {
        line const& l = lines[k];
        for (double first : {1e-3, 0.1, 1.0, 10.0, 1e3}) {
            for (double c2 : {0.1, 0.9}) {
                felt::wolfe_options o;
                o.c2 = c2;
                o.most_steps = 60;
                o.smallest_bracket = 0;
                auto const s = search(l.p, l.slope, first, o);
                CAPTURE(k);
                CAPTURE(first);
                CAPTURE(c2);
                CAPTURE(s.found.t);
                CHECK(strong_wolfe(s.found, l.p, l.slope, o));
            }
        }
    }
}

TEST_CASE("values that are not finite are too high") {
    auto const p = [](double t) { return t < 2 ? parabola(t) : std::nan(""); };
    auto const slope = [](double t) {
        return t < 2 ? parabola_slope(t) : std::numeric_limits<double>::infinity();
    };
    auto const s = search(p, slope, 40);
    CHECK(s.found.t < 2);
    CHECK(strong_wolfe(s.found, p, slope));
}

TEST_CASE("a start that nothing lies below is returned") {
    auto const p = [](double t) { return t == 0 ? 0.0 : 1.0; };
    auto const s = search(p, [](double) { return -1.0; }, 1);
    CHECK(s.found.t == 0);
    CHECK(s.found.value == 0);
    CHECK(s.probes <= 25);
}

// SPDX-License-Identifier: BSD-3-Clause
//
// A line search for the strong Wolfe conditions: for p(t) = f(x + t d), find t with
//
//   p(t) <= p(0) + c1 t p'(0)   and   |p'(t)| <= c2 |p'(0)|
//
// First it steps out until two points bracket such a t, then it closes in by cubic interpolation
// (Nocedal and Wright, "Numerical Optimization", chapter 3, with the safeguards of minFunc).
#pragma once
#include <felt/core/version.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

namespace felt::inline FELT_ABI {

struct wolfe_options {
    double c1 = 1e-4;
    double c2 = 0.9;
    int most_steps = 25;
    double smallest_bracket = 1e-9;  // in t; the search ends there
};

// A point of the line. Gradient is what the caller keeps of it, at least a movable value.
template <class Gradient>
struct line_point {
    double t = 0, value = 0, slope = 0;
    Gradient gradient = {};

    bool legal() const { return std::isfinite(value) && std::isfinite(slope); }
};

namespace detail {

// Where the cubic through both values and slopes has its minimum, kept in [low, high].
template <class P>
double cubic_minimum(P const& a, P const& b, double low, double high) {
    P const& left = a.t < b.t ? a : b;
    P const& right = a.t < b.t ? b : a;
    double const d1 =
        left.slope + right.slope - 3 * (left.value - right.value) / (left.t - right.t);
    double const square = d1 * d1 - left.slope * right.slope;
    if (!(square >= 0)) return (low + high) / 2;
    double const d2 = std::sqrt(square);
    double const t = right.t - (right.t - left.t) *
                                   ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
    return std::isfinite(t) ? std::clamp(t, low, high) : (low + high) / 2;
}

// The same inside a bracket. A second step in a row that ends near a wall is put a tenth inside.
template <class P>
double next_inside(P const& a, P const& b, bool& stuck) {
    double const low = std::min(a.t, b.t), high = std::max(a.t, b.t), width = high - low;
    if (!a.legal() || !b.legal()) return (low + high) / 2;
    double const t = cubic_minimum(a, b, low, high);
    bool const near = std::min(high - t, t - low) < 0.1 * width;
    bool const move = near && (stuck || t >= high || t <= low);
    stuck = near && !move;
    if (!move) return t;
    return high - t < t - low ? high - 0.1 * width : low + 0.1 * width;
}

template <class G, class Probe>
class wolfe_line {
public:
    using point = line_point<G>;

    wolfe_line(point const& start, Probe& probe, wolfe_options const& o)
        : value_(start.value), slope_(start.slope), probe_(probe), o_(o) {}

    // Steps out from `low` until the conditions hold or two points bracket where they do.
    point search(point low, double t) {
        point p;
        p.t = t;
        for (visit(p);; visit(p)) {
            if (too_high(p) || p.value >= low.value) return close_in(std::move(low), std::move(p));
            if (flat(p) || steps_ >= o_.most_steps) return p;
            if (p.slope >= 0) return close_in(std::move(p), std::move(low));
            double const least = p.t + 0.01 * (p.t - low.t);
            double const next = cubic_minimum(low, p, least, 10 * p.t);
            std::swap(low, p);
            p.t = next;
        }
    }

private:
    // `low` has the lowest value seen that is low enough, and its slope points towards `high`.
    point close_in(point low, point high) {
        point p;
        bool stuck = false;
        while (steps_ < o_.most_steps && std::abs(high.t - low.t) >= o_.smallest_bracket) {
            p.t = next_inside(low, high, stuck);
            visit(p);
            if (too_high(p) || p.value >= low.value) {
                std::swap(high, p);
                continue;
            }
            if (flat(p)) return p;
            if (p.slope * (high.t - low.t) >= 0) std::swap(high, low);
            std::swap(low, p);
        }
        return high.legal() && high.value < low.value ? std::move(high) : std::move(low);
    }

    void visit(point& p) {
        probe_(p);
        ++steps_;
    }
    bool too_high(point const& p) const {
        return !p.legal() || p.value > value_ + o_.c1 * p.t * slope_;
    }
    bool flat(point const& p) const { return std::abs(p.slope) <= -o_.c2 * slope_; }

    double value_, slope_;
    Probe& probe_;
    wolfe_options const& o_;
    int steps_ = 0;
};

}  // namespace detail

// Searches from `start` (t = 0, slope < 0), first at t. probe(p) is given p.t and fills the rest;
// p.gradient may be one of an earlier point, to be written over. Values that are not finite count
// as too high. The result is the lowest point found; where rounding or `most_steps` ends the
// search the conditions may fail, and t is 0 if nothing was lower than the start.
template <class G, class Probe>
line_point<G> wolfe_search(line_point<G> start, double t, Probe&& probe,
                           wolfe_options const& o = {}) {
    detail::wolfe_line<G, Probe> line(start, probe, o);
    return line.search(std::move(start), t);
}

}  // namespace felt::inline FELT_ABI
